"""Templates can be read: djhtml indents them (make check); lines are as short as they can be."""

import re
from collections.abc import Iterator

from tests.guards.code import ROOT

LONGEST = 120
#: What cannot be broken: Django's tags, and values of attributes.
WHOLE = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}")
VALUE = re.compile(r"""="[^"]*"|='[^']*'""")


def lines() -> Iterator[tuple[str, str]]:
    """Each line of a template with its place."""
    for file in sorted((ROOT / "templates").rglob("*.html")):
        path = file.relative_to(ROOT).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path}:{number}", line


def can_be_broken(line: str) -> bool:
    """Whether a line has a space, within the length it may have, that may as well be a new line."""
    bare = VALUE.sub(_crossed_out, WHOLE.sub(_crossed_out, line))
    return " " in bare[:LONGEST].strip()


def _crossed_out(found: re.Match[str]) -> str:
    return "x" * len(found[0])


def test_lines_are_broken_where_a_space_allows_it() -> None:
    found = [place for place, line in lines() if len(line) > LONGEST and can_be_broken(line)]
    assert found == []


def test_what_can_be_broken_is_known() -> None:
    assert can_be_broken('<a class="quiet" href="/">')
    assert can_be_broken("<p>Many words")
    assert not can_be_broken("   {% if a and b %}<b>{{ c | d }}</b>")
    assert not can_be_broken('   class="a b">{% translate "Many words" %}')
