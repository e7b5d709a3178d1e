"""Phrases that a reader has to read twice, on screen, in docstrings and in documents.

`python -m tests.guards.phrases` prints the counts by room.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from tests.guards.code import guard, modules, path_of
from tests.guards.documents import DOCUMENTS
from tests.languages.messages import messages

#: What readers stumble over on screen: the fault, and how to recognise it.
ON_SCREEN = {
    "a clause as a label": r"^(What|Where|Whether|Which|How (?:many|much|far)|Who)\b(?!.*[?:.]$)",
    "a private verb": r"\b(told(?! apart)|stands? (?:at|in|on|under|beside|below|there))\b",
    "a fragment": r"^(Here|There|Then|None of them|Of these|It holds|Some of it)\b[^.?!]{0,20}:?$",
    "old-fashioned": r"\b(nevertheless|shall|thereof|beside (?:the|it)|for good|lest)\b",
    "a long sentence": r"(?:[^\s.?!:;]+\s+){30,}",
}
#: The same in docstrings: words that say less than the name of a thing.
IN_DOCSTRINGS = {
    "told": r"\b(told|tells?)\b",
    "stands": r"\bstands?\b",
    "whoever": r"\b(who|where|what)ever\b",
    "so many": r"\bso (many|much)\b",
    "a clause for a verb or a noun": r"^(What|Wh(?:ere|en|ether|ich|o|ose|y)|How|That|If)\b",
    "what is": r"\b[Ww]hat (is|was|are|has|have|it|they|there|an?|the|can|may|must|else)\b",
}
#: The same in documents.
IN_DOCUMENTS = {
    "a private verb": r"\b(told(?! apart)|stands? (?:at|in|on|under|beside|there)|judged)\b",
    "old-fashioned": r"\b(nevertheless|shall|thereof|beside|for good|lest)\b",
}


def found(texts: Iterator[tuple[str, str]], patterns: dict[str, str]) -> Counter[tuple[str, str]]:
    """Return how many texts (room, text) have each fault, by room and fault."""
    compiled = {fault: re.compile(pattern) for fault, pattern in patterns.items()}
    return Counter(
        (room, fault)
        for room, text in texts
        for fault, pattern in compiled.items()
        if pattern.search(text)
    )


def screen_texts() -> Iterator[tuple[str, str]]:
    """Yield the texts on screen, each with its part of the project."""
    for message in messages():
        bare = re.sub(r"\{.*?\}|%\(\w+\)s|<[^>]*>", "", message.key.text)
        yield "/".join(message.path.split("/")[:2]), bare


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield the docstrings of the package without names in `code`, each with its room.

    Migrations stay as they landed.
    """
    for module in modules():
        if "/migrations/" in module.path:
            continue
        for node in module.nodes(ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef):
            if text := ast.get_docstring(node):
                yield module.room, re.sub(r"`[^`]*`", "", text)


def document_lines() -> Iterator[tuple[str, str]]:
    """Yield the lines of the documents without names in `code`, each with its document."""
    for document in DOCUMENTS:
        if document.name != "truth-data.md":  # it quotes what was found in files, in its words
            for line in document.read_text("utf-8").splitlines():
                yield path_of(document), re.sub(r"`[^`]*`", "", line)


#: Every kind of text that is searched, with its patterns.
SEARCHED: dict[str, tuple[Callable[[], Iterator[tuple[str, str]]], dict[str, str]]] = {
    "on screen": (screen_texts, ON_SCREEN),
    "in docstrings": (docstrings, IN_DOCSTRINGS),
    "in documents": (document_lines, IN_DOCUMENTS),
}


@guard
def no_private_phrases() -> Iterator[str]:
    """No text on screen, docstring or document has a private phrase."""
    for texts, patterns in SEARCHED.values():
        yield from (f"{room}: {fault}" for room, fault in found(texts(), patterns).elements())


def main() -> int:
    """Print the counts by room."""
    for name, (texts, patterns) in SEARCHED.items():
        counts = found(texts(), patterns)
        print(f"{name}: {counts.total()} in {sum(1 for _ in texts())} texts")
        for (room, fault), number in sorted(counts.items()):
            print(f"  {room}: {fault} {number}")
    return 0


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    sys.exit(main())
