"""Words on screen are the players' own: none of the engine's terms shows in a page or sentence."""

import ast
import json
import re
from itertools import chain
from pathlib import Path

import pytest

from tests.guards.code import modules
from tests.languages.messages import messages

ROOT = Path(__file__).parents[2]
#: Terms of the code that players do not use for these things.
OURS = re.compile(
    r"\b(picks?|strays?|selectors?|tall(y|ies)|standings?|line-?ups?|rosters?(?! sheet)|pointers?"
    r"|culprits?|refusals?|blanks?|htmx|json object)\b",
    re.IGNORECASE,
)


def test_what_is_said_speaks_the_players_words() -> None:
    """Pages say nothing but messages: test_messages holds that."""
    for message in messages():
        said = re.sub(r"\{.*?\}|%\(\w+\)s|<[^>]*>", "", f"{message.key.text} {message.key.many}")
        assert not OURS.search(said), f"{message.path}:{message.line}"


@pytest.mark.parametrize(
    "file", sorted((ROOT / "catalogs").glob("*/system.json")), ids=lambda path: path.parent.name
)
def test_rules_and_readings_speak_the_players_words(file: Path) -> None:
    system = json.loads(file.read_text(encoding="utf-8"))
    sections = [system.get(key, []) for key in ("rules", "settings", "roles")]
    for entry in chain(*sections):
        told = " ".join(str(entry.get(key, "")) for key in ("summary", "reading", "help"))
        assert not OURS.search(told), entry["id"]


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
}


def test_one_thing_has_one_word_on_screen() -> None:
    gone = re.compile(r"\b(" + "|".join(GONE) + r")\b", re.IGNORECASE)
    found = [
        (message.path, message.line, said[0])
        for message in messages()
        if (said := gone.search(f"{message.key.text} {message.key.many}"))
    ]
    assert found == []


def test_docstrings_speak_words_that_one_searches_for() -> None:
    """docs/glossary.md has the words of the project."""
    said = re.compile(r"\b(" + "|".join(PRIVATE) + r")\b", re.IGNORECASE)
    found = [
        (module.path, told[0])
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and (told := said.search(ast.get_docstring(node) or ""))
    ]
    assert found == []
