"""What is drawn as HTML without a template: words of players and books cannot break out of it."""

from dataclasses import replace

import pytest
from django.utils.translation import override

from armybuilder.advice.answers import MOST_CULPRITS, Culprit, FindingView, Remedy
from armybuilder.engine.citations import RuleHead
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.facets import ShelfEntry
from armybuilder.pages.builder.pieces import GaugeView
from armybuilder.pages.templatetags.shelf import shelf_entries

EVIL = '<b onclick="x">&\''
SAFE = "&lt;b onclick=&quot;x&quot;&gt;&amp;&#x27;"


def an_entry(**fields: object) -> ShelfEntry:
    units = shipped_library().books["sbh"]["profiles"].units
    unit = replace(next(iter(units.values())), name=EVIL)
    told = {"mark": "breaks", "says": (EVIL,), "lacks": EVIL, "unknown": EVIL, "settles": (EVIL,)}
    drawn = {"points": "7", "start": EVIL, "facts": EVIL, "abilities": EVIL, **told, **fields}
    return ShelfEntry(unit=unit, **drawn)  # type: ignore[arg-type]


def a_rule() -> RuleHead:
    rule = next(iter(shipped_library().system("sbh").rules))
    return replace(rule.head, summary=EVIL)


def a_telling(culprits: int) -> FindingView:
    named = tuple(Culprit(f"u{number}", EVIL) for number in range(culprits))
    return FindingView("why", "error", "broken", "", "", a_rule(), "", False, None, named, ())


def test_whatever_an_entry_of_the_shelf_says_is_escaped() -> None:
    html = shelf_entries([an_entry(found=EVIL)], 'hx-post="/act/"')
    assert EVIL not in html
    assert html.count(SAFE) == 11


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"ticked": True}, 'value="on" checked'),
        ({"lacks": "Needs 7 points."}, 'class="entry breaks"'),
        ({"mark": "fits", "lacks": ""}, 'class="entry fits"'),
    ],
)
def test_an_entry_shows_whether_it_is_ticked_and_how_it_would_fit(
    fields: dict[str, object], said: str
) -> None:
    assert said in shelf_entries([an_entry(**fields)], "")
    assert said not in shelf_entries([an_entry(mark="over", lacks="")], "")


def test_an_entry_speaks_the_readers_language() -> None:
    with override("de"):
        html = shelf_entries([an_entry()], "")
    assert "Würde" in html
    assert "Would settle" not in html


def test_a_finding_names_a_dozen_units_and_counts_the_others() -> None:
    assert a_telling(MOST_CULPRITS).more_culprits == 0
    telling = a_telling(MOST_CULPRITS + 3)
    assert telling.more_culprits == 3
    assert telling.links.count("<a ") == telling.links.count(SAFE) == MOST_CULPRITS
    assert EVIL not in telling.links


def test_what_a_gauge_and_an_answer_say_is_escaped() -> None:
    gauge = GaugeView(EVIL, EVIL, False, 50, EVIL, "", a_rule(), EVIL)  # type: ignore[arg-type]
    assert EVIL not in gauge.html
    assert gauge.html.count(SAFE) == 5
    assert Remedy("", {"name": EVIL}).inputs == f'<input type="hidden" name="name" value="{SAFE}">'
