"""Phrases that a reader has to read twice, on screen and in docstrings, counted by room.

`python -m tests.guards.phrases` prints the counts. The guard lets them fall only.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator

from tests.guards.code import guard, modules
from tests.guards.shape import at_most
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


#: Texts on screen and docstrings with a fault, at most: lower it when there are fewer.
SCREEN_FAULTS = 0
DOCSTRING_FAULTS = 0


@guard
def private_phrases_get_fewer() -> Iterator[str]:
    """Private phrases on screen and in docstrings get fewer."""
    for texts, patterns, most in (
        (screen_texts(), ON_SCREEN, SCREEN_FAULTS),
        (docstrings(), IN_DOCSTRINGS, DOCSTRING_FAULTS),
    ):
        counts = found(texts, patterns)
        places = [
            f"{room}: {fault}" for (room, fault), number in counts.items() for _ in range(number)
        ]
        yield from at_most(places, most)


def main() -> int:
    """Print the counts by room, with the texts of each fault on screen."""
    for name, texts, patterns in (
        ("on screen", list(screen_texts()), ON_SCREEN),
        ("in docstrings", list(docstrings()), IN_DOCSTRINGS),
    ):
        counts = found(iter(texts), patterns)
        print(f"\n{name}: {sum(counts.values())} in {len(texts)} texts")
        for room in sorted({room for room, _ in texts}):
            faults = {fault: counts[room, fault] for fault in patterns if counts[room, fault]}
            if faults:
                print(f"  {room}: " + ", ".join(f"{fault} {n}" for fault, n in faults.items()))
    return 0


if __name__ == "__main__":
    import django

    django.setup()
    sys.exit(main())
