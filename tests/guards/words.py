"""Words on screen are the players' own; words of the code are those one would search for."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import chain

from tests.guards.code import ROOT, guard, modules
from tests.languages.messages import messages

#: Terms of the code that players do not use for these things.
OURS = re.compile(
    r"\b(strays?|selectors?|tall(y|ies)|line-?ups?|culprits?|refusals?|htmx)\b",
    re.IGNORECASE,
)
#: Private English: what a reader would not search for, and the plain word for it.
PRIVATE = {
    r"what (has )?bec[ao]me of": "the outcome of, the state of",
    r"for good": "permanently",
    r"nobody knows": "is unknown",
    r"lessen\w*": "reduce",
    r"bring(ing)? in\b": "import",
    r"thinn\w+": "prune",
}
#: What pages used to say, and the word they have for it now: docs/glossary.md.
GONE = {
    r"mend(s|ed|ing)?": "fix",
    r"for good": "permanently",
    r"e-mails?": "email",
    r"take off": "remove",
    r"give me something|something to begin with": "Random army",
    r"my books": "Custom books",
    r"look again": "check again",
    r"behind (it|its name|the name)": "after",
    "set-ups?": "preset",
    "dead ends?": "blocks a legal list",
    "ways to make it legal": "Suggested fixes",
    "spend the rest": "Spend remaining points",
    "told(?! apart)": "name who says it",
    "(?<!there )is no (?!longer)[a-z]+": "isn't a",
    "with commas between": "separated by commas",
    "nevertheless": "anyway",
    "this very": "exactly this",
    "from (then|now) on": "say what happens next",
    "for your eyes": "hidden from you",
    "(lists?|rules|corrections) (are|is|were) (shown|final|due)": "published, locked, deadline",
    "handed in|hands in": "submit",
    "mails?": "email",
    "needs? scripts?": "needs JavaScript",
    "bring (a game|the files|them again|all files)": "add",
    r"\w+'(s|t|re|ll)": "’, the apostrophe on screen",
    "judged(?! by the rulebook)": "checked",
}


def any_of(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile(r"\b(" + "|".join(words) + r")\b", re.IGNORECASE)


@guard
def screens_speak_the_players_words() -> Iterator[str]:
    """Pages, sentences, rules and readings say no term of the code, and one word for one thing."""
    gone = any_of(GONE)
    for message in messages():
        text = f"{message.key.text} {message.key.many}"
        bare = re.sub(r"\{.*?\}|%\(\w+\)s|<[^>]*>", "", text)
        if match := OURS.search(bare) or gone.search(bare):
            yield f"{message.path}:{message.line}: {match[0]}"
    for file in sorted((ROOT / "catalogs").glob("*/system.json")):
        system = json.loads(file.read_text(encoding="utf-8"))
        for entry in chain(*(system.get(key, []) for key in ("rules", "settings", "roles"))):
            text = " ".join(str(entry.get(key, "")) for key in ("summary", "reading", "help"))
            if match := OURS.search(text):
                yield f"{file.parent.name}: {entry['id']}: {match[0]}"


@guard
def docstrings_speak_words_that_one_searches_for() -> Iterator[str]:
    """Docstrings use the words of docs/glossary.md."""
    private = any_of(PRIVATE)
    for module in modules():
        for node in module.nodes(ast.Module, ast.ClassDef, ast.FunctionDef):
            if match := private.search(ast.get_docstring(node) or ""):
                yield f"{module.path}: {match[0]}"
