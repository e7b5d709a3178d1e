"""The shelf: filters that know what they leave, marks, and by what a search found a unit."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from armybuilder.lists.models import Version
from armybuilder.loading.deadline import Elsewhere, within
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf import (
    Facet,
    Shelf,
    ShelfEntry,
    ShelfQuery,
    make_shelf,
    read_wanted,
)
from tests.books.shelf import Shelf as OwnBooks
from tests.building.documents import list_of, value_of
from tests.conftest import Builder
from tests.markup import lacking

LADY = "practice/bannerlady-oresta"
EVIL = "practice/pack-mother-of-the-red-dunes"


def shelf_of(builder: Builder, **fields: str) -> Shelf:
    page = BuilderPage(builder.version, shipped_library())
    wanted = read_wanted(fields, page.catalogue)
    return make_shelf(page.roster, page.catalogue, wanted, page.report)


def entries(shelf: Shelf) -> list[ShelfEntry]:
    return [entry for _heading, under in shelf.groups for entry in under]


def entry(shelf: Shelf, ref: str) -> ShelfEntry:
    return next(entry for entry in entries(shelf) if entry.unit.ref == ref)


def facet(shelf: Shelf, field: str) -> Facet:
    return next(facet for facet in shelf.facets if facet.field == field)


def counts(shelf: Shelf, field: str) -> dict[str, int]:
    return {choice.value: choice.number for choice in facet(shelf, field).choices}


@pytest.mark.slow
def test_counts_of_filters_are_of_what_they_leave(chainmail: Builder) -> None:
    for field in ("faction", "alignment", "group", "ability"):
        for value, number in counts(shelf_of(chainmail, points="30"), field).items():
            assert shelf_of(chainmail, points="30", **{field: value}).shown == number, value
    # Counts hold under the other filters that are set.
    alone = counts(shelf_of(chainmail), "faction")
    with_good = shelf_of(chainmail, alignment="good", faction="thalos")
    under_good = counts(with_good, "faction")
    assert under_good != alone
    for value, number in under_good.items():
        assert shelf_of(chainmail, alignment="good", faction=value).shown == number
    # The filter's own choice does not lessen what its other choices would leave.
    assert counts(with_good, "alignment")["good"] == with_good.shown
    # A choice that leaves nothing cannot be chosen.
    options = str(facet(shelf_of(chainmail, faction="thalos"), "alignment").options)
    assert '<option value="evil" disabled>Evil (0)</option>' in options
    chosen = str(
        facet(shelf_of(chainmail, faction="thalos", alignment="evil"), "alignment").options
    )
    assert '<option value="evil" selected>Evil (0)</option>' in chosen


def test_filters_by_verdict_leave_as_many_as_they_say(chainmail: Builder) -> None:
    chainmail.act("add", ref=LADY)
    chainmail.act("models", unit="u1", models="2")
    everything = shelf_of(chainmail)
    for field in ("fits", "safe"):
        left = shelf_of(chainmail, **{field: "1"})
        assert 0 < left.shown < everything.shown
        assert left.shown == everything.verdicts[field] == left.verdicts[field]
    assert all(not entry.lacks for entry in entries(shelf_of(chainmail, fits="1")))
    assert all(entry.mark != "breaks" for entry in entries(shelf_of(chainmail, safe="1")))


def test_filters_that_are_set_stand_as_links_that_take_them_away(chainmail: Builder) -> None:
    shelf = shelf_of(chainmail, q="commander", alignment="good", points="40", fits="1", sort="name")
    words = dict(shelf.chips)
    assert list(words) == ["“commander”", "Good", "max 40 points", "fits the points left"]
    assert words["Good"] == "q=commander&points=40&fits=1&sort=name"
    assert words["“commander”"] == "points=40&fits=1&sort=name&alignment=good"
    page = chainmail.client.get(f"{chainmail.url}?alignment=good&fits=1").text
    assert f'href="{chainmail.url}?fits=1&amp;view=units"' in page
    assert f'href="{chainmail.url}?alignment=good&amp;view=units"' in page
    # No filter no chips.
    assert shelf_of(chainmail, sort="name").chips == ()
    # What an address says comes back as the same query.
    query = "q=a&group=Leaders&ability=commander&points=40&fits=1&safe=1&sort=name&alignment=good"
    fields = dict(pair.split("=") for pair in query.split("&"))
    page = BuilderPage(chainmail.version, shipped_library())
    assert read_wanted(fields, page.catalogue).query == query
    assert ShelfQuery(ticked=(LADY,)).query == ""


def test_each_mark_tells_what_it_means(chainmail: Builder) -> None:
    chainmail.act("add", ref=LADY)
    fits = entry(shelf_of(chainmail), LADY)
    assert (fits.mark, fits.word, fits.says, fits.lacks) == ("fits", "fits", (), "")
    breaks = entry(shelf_of(chainmail), EVIL)
    assert breaks.mark == "breaks"
    assert breaks.says == ("Good and evil models can’t be in the same warband (1 good, 1 evil).",)
    chainmail.act("limit", limit="50")
    over = entry(shelf_of(chainmail), LADY)
    assert (over.mark, over.lacks) == ("over", "Needs 38 points, 12 left.")
    both = entry(shelf_of(chainmail), EVIL)
    assert both.mark == "breaks"
    assert both.lacks
    page = chainmail.page
    assert lacking(page, "</svg> Not allowed</span>", "</svg> Too expensive</span>") == []
    assert lacking(page, over.lacks, *breaks.says) == []
    chainmail.act("limit", limit="30")
    assert entry(shelf_of(chainmail), LADY).lacks == "Needs 38 points, none left."


def test_an_entry_says_by_which_words_it_was_found(chainmail: Builder) -> None:
    for text, found in (
        ("oresta", ""),
        ("cleave", "Cleave"),
        ("oresta cleave", "Cleave"),
        ("aura of courage", "Aura of Courage +2"),
        ("cleave thalos", "Cleave, Thalos"),
    ):
        assert entry(shelf_of(chainmail, q=text), LADY).found == found
    # All words of a search must be somewhere.
    assert LADY not in {one.unit.ref for one in entries(shelf_of(chainmail, q="oresta necklace"))}


def test_an_army_is_searched_filtered_and_added_to(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=2000, books="highborn-elves")
    prince = entry(shelf_of(army, q="great weapon"), "highborn-elves/high-prince")
    assert "Great Weapon" in prince.found
    shelf = shelf_of(army)
    assert shelf.quick is not None
    assert {one.name: one.number for one in shelf.quick.choices}["Characters"] == 3
    rule, number = next((key, n) for key, n in counts(shelf, "ability").items() if 0 < n < 10)
    assert shelf_of(army, ability=rule).shown == number
    # An army gets units of their own.
    add_several(army, "highborn-elves/citizen-spears", number="2")
    assert [unit["models"] for unit in army.document["units"]] == [20, 20]
    assert army.version.act == "Added 2 × Citizen Spears."


def test_ticked_units_that_a_filter_leaves_out_stay_ticked(chainmail: Builder) -> None:
    fields = {"faction": "naresh", f"tick-{LADY}": "on", f"tick-{EVIL}": "on", "tick-x/y": "on"}
    shelf = shelf_of(chainmail, **fields)
    assert [unit.ref for unit in shelf.away] == [LADY]
    assert entry(shelf, EVIL).ticked
    part = chainmail.client.get(chainmail.url, fields, headers={"HX-Request": "true"})
    assert f'name="tick-{LADY}" value="on" checked' in part.text
    # A search brings the filters anew.
    part = chainmail.client.get(chainmail.url, {"q": "oresta"}, headers={"HX-Request": "true"})
    html = part.text
    assert html.count('id="facets"') == 1
    assert "Good (1)" in html
    whole = chainmail.client.get(chainmail.url, {"q": "oresta"}).text
    assert whole.count('id="facets"') == whole.count('id="shelf"') == 1
    book = {"part": "book"}
    html = chainmail.client.get(chainmail.url, book, headers={"HX-Request": "true"})
    assert html.text.count('id="facets"') == 1


def handed_over(units: int, **filters: bool) -> bool:
    """Whether a web process hands over the shelf of an army that may be of any of the books."""
    library = shipped_library()
    books = list(library.books["t9a-2023"])
    catalogue = catalogue_of(value_of(list_of("t9a-2023", books, [], limit=4500)), library)
    taken = [{"unit": ref, "models": 1} for ref in list(catalogue.units)[:units]]
    document = value_of(list_of("t9a-2023", books, taken, limit=4500))
    page = BuilderPage(Version(document=document), library)
    try:
        with within(10, elsewhere=lambda spent, ahead: ahead > 0):
            make_shelf(page.roster, page.catalogue, ShelfQuery(**filters))
    except Elsewhere:
        return True
    return False


@pytest.mark.slow
def test_a_long_shelf_that_is_judged_whole_is_work_for_a_heavy_process() -> None:
    assert handed_over(20, fits=True)
    assert handed_over(20, safe=True)
    assert not handed_over(20)  # only what is shown is judged
    assert not handed_over(0, fits=True)


SPEAR = "practice/millbrook-spearhand"


def ticks(*refs: str) -> dict[str, str]:
    return {f"tick-{ref}": "on" for ref in refs}


def add_several(builder: Builder, *refs: str, number: str = "1") -> Any:
    return builder.act("add-several", number=number, **ticks(*refs))


def test_ticked_units_are_added_as_one_version(chainmail: Builder) -> None:
    add_several(chainmail, LADY, SPEAR, number="3")
    units = [(unit["unit"], unit["models"]) for unit in chainmail.document["units"]]
    assert units == [(LADY, 3), (SPEAR, 3)]
    assert Version.objects.count() == 2
    assert chainmail.version.act == "Added 3 × Bannerlady Oresta, 3 × Millbrook Spearhand."
    chainmail.act("undo")
    assert chainmail.document["units"] == []
    # Models join those that are there.
    chainmail.act("add", ref=SPEAR)
    add_several(chainmail, SPEAR, number="5")
    assert [unit["models"] for unit in chainmail.document["units"]] == [6]
    assert chainmail.version.act == "Added 5 × Millbrook Spearhand."
    # Where one cannot be added or none is ticked, none is.
    for refs, number, said in (
        ((LADY,), "0", "must be from 1 to 20"),
        ((LADY,), "21", "must be from 1 to 20"),
        ((LADY,), "x", "must be a whole number"),
        ((LADY,), "-1", "must be from 1 to 20"),
        ((LADY, "practice/nobody"), "1", "have no unit"),
        ((), "1", "Select what to add first."),
    ):
        response = add_several(chainmail, *refs, number=number)
        assert response.status_code == 422, number
        assert said in response.text, number
    assert [unit["models"] for unit in chainmail.document["units"]] == [6]


def test_adding_many_kinds_gives_a_short_message(sbh: Builder) -> None:
    refs = list(shipped_library().books["sbh"]["profiles"].units)[:6]
    page = sbh.client.get(f"{sbh.url}units/", {"unit": refs})
    assert len(page.context["columns"]) == 4
    assert "Only 4 units fit side by side" in page.text
    add_several(sbh, *refs)
    assert len(sbh.document["units"]) == 6
    assert sbh.version.act.endswith("and 3 more.")


@pytest.mark.slow
def test_the_comparison_tells_what_ticked_units_would_do_to_the_list(chainmail: Builder) -> None:
    response = chainmail.client.post(f"{chainmail.url}units/", ticks(LADY, SPEAR))
    page = chainmail.client.get(response["Location"])
    assert [column.unit.ref for column, _entry in page.context["columns"]] == [LADY, SPEAR]
    assert "csrf" not in response["Location"]
    response = chainmail.client.post(f"{chainmail.url}units/", {}, follow=True)
    assert response.redirect_chain[-1][0] == chainmail.url
    assert "Select two to four units" in response.text
    # The comparison of nothing offers units.
    page = chainmail.client.get(f"{chainmail.url}units/", {"unit": "no/body"})
    assert page.status_code == 200
    assert page.context["columns"] == []
    assert 'name="unit"' in page.text
    # The comparison tells what each would do to the list.
    chainmail.act("add", ref=LADY)
    page = chainmail.client.get(f"{chainmail.url}units/", {"unit": [LADY, EVIL]})
    marks = [entry.mark for _column, entry in page.context["columns"]]
    assert marks == ["fits", "breaks"]
    html = page.text
    assert "Good and evil models can’t be in the same warband (1 good, 1 evil)." in html
    fields = {"add": EVIL, "version": chainmail.version.pk}
    assert f'name="add" value="{EVIL}"' in html
    assert chainmail.client.post(f"{chainmail.url}act/", fields).status_code == 302
    assert chainmail.document["units"][-1]["unit"] == EVIL


KILN = "practice/walking-kiln"


def test_a_rule_that_gets_worse_has_its_own_sentence(chainmail: Builder) -> None:
    for ref in (LADY, KILN, KILN, KILN):
        chainmail.act("add", ref=ref)
    assert entry(shelf_of(chainmail), KILN).says == (
        "The models need 8 command capacity; the commanders provide 5.",
    )


@pytest.mark.slow
def test_cards_without_a_group_stand_under_their_book_which_alone_is_no_filter(
    client: Client, db: None
) -> None:
    own = OwnBooks(client, name="Marsh & Moor")
    own.add(name="Orc Berserker", group="")
    own.add(name="Orc Chief", group="Leaders")
    builder = Builder(client, "chainmail-2002", limit=100, books=["practice", own.id])
    page = builder.client.get(builder.url, {"part": "shelf"}).text
    heads = re.findall(r'<h3>(.*?) <span class="muted">(\d+)</span></h3>', page)
    assert heads[-1] == ("Marsh &amp; Moor", "1")
    assert dict(heads)["Leaders"] == "8"
    html = builder.client.get(builder.url, {"group": "Marsh & Moor"}).text
    assert re.search(r"\s1 of \d+\s+shown", html)
    # A book alone has no filter by group.
    own = OwnBooks(client)
    own.add(group="")
    builder = Builder(client, "chainmail-2002", limit=100, books=[own.id])
    assert 'name="group"' not in builder.page


def found(builder: Builder, text: str) -> dict[str, str]:
    """What a search finds: by what, by the unit's name."""
    return {one.unit.name: one.found for one in entries(shelf_of(builder, q=text))}


