"""Words on screen are the players' own: none of the engine's terms shows in a page or sentence."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest

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
