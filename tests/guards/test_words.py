"""Words on screen are the players' own: none of the engine's terms shows in a page or sentence."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest

from armybuilder.engine.sentences import TEMPLATES

ROOT = Path(__file__).parents[2]
#: Terms of the code that players do not use for these things.
OURS = re.compile(
    r"\b(picks?|strays?|selectors?|tall(y|ies)|standings?|line-?ups?|rosters?(?! sheet)|pointers?"
    r"|culprits?|refusals?|blanks?|htmx|json object)\b",
    re.IGNORECASE,
)


def shown(template: str) -> str:
    """What of a template people read: text, and the attributes that are read out."""
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", " ", template, flags=re.DOTALL)
    read_out = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', text)
    return " ".join([re.sub(r"<[^>]*>", " ", text), *read_out])


@pytest.mark.parametrize(
    "template", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name
)
def test_a_page_speaks_the_players_words(template: Path) -> None:
    found = OURS.search(shown(template.read_text(encoding="utf-8")))
    assert found is None, found


def test_sentences_speak_the_players_words() -> None:
    for code, template in TEMPLATES.items():
        assert not OURS.search(re.sub(r"\{.*?\}", "", template)), code


@pytest.mark.parametrize(
    "file", sorted((ROOT / "catalogs").glob("*/system.json")), ids=lambda path: path.parent.name
)
def test_rules_and_readings_speak_the_players_words(file: Path) -> None:
    system = json.loads(file.read_text(encoding="utf-8"))
    sections = [system.get(key, []) for key in ("rules", "settings", "roles")]
    for entry in chain(*sections):
        told = " ".join(str(entry.get(key, "")) for key in ("summary", "reading", "help"))
        assert not OURS.search(told), entry["id"]