@pytest.mark.slow
def test_units_are_found_by_a_statistic(elves: Builder, sbh: Builder, chainmail: Builder) -> None:
    strong = found(elves, "str 5")
    assert strong["Highborn Giant"] == "Str 5"
    assert "Citizen Spears" not in strong
    assert strong.keys() <= found(elves, "Strength 5+").keys() < found(elves, "Str 4+").keys()
    assert found(elves, "Str>4").keys() == found(elves, "Str ≥ 5").keys()
    # With other words; as a part of a rule's name; and nothing that only has its letters.
    assert found(elves, "fly Str 5").keys() < strong.keys()
    assert "Breath Attack" in " ".join(found(elves, "AP 1)").values())
    assert found(elves, "Str 99") == found(elves, "Res 99") == {}
    # A quality is rolled for: "3+" is 3, not "3 or more".
    assert found(sbh, "Q3+") == found(sbh, "q3")
    assert set(found(sbh, "Q3").values()) == {"Q 3+"}
    assert set(found(chainmail, "Armor 16").values()) == {"Arm 16"}


def test_units_are_found_by_an_item(elves: Builder) -> None:
    assert "Sliver of the Blazing Dawn" in found(elves, "sliver")["High Prince"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("game", "sort"),
    [("elves", "stat-str"), ("sbh", "stat-quality"), ("chainmail", "stat-speed")],
)
def test_the_shelf_is_sorted_by_each_statistic_the_best_first(
    game: str, sort: str, request: pytest.FixtureRequest
) -> None:
    builder = request.getfixturevalue(game)
    assert f'<option value="{sort}"' in builder.page
    shown = entries(shelf_of(builder, sort=sort))
    numbers = [re.search(r"\d+", one.facts) for one in shown if one.facts]
    values = [int(number[0]) for number in numbers if number]
    assert len(set(values)) > 1
    assert values == sorted(values, reverse=sort != "stat-quality")
    assert len(shown) == shelf_of(builder).total


def test_a_sort_by_what_is_no_statistic_is_the_order_of_the_book(elves: Builder) -> None:
    for sort in ("stat-", "stat-nonsense", "str"):
        assert shelf_of(elves, sort=sort).wanted.sort == "book"
