"""The history of a list in the browser: its versions, going back, comparing any two."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.pages.history import PER_PAGE, HistoryQuery
from tests.building.documents import value_of
from tests.conftest import Builder
from tests.markup import flat, found_in, lacking, refused
from tests.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

LADY, SPEAR = "practice/bannerlady-oresta", "practice/millbrook-spearhand"


@pytest.fixture
def short(chainmail: Builder) -> Builder:
    """Three versions: the start, a lady, a spearhand."""
    chainmail.act("add", ref=LADY)
    chainmail.act("add", ref=SPEAR)
    return chainmail


@pytest.fixture
def grown(short: Builder) -> Builder:
    """Four versions: four more of those."""
    short.act("models", unit="u2", models="5")
    return short


def list_id(builder: Builder) -> str:
    return str(builder.version.army_list_id)


def versions(builder: Builder) -> list[Version]:
    return list(builder.version.army_list.versions.order_by("number"))


def history(builder: Builder, **query: Any) -> str:
    return builder.client.get(f"{builder.url}history/", query).text


def go_to(builder: Builder, number: int, seen: int | None = None) -> Any:
    target = builder.version.army_list.versions.get(number=number)
    fields = {"version": seen or builder.version.pk, "target": target.pk}
    return builder.client.post(f"{builder.url}history/back/", fields)


def compare(client: Client, **points: Any) -> Any:
    return client.get("/lists/compare/", points)


def test_every_version_is_a_line_with_what_it_changed(grown: Builder) -> None:
    page = history(grown)
    assert re.findall(r'id="version-(\d+)"', page) == ["4", "3", "2", "1"]
    for act in ("Started the list.", "Added Bannerlady Oresta.", "5 × Millbrook Spearhand."):
        assert act in page
    assert "Millbrook Spearhand: 4 more (+" in page
    shown = page.partition("<main")[2].partition("</main>")[0]
    assert shown.count(">Current<") == shown.count('aria-current="true"') == 1
    assert page.count(">Go back<") == 3
    assert page.count("UTC</time>") == page.count('data-local="text"') >= 3
    # The builder links to the history and says what undo and redo do.
    assert f'href="{grown.url}history/"' in grown.page
    assert 'title="Undo: 5 × Millbrook Spearhand."' in grown.page
    assert 'title="Nothing to redo"' in grown.page
    answer = grown.act("undo", htmx=True).text
    assert 'title="Redo: 5 × Millbrook Spearhand."' in answer
    assert 'title="Undo: Added Millbrook Spearhand."' in answer


def test_going_back_is_a_new_version_that_can_be_undone(grown: Builder) -> None:
    before = [version.document.to_dict() for version in versions(grown)]
    assert go_to(grown, 2)["Location"].startswith(grown.url)
    assert grown.document == before[1]
    assert grown.version.act == "Back to: Added Bannerlady Oresta."
    assert [version.document.to_dict() for version in versions(grown)] == [*before, before[1]]
    assert "Back to: Added Bannerlady Oresta." in grown.page
    grown.act("undo")
    assert grown.document == before[3]
    grown.act("redo")
    assert grown.document == before[1]


def test_going_back_after_an_undo_loses_nothing(grown: Builder) -> None:
    before = [version.document.to_dict() for version in versions(grown)]
    grown.act("undo")
    go_to(grown, 1)
    stored = [version.document.to_dict() for version in versions(grown)]
    assert stored == [*before, before[2], before[0]]
    assert grown.document == before[0]
    grown.act("undo")
    assert grown.document == before[2]
    for document in (before[3], before[2], before[1], before[0]):
        grown.act("undo")
        assert grown.document == document


@pytest.mark.slow
def test_what_was_undone_can_be_gone_to_as_well(grown: Builder) -> None:
    last = grown.document
    grown.act("undo")
    grown.act("undo")
    page = history(grown)
    assert page.count("Undone</span>") == 2
    assert "2 changes undone" in page
    go_to(grown, 4)
    assert grown.document == last
    assert "changes undone" not in history(grown)
    # Going to what the list is already makes no version.
    grown.act("fewer", unit="u2")
    grown.act("more", unit="u2")
    count = Version.objects.count()
    assert go_to(grown, 4).status_code == 302
    assert Version.objects.count() == count
    assert "already matches that version" in grown.page


def test_going_back_twice_does_not_pile_up_words(grown: Builder) -> None:
    go_to(grown, 2)
    go_to(grown, 4)
    go_to(grown, 5)
    assert grown.version.act == "Back to: Added Bannerlady Oresta."


@pytest.mark.slow
def test_going_back_is_refused_from_old_pages_and_to_versions_gone(grown: Builder) -> None:
    other = Builder(grown.client, "sbh", limit=300, books=["profiles"])
    for target in ("0", "", "x", "9" * 18, "9" * 40, "-1", other.version.pk):
        fields = {"version": grown.version.pk, "target": target}
        answer = grown.client.post(f"{grown.url}history/back/", fields)
        assert answer.status_code == 422, target
        assert "is gone" in answer.text, target
    # Going back from a page that is out of date does nothing.
    seen = grown.version.pk
    grown.act("rename", name="Other")
    answer = go_to(grown, 1, seen)
    assert answer.status_code == 409
    assert "was changed after you opened" in answer.text
    assert grown.document["name"] == "Other"


def test_two_or_one_tick_are_compared_in_their_order_or_with_another(grown: Builder) -> None:
    points = [f"{list_id(grown)}@4", f"{list_id(grown)}@2"]
    page = compare(grown.client, a=points).text
    assert "New: 5 × Millbrook Spearhand (" in page
    page = compare(grown.client, a=points[0], b=points[1]).text
    assert "Removed: 5 × Millbrook Spearhand (" in page
    assert "No differences." in compare(grown.client, a=points[1], b=points[1]).text
    answer = compare(grown.client, a=[*points, f"{list_id(grown)}@3"])
    assert "Select exactly two" in refused(answer)
    # One tick is compared with the list now or with a number.
    first = f"{list_id(grown)}@1"
    assert "New: 5 × Millbrook" in compare(grown.client, a=first).text
    page = compare(grown.client, a=first, to="3").text
    assert "New: Millbrook Spearhand (" in page
    for wrong in ("x", "@1", "{id}@", "{id}@x", "{id}@99", "{id}@" + "9" * 30, "-" * 36, "{id}\0"):
        point = wrong.format(id=list_id(grown))
        assert compare(grown.client, a=point).status_code == 404, wrong


def test_lists_of_any_game_are_compared_and_offered_by_game_and_name(grown: Builder) -> None:
    other = Builder(grown.client, "sbh", limit=300, books=["profiles"])
    page = compare(grown.client, a=list_id(grown), b=list_id(other)).text
    assert "Only in Test list (1): Bannerlady Oresta (" in page
    assert lacking(page, "Song of Blades and Heroes vs Chainmail", "In full") == []
    offered = compare(grown.client).text
    assert offered.count(f'<option value="{list_id(other)}"') == 2
    # Lists to compare are offered by game and name.
    for name in ("Zeal", "ash"):
        other = Builder(grown.client, "sbh", limit=300, books=["profiles"])
        other.act("rename", name=name)
    one, two = compare(grown.client).context["choices"]
    games = [(game, [name for _, name in lists]) for game, lists in one[0].items()]
    assert games == sorted(games)
    assert games[-1] == ("Song of Blades and Heroes", ["ash", "Test list", "Zeal"])
    assert one[1] == list_id(other) != two[1]


def test_nobody_compares_or_reads_the_list_of_another_or_a_deleted_one(grown: Builder) -> None:
    stranger = Builder(Client(), "sbh", limit=300, books=["profiles"])
    mine = list_id(stranger)
    for client in (stranger.client, Client()):
        for point in (list_id(grown), f"{list_id(grown)}@2"):
            assert compare(client, a=point).status_code == 404
            assert compare(client, a=mine, b=point).status_code == 404
        assert client.get(f"{grown.url}history/2/").status_code == 404
        assert "Test list" not in compare(Client()).text
    # Deleted lists have no history to see.
    grown.client.post(f"{grown.url}delete/")
    for address in (f"{grown.url}history/", f"{grown.url}history/2/"):
        assert grown.client.get(address).status_code == 404
    assert compare(grown.client, a=f"{list_id(grown)}@2").status_code == 404


def add_versions(builder: Builder, wanted: int) -> None:
    """Versions by which one model more or less goes and comes."""
    version = builder.version
    army_list = version.army_list
    for number in range(version.number + 1, wanted + 1):
        entry = {"id": "u1", "unit": SPEAR, "models": 1 + number % 7}
        document = {**version.document.to_dict(), "units": [entry]}
        Version.objects.create(
            army_list=army_list, number=number, document=value_of(document), act="Act."
        )
    army_list.number = army_list.latest = wanted
    army_list.save()


def test_a_long_history_comes_in_pages(chainmail: Builder) -> None:
    add_versions(chainmail, 2 * PER_PAGE + 1)
    shown = [re.findall(r'id="version-(\d+)"', history(chainmail, page=page)) for page in (1, 2, 3)]
    numbers = [int(number) for page in shown for number in page]
    assert numbers == list(range(2 * PER_PAGE + 1, 0, -1))
    assert "Page 3 of 3" in history(chainmail, page="999")
    assert "Page 1 of 3" in history(chainmail, page="x")
    last_of_first = history(chainmail).split(f'id="version-{PER_PAGE + 2}"')[1]
    assert "Millbrook Spearhand" in last_of_first


@pytest.mark.one_in(3)
@pytest.mark.parametrize("wanted", [3, 20, 90])
def test_pages_of_the_history_cost_the_same_few_queries(chainmail: Builder, wanted: int) -> None:
    add_versions(chainmail, wanted)
    addresses = {
        f"{chainmail.url}history/": 3,
        f"{chainmail.url}history/2/": 3,
        f"/lists/compare/?a={list_id(chainmail)}@2&b={list_id(chainmail)}@3": 5,
    }
    for address, most in addresses.items():
        chainmail.client.get(address)
        queries = queries_of(chainmail.client.get, address)
        assert len(queries) == most


def test_books_kept_no_more_are_looked_for_once_a_page(chainmail: Builder) -> None:
    lost = {"id": "own-0123456789abcdef", "revision": "0" * 16}
    chainmail.store(books=[*chainmail.document["books"], lost])
    add_versions(chainmail, 20)
    history(chainmail)
    queries = queries_of(history, chainmail)
    assert len(queries) == 4


def test_going_back_costs_few_queries_however_long_the_history(chainmail: Builder) -> None:
    for wanted in (3, 90):
        add_versions(chainmail, wanted)
        queries = queries_of(go_to, chainmail, 1, chainmail.version.pk)
        assert len(queries) <= 15, wanted


def test_undo_and_redo_cost_at_most_eight_queries(grown: Builder) -> None:
    for act in ("undo", "undo", "redo"):
        queries = queries_of(grown.act, act, htmx=True, version=grown.version.pk)
        assert len(queries) <= 8


def test_versions_of_a_game_that_is_gone_are_listed_all_the_same(grown: Builder) -> None:
    old = grown.version.army_list.versions.get(number=2)
    old.document = {**old.document.to_dict(), "system": "no-such-game"}
    old.save()
    page = history(grown)
    assert lacking(page, "This version can no longer be checked", "Added Bannerlady Oresta.") == []
    assert grown.client.get(f"{grown.url}history/2/").status_code == 422
    assert compare(grown.client, a=f"{list_id(grown)}@2").status_code == 422


def test_a_version_can_be_read_as_it_was_and_nothing_of_it_is_markup(grown: Builder) -> None:
    # A version can be read as it was.
    page = flat(grown.client.get(f"{grown.url}history/2/").text)
    assert "Version 2: Added Bannerlady Oresta." in page
    assert '<th scope="row" dir="auto">Bannerlady Oresta' in page
    assert "Millbrook" not in page
    assert lacking(page, "of 100 points", "to do", "Go back to this") == []
    now = grown.client.get(f"{grown.url}history/4/").text
    assert "Current" in now
    assert "Go back to this" not in now
    for number in ("0", "5", "99999999999999999999999"):
        assert grown.client.get(f"{grown.url}history/{number}/").status_code == 404, number
    for address in (reverse("history", args=[list_id(grown)]), f"{grown.url}history/2/"):
        page = grown.client.get(address).text
        assert found_in(page, "style=", "<script>") == []
    # What players wrote is not read as markup.
    grown.act("rename", name="<b>Bold</b>")
    grown.act("describe", unit="u1", name="<i>It</i>", notes="<u>Un</u>")
    addresses = (
        f"{grown.url}history/",
        f"{grown.url}history/6/",
        f"/lists/compare/?a={list_id(grown)}@1",
    )
    for address in addresses:
        page = grown.client.get(address).text
        assert not re.search(r"<[biu]>", page)
        assert "&lt;i&gt;It" in page


CLUB = "Ready for club night"


def label(builder: Builder, number: int, text: str = CLUB, **more: Any) -> Any:
    target = builder.version.army_list.versions.get(number=number).pk
    fields = {"target": target, "label": text, **more}
    return builder.client.post(f"{builder.url}history/label/", fields)


def labelled(builder: Builder) -> dict[int, str]:
    return dict(services.labelled(builder.version.army_list_id))


@pytest.mark.slow
def test_a_label_shows_everywhere_and_is_no_change_of_the_list(short: Builder) -> None:
    # Nobody labels a version of another through a list of their own.
    stranger = Builder(Client(), "sbh", limit=300, books=["profiles"])
    fields = {"target": short.version.pk, "label": "Mine"}
    assert stranger.client.post(f"{stranger.url}history/label/", fields).status_code == 422
    assert labelled(short) == {}
    # A label shows in history version comparison and palette.
    answer = label(short, 2, next="q=lady&page=1")
    assert answer["Location"] == f"{short.url}history/?q=lady&page=1#version-2"
    page = history(short)
    assert page.count(CLUB) == 3  # what was done, the label, and its field
    assert f'value="{CLUB}"' in short.client.get(f"{short.url}history/2/").text
    point = f"{short.url.split('/')[2]}@2"
    assert CLUB in short.client.get("/lists/compare/", {"a": point}).text
    commands = short.client.get(f"{short.url}commands/").json()["commands"]
    (found,) = [one for one in commands if CLUB in one["words"]]
    assert found["url"] == f"{short.url}history/2/"
    # A label is changed and taken away and is no change of the list.
    before = short.version.army_list.updated
    label(short, 2, "  One   thing ")
    assert labelled(short) == {2: "One thing"}
    answer = label(short, 2, "Another", alone="1")
    assert answer["Location"] == f"{short.url}history/2/"
    label(short, 3)
    label(short, 2, " ")
    assert labelled(short) == {3: CLUB}
    assert (short.version.number, short.version.army_list.updated) == (3, before)


def test_what_cannot_be_a_label_is_refused(short: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"text": "x" * 61}, {"target": "0"}, {"target": "x"}):
        assert label(short, 1, **wrong).status_code == 422, wrong
    monkeypatch.setattr(services, "MOST_LABELS", 1)
    label(short, 1)
    assert label(short, 2).status_code == 422
    assert label(short, 1, "Again").status_code == 302


def test_versions_are_found_by_label_and_act_and_told_against_the_version_before(
    short: Builder,
) -> None:
    label(short, 2)
    queries: list[tuple[dict[str, str], list[int]]] = [
        ({"q": "CLUB"}, [2]),
        ({"q": "added"}, [3, 2]),
        ({"q": "night added"}, [2]),
        ({"labelled": "1"}, [2]),
        ({"q": "spear", "labelled": "1"}, []),
    ]
    for query, numbers in queries:
        page = history(short, **query)
        assert [n for n in (3, 2, 1) if f'id="version-{n}"' in page] == numbers, query
        assert ("No version matches." in page) is (not numbers)
        if 2 in numbers:
            assert "Bannerlady Oresta" in page.split('id="version-2"')[1]
    label(short, 3)
    shown = history(short, labelled="1").split('id="version-3"')[1]
    told = shown.partition('title="')[2].partition('"')[0]
    assert "Millbrook Spearhand" in told


def test_searching_costs_the_same_few_queries_and_has_pages(chainmail: Builder) -> None:
    add_versions(chainmail, 2 * PER_PAGE)
    page = history(chainmail, q="act")
    assert "?q=act&amp;page=2" in page
    queries = queries_of(history, chainmail, q="act", page="2")
    assert len(queries) == 4


def test_a_search_looks_at_all_words_whatever_their_letters() -> None:
    assert HistoryQuery("NÄCHSTER clUb").fits("Added.", "Vor dem nächsten: nächster Club")
    assert not HistoryQuery("club orc").fits("Added an elf.", "Club")
    assert not HistoryQuery(labelled=True).fits("Added an elf.", "")


def test_what_was_undone_stays_where_it_is_labelled(short: Builder) -> None:
    last = short.document
    label(short, 3)
    short.act("undo")
    before = short.document
    short.act("rename", name="Other")
    stored = list(short.version.army_list.versions.order_by("number"))[2:]
    documents = [version.document.to_dict() for version in stored]
    assert documents == [last, before, {**before, "name": "Other"}]
    assert labelled(short) == {3: CLUB}
    short.act("undo")
    assert short.document == before
    short.act("undo")
    assert short.document == last


def test_what_was_undone_without_a_label_goes_as_before(short: Builder) -> None:
    label(short, 1)
    short.act("undo")
    short.act("rename", name="Other")
    assert short.version.army_list.latest == 3
    assert short.version.army_list.versions.count() == 3
