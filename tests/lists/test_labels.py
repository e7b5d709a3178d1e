"""Labels of versions: found again on the history page and by the palette, and kept for good."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.lists import services
from armybuilder.pages.history import PER_PAGE, HistoryQuery
from tests.conftest import Builder
from tests.pages.history.test_history import LADY, SPEAR, add_versions, history

pytestmark = pytest.mark.django_db

CLUB = "Ready for club night"


@pytest.fixture
def grown(chainmail: Builder) -> Builder:
    chainmail.act("add", ref=LADY)
    chainmail.act("add", ref=SPEAR)
    return chainmail


def label(builder: Builder, number: int, text: str = CLUB, **more: Any) -> Any:
    target = builder.version.army_list.versions.get(number=number).pk
    fields = {"target": target, "label": text, **more}
    return builder.client.post(f"{builder.url}history/label/", fields)


def labelled(builder: Builder) -> dict[int, str]:
    return dict(services.labelled(builder.version.army_list_id))


def test_a_label_shows_in_history_version_comparison_and_palette(grown: Builder) -> None:
    answer = label(grown, 2, next="q=lady&page=1")
    assert answer["Location"] == f"{grown.url}history/?q=lady&page=1#version-2"
    page = history(grown)
    assert page.count(CLUB) == 3  # what was done, the label, and its field
    assert f'value="{CLUB}"' in grown.client.get(f"{grown.url}history/2/").content.decode()
    point = f"{grown.url.split('/')[2]}@2"
    assert CLUB in grown.client.get("/lists/compare/", {"a": point}).content.decode()
    commands = grown.client.get(f"{grown.url}commands/").json()["commands"]
    (found,) = [one for one in commands if CLUB in one["words"]]
    assert found["url"] == f"{grown.url}history/2/"


def test_a_label_is_changed_and_taken_away_and_is_no_change_of_the_list(grown: Builder) -> None:
    before = grown.version.army_list.updated
    label(grown, 2, "  One   thing ")
    assert labelled(grown) == {2: "One thing"}
    answer = label(grown, 2, "Another", alone="1")
    assert answer["Location"] == f"{grown.url}history/2/"
    label(grown, 3)
    label(grown, 2, " ")
    assert labelled(grown) == {3: CLUB}
    assert (grown.version.number, grown.version.army_list.updated) == (3, before)


def test_what_cannot_be_a_label_is_refused(grown: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"text": "x" * 61}, {"target": "0"}, {"target": "x"}):
        assert label(grown, 1, **wrong).status_code == 422, wrong
    monkeypatch.setattr(services, "MOST_LABELS", 1)
    label(grown, 1)
    assert label(grown, 2).status_code == 422
    assert label(grown, 1, "Again").status_code == 302


def test_nobody_labels_the_list_of_another(grown: Builder) -> None:
    target = grown.version.pk
    stranger = Builder(Client(), "sbh", limit=300, books=["profiles"])
    fields = {"target": target, "label": "Mine"}
    assert stranger.client.post(f"{grown.url}history/label/", fields).status_code == 404
    # Nor through a list of one's own.
    assert stranger.client.post(f"{stranger.url}history/label/", fields).status_code == 422
    assert labelled(grown) == {}


def test_versions_are_found_by_label_and_act_and_told_against_the_version_before(
    grown: Builder,
) -> None:
    label(grown, 2)
    queries: list[tuple[dict[str, str], list[int]]] = [
        ({"q": "CLUB"}, [2]),
        ({"q": "added"}, [3, 2]),
        ({"q": "night added"}, [2]),
        ({"labelled": "1"}, [2]),
        ({"q": "spear", "labelled": "1"}, []),
    ]
    for query, numbers in queries:
        page = history(grown, **query)
        assert [n for n in (3, 2, 1) if f'id="version-{n}"' in page] == numbers, query
        assert ("No version matches." in page) is (not numbers)
        if 2 in numbers:
            assert "Bannerlady Oresta" in page.split('id="version-2"')[1]
    label(grown, 3)
    shown = history(grown, labelled="1").split('id="version-3"')[1]
    told = shown.partition('title="')[2].partition('"')[0]
    assert "Millbrook Spearhand" in told


def test_searching_costs_the_same_few_queries_and_has_pages(chainmail: Builder) -> None:
    add_versions(chainmail, 2 * PER_PAGE)
    page = history(chainmail, q="act")
    assert "?q=act&amp;page=2" in page
    with CaptureQueriesContext(connection) as queries:
        history(chainmail, q="act", page="2")
    assert len(queries) == 4, [query["sql"] for query in queries]


def test_a_search_looks_at_all_words_whatever_their_letters() -> None:
    assert HistoryQuery("NÄCHSTER clUb").fits("Added.", "Vor dem nächsten: nächster Club")
    assert not HistoryQuery("club orc").fits("Added an elf.", "Club")
    assert not HistoryQuery(labelled=True).fits("Added an elf.", "")


def test_what_was_undone_stays_where_it_is_labelled(grown: Builder) -> None:
    last = grown.document
    label(grown, 3)
    grown.act("undo")
    before = grown.document
    grown.act("rename", name="Other")
    stored = list(grown.version.army_list.versions.order_by("number"))[2:]
    documents = [version.document.to_dict() for version in stored]
    assert documents == [last, before, {**before, "name": "Other"}]
    assert labelled(grown) == {3: CLUB}
    grown.act("undo")
    assert grown.document == before
    grown.act("undo")
    assert grown.document == last


def test_what_was_undone_without_a_label_goes_as_before(grown: Builder) -> None:
    label(grown, 1)
    grown.act("undo")
    grown.act("rename", name="Other")
    assert grown.version.army_list.latest == 3
    assert grown.version.army_list.versions.count() == 3
