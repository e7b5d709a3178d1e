"""Lists of an event: built for it, of a size of their own, in its files, open to opponents."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader
from pytest_django import DjangoCaptureOnCommitCallbacks

from armybuilder.authoring.packs import basics_of, with_basics
from armybuilder.events import deciding, entering, exporting, leaving, organising
from armybuilder.events.models import Decision, Entry, Event, EventList, Submission
from armybuilder.exchange.files import clear_list
from armybuilder.lists.models import ArmyList, KeptPack
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts.forms import TextForm
from tests.building.documents import value_of
from tests.conftest import Builder
from tests.events.builders import NOW, TIMES, entered, legal_list, open_event, owner_of, submitted
from tests.markup import lacking
from tests.pages.events.people import People, folded, marked
from tests.pages.events.people import text_of as text_form
from tests.pdfs import pages_of, text_of
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import example
from tests.sheets.test_tagged import assert_well_structured

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def start(client: Client, query: dict[str, str], game: str = "sbh", **fields: Any) -> str:
    """The address of a new list, of Song of Blades where nothing else is said."""
    made = client.post(f"/new/{game}/", {"limit": 300, "books": ["profiles"], **query, **fields})
    assert made.status_code == 302, made.text
    return str(made["Location"])


def test_the_builder_follows_the_rules_of_the_event(client: Client) -> None:
    # A list that is started for an event is told by its rules.
    people = People()
    query = {"event": str(people.event.pk)}
    page = client.get("/new/sbh/", query).text
    assert lacking(page, "For Raven Cup", 'value="300"') == []
    place = start(client, query, limit=200)
    shown = client.get(f"{place}?view=errors").text
    assert lacking(shown, "Built for Raven Cup", "300-point warbands") == []
    assert "300-point warbands" not in client.get(f"{place}sheet/").text
    # What is offered obeys the event.
    said = []
    for query in ({"pack": "cellar-night"}, {}):
        builder = Builder(client, "chainmail-2002", limit=70, books=["practice"], **query)
        for _time in range(3):
            builder.act("add", ref="practice/millbrook-spearhand")
        page = client.get(f"{builder.url}?view=units").text
        before = page[: page.index('value="practice/millbrook-spearhand"')]
        said.append(before.rpartition('<li class="')[2].partition('"')[0])
    assert said == ["entry breaks", "entry fits"]


@pytest.mark.slow
def test_a_list_is_built_for_an_event_of_its_game_and_for_none_again(client: Client) -> None:
    place = start(client, {})
    assert "Build for this event" in client.get(f"{place}event/?pack=raven-cup").text
    client.post(f"{place}event/build/", {"pack": "raven-cup"})
    assert ArmyList.objects.get().pack is not None
    assert "Build by the game rules alone" in client.get(f"{place}event/").text
    client.post(f"{place}event/build/", {"pack": ""})
    assert ArmyList.objects.get().pack is None
    assert "Built for" not in client.get(f"{place}?view=errors").text
    assert KeptPack.objects.count() == 1
    # A pack of another game and one that is not here are refused.
    answer = client.post(f"{place}event/build/", {"pack": "lantern-cup"})
    assert answer.status_code == 422
    assert client.post(f"{place}event/build/", {"pack": "nobody"}).status_code == 404
    assert client.get("/new/sbh/", {"pack": "lantern-cup"}).status_code == 404
    assert client.get("/new/sbh/", {"event": "x"}).status_code == 404
    assert Client().post(f"{place}event/build/", {"pack": "raven-cup"}).status_code == 404


@pytest.mark.slow
def test_a_list_goes_on_as_the_pack_was_when_it_was_started(client: Client) -> None:
    people = People()
    place = start(client, {"event": str(people.event.pk)}, limit=200)
    pack = json.loads(json.dumps(people.event.packs.get().data))
    next(one for one in pack["rules"] if one["kind"] == "game-size")["sizes"] = [200]
    people.post(people.owner, "pack/", text=json.dumps(pack), go="use")
    assert "300-point warbands" in client.get(f"{place}?view=errors").text
    people.event.delete()
    assert client.get(place).status_code == 200


def test_a_copy_is_for_the_same_event(client: Client) -> None:
    place = start(client, {"pack": "raven-cup"})
    client.post(f"{place}copy/")
    packs = ArmyList.objects.values_list("pack", flat=True)
    assert len(set(packs)) == 1
    assert None not in packs
    # A random list for it is legal there.
    fields = {"limit": 300, "books": ["profiles"], "pack": "raven-cup"}
    made = client.post("/new/sbh/random/", fields)
    assert made.status_code == 302
    judged = client.get(f"{made['Location']}event/").text
    assert "legal at this event" in judged
    assert "not legal at this event" not in judged


def current() -> People:
    """An event whose times are those of today: the builder has no other clock."""
    people = People()
    now = timezone.now()
    days = zip(
        ("frozen_at", "due_at", "corrected_at", "revealed_at", "over_at"), range(3, 8), strict=True
    )
    times = {name: now + timedelta(days=day, minutes=30) for name, day in days}
    Event.objects.filter(pk=people.event.pk).update(**times)
    people.now = now
    return people


@pytest.mark.slow
def test_a_list_leads_to_the_event_that_it_is_built_for(client: Client) -> None:
    people = current()
    place = start(client, {"event": str(people.event.pk)}, books=["profiles"])
    list_id = place.strip("/").split("/")[-1]
    bar = folded(client.get(place))
    assert lacking(bar, "Register · due in 4 d 0 h", f"{people.url}#mine") == []
    assert lacking(client.get("/events/").text, "Raven Cup") == []
    assert "Raven Cup" in client.get("/lists/").text
    welcome = client.post(f"{people.url}enter/", {"name": "Anne"})
    page = folded(client.get(welcome["Location"]))
    secret = people.event.entries.get().secret
    assert f'readonly value="http://testserver{people.url}mine/{secret}/"' in page
    assert "Keep this private link" not in folded(client.get(people.url)), "once"
    bar = folded(client.get(place))
    assert lacking(bar, "Submit · due in 4 d 0 h", f"submit/?list={list_id}") == []
    offered = client.get(f"{people.url}submit/?list={list_id}").text
    assert re.search(f'value="{list_id}"\\s+checked', offered)
    client.post(f"{place}copy/")
    assert EventList.objects.count() == 2
    # Whoever builds by the game alone again has left the road.
    client.post(f"{place}event/build/", {"pack": ""})
    assert "due in" not in client.get(place).text
    # A draft is its staff's alone.
    Event.objects.update(standing="draft")
    Entry.objects.all().delete()
    assert "Raven Cup" not in client.get("/lists/").text
    assert "Raven Cup" not in client.get("/events/").text


@pytest.mark.slow
def test_what_was_submitted_as_a_text_is_opened_corrected_and_printed() -> None:
    people = current()
    anne = people.player("Anne")
    text = text_form(replace(legal_list("Ravens"), limit=400))
    assert people.post(anne, "submit/", text=text).status_code == 302
    people.post(people.owner, "entries/1/decide/", what="returned", seen="1", to_player="Too many.")
    assert "Correct this list" in folded(people.get(anne))
    opened = people.post(anne, "entries/1/1/open/")
    assert opened["Location"].endswith("?view=errors")
    builder = folded(anne.get(opened["Location"]))
    assert lacking(builder, "Submit corrected · due in 5 d 0 h", "Built for Raven Cup") == []
    again = people.post(anne, "entries/1/1/open/", print="1")
    list_id = opened["Location"].split("/")[-2]
    assert again["Location"] == f"/lists/{list_id}/print/", "the same list, not another"
    for other in (Client(), people.player("Ben"), people.owner):
        assert people.post(other, "entries/1/1/open/").status_code == 404
    # The new list counts once it is submitted, and the way says so.
    people.post(anne, "submit/", list=list_id)
    assert people.event.entries.get(number=1).submission.number == 2
    assert "Submit again" in anne.get(f"/lists/{list_id}/").text
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="2", sure="1")
    past = dict.fromkeys(("frozen_at", "due_at"), people.now - timedelta(days=1))
    Event.objects.update(**past, late_allowed=True)
    assert "Accepted" in folded(anne.get(f"/lists/{list_id}/"))
    refused = people.post(anne, "submit/", list=list_id)
    assert "locked since the deadline" in folded(refused)


LEAGUE = "three-winters-league"


@pytest.mark.slow
def test_one_list_is_legal_only_at_the_part_or_pack_of_its_size() -> None:
    event = open_event(LEAGUE)
    entered(event)
    found = [submitted(event, one) for one in event.entries.order_by("number")]
    assert [one.legal for one in found] == [False, True, False]
    assert [one.needs for one in found] == [["errors"], [], ["errors"]]
    said = found[2].event_report["findings"][0]["sentence"]
    assert said.startswith("The list is for 300 points. Needed: 400.")
    # Another pack judges each list by its own size.
    event = open_event()
    first = entered(event)
    submitted(event, first)
    league, library = shipped_library().packs[LEAGUE], shipped_library()
    organising.use_pack(event.pk, league, "", owner_of(event), NOW, library)
    assert not Submission.objects.get(entry=first).legal
    # Entries made before are counted by their numbers.
    event = open_event(LEAGUE)
    entered(event)
    entered(event, "Ben")
    Entry.objects.update(part=1)
    import_module("armybuilder.events.migrations.0004_which_list").count_parts(apps, None)
    assert list(event.entries.order_by("number").values_list("part", flat=True)) == [1, 2, 3] * 2


@pytest.mark.slow
def test_lists_of_several_sizes_are_checked_by_their_size(client: Client) -> None:
    # Pages say for which size each list is.
    people, anne = People.and_anne(pack=LEAGUE)
    mine = people.get(anne).text
    for number, size in enumerate((200, 300, 400), 1):
        assert f"for {size} points" in mine
        form = anne.get(f"/new/sbh/?event={people.event.pk}&list={number}").text
        assert lacking(form, f"For Three Winters League ({number})", f'value="{size}"') == []
    people.submit(anne)
    assert "not legal at this event" in people.get(anne).text
    assert "for 200 points" in people.get(people.owner, "desk/").text
    assert "for 200 points" in people.get(people.owner, "entries/1/").text
    # A list is built and judged as that of its size.
    fields = {"limit": 300, "books": ["profiles"], "pack": LEAGUE}
    place = client.post("/new/sbh/", fields)["Location"]
    assert "Built for Three Winters League (2)" in client.get(f"{place}?view=errors").text
    judged = client.get(f"{place}event/?pack={LEAGUE}").text
    assert "Three Winters League (2)" in judged
    document = replace(legal_list(), limit=400).to_dict()
    told = client.post(f"/api/v1/validate/?pack={LEAGUE}", document, "application/json").json()
    assert told["event"]["pack"]["name"] == "Three Winters League (3)"
    # The form of a pack says that lists have sizes of their own.
    league = shipped_library().packs[LEAGUE].data
    basics = basics_of(league)
    assert basics.in_order
    changed = with_basics(league, replace(basics, sizes=(200, 300, 500)), {})
    assert changed["entry"] == {"lists": 3, "sizes": [200, 300, 500]}
    alike = with_basics(league, replace(basics, in_order=False), {})
    assert alike["entry"] == {"lists": 3}


def table_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def two_lists() -> People:
    """One list that is legal in the game and not at the event, late and with a penalty; and one
    that is legal and accepted.
    """
    people, _anne = People.and_her_list(late_allowed=True, ladder={"Late list": -3})
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="1")
    elif_ = people.player("Elif")
    late = TIMES.due + (TIMES.corrected - TIMES.due) / 2
    assert people.submit(elif_, replace(legal_list(), limit=400), now=late).status_code == 302
    key = "6f1d1f0e-5c0f-4a8e-9c55-0f4f3f1c6a11"
    people.post(people.owner, "entries/2/points/", late, reason="Late list", key=key)
    return people


@pytest.mark.slow
def test_the_files_of_lists_tell_both_verdicts_and_what_became_of_each() -> None:
    people = two_lists()
    told = people.get(people.owner, "lists/csv/", TIMES.revealed).content
    anne, elif_ = table_of(told)
    wanted = ("legal", "legal_in_game", "state", "late", "extra_points")
    assert [anne[one] for one in wanted] == ["yes", "yes", "accepted", "no", "0"]
    assert [elif_[one] for one in wanted] == ["no", "yes", "entered", "yes", "-3"]
    assert "Legal · not legal at this event: 1 error · To check · late." in elif_["list"]
    archive = zipfile.ZipFile(
        io.BytesIO(people.get(people.owner, "lists/zip/", TIMES.revealed).content)
    )
    assert archive.read("lists.csv") == told
    assert "not legal at this event" in archive.read("0002-Elif.txt").decode()
    (_anne, entry) = people.get(people.owner, "lists/json/", TIMES.revealed).json()["entries"]
    assert [entry[one] for one in wanted] == [False, True, "entered", True, -3]
    # The booklet says what the event makes of each list.
    booklet = people.get(people.owner, "lists/booklet.pdf", TIMES.revealed)
    said = " ".join(text_of(booklet.content).split())
    assert "Not legal at this event: 1 error · To check · late" in said
    assert "Legal at this event · Accepted" in said
    # Its contents say on which page a list begins, and lead there; its pages say their numbers.
    read = PdfReader(io.BytesIO(booklet.content))
    links = [one.get_object() for one in read.pages[0]["/Annots"]]
    dests = [read.root_object["/Dests"][link["/Dest"]][0] for link in links]
    assert [read.get_page_number(page.get_object()) for page in dests] == [1, 2]
    assert [link["/Contents"] for link in links] == ["1 Anne", "2 Elif"]
    contents, anne, elif_ = pages_of(booklet.content)
    for row in ("Contents 1 Anne", " 2 2 Elif", "page 1 of 1 1"):
        assert row in contents
    assert "page 1 of 1 2" in anne
    assert "page 1 of 1 3" in elif_
    assert [mark.title for mark in read.outline if not isinstance(mark, list)] == [
        *("Contents", "1 Anne", "2 Elif"),
    ]
    assert_well_structured(booklet.content)
    assert broken_rules(booklet.content) == []
    # A text with both verdicts is read back.
    row = table_of(people.get(people.owner, "lists/csv/", TIMES.revealed).content)[1]
    found = clear_list(row["list"], shipped_library(), "sbh")
    kept: Any = Submission.objects.latest("pk").document
    assert [one.ref for one in found.units] == [one.ref for one in kept.units]


PAGES = ("lists/", "entries/1/1/")


def test_open_lists_do_not_tell_what_hidden_items_cost() -> None:
    document = value_of(example("t9a-2023/the-long-table"))
    material = Material(document, shipped_library(), NOW.date())
    spent, openly = material.sheet.spent, material.open_sheet.spent
    assert openly < spent
    people, _anne = People.and_her_list(document, pack="four-banners", audience="public")
    for page in PAGES:
        told = folded(people.get(Client(), page, TIMES.revealed))
        assert "within 4500 points" in told, page
        assert not re.search(rf"\b{spent}\b", told), page
        assert f"{spent} of 4500" in folded(people.get(people.owner, page))
    for form in ("json", "csv"):
        told = people.get(Client(), f"lists/{form}/", TIMES.revealed).text
        assert not re.search(rf"\b{spent}\b", told), form
    # Games that hide nothing tell what their lists spend.
    people, _anne = People.and_her_list(audience="public")
    for page in PAGES:
        told = people.get(Client(), page, TIMES.revealed).text
        assert re.search(r"\d+\s+of 300 points", told), page


def _everything(people: People, who: Client, moment: Any) -> list[Any]:
    """The files of all lists as somebody gets them."""
    pages = [
        people.get(who, f"lists/{form}/", moment) for form in ("json", "players", "csv", "zip")
    ]
    return [(page.status_code, page.content) for page in pages]


@pytest.mark.slow
def test_lists_that_are_shown_are_drawn_once_and_anew_when_something_changes(
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(exporting, "FEW", 1)
    people = People(audience="public")
    players = [people.player(name) for name in ("Anne", "Ben", "Cleo")]
    for who, word in zip(players, ("Zilpzalpa", "Wendehalsi", "Pirolina"), strict=True):
        people.submit(who, marked(word))
    drawn: list[str] = []
    draw = TextForm.draw

    def counting(form: TextForm, sheet: Sheet, *more: Any) -> str:
        drawn.append(sheet.title)
        return draw(form, sheet, *more)

    monkeypatch.setattr(TextForm, "draw", counting)
    readers = [Client(), *players, people.owner]
    before = [_everything(people, who, TIMES.revealed) for who in readers]
    # Each as an open list, each own one, and all of them for the staff.
    assert len(drawn) == 3 + 4 * 3 + 3
    assert len({files[0] for files in map(tuple, before)}) == 5, "each sees the own list in full"
    drawn.clear()
    again = [_everything(people, who, TIMES.revealed) for who in readers]
    assert again == before
    assert len(drawn) == 4 * 3, "the own list alone"
    # Without anything kept they say the same.
    monkeypatch.setattr(exporting, "FEW", 99)
    assert [_everything(people, who, TIMES.revealed) for who in readers] == before
    monkeypatch.setattr(exporting, "FEW", 1)
    entering.withdraw(people.event.pk, 1, "player", TIMES.revealed)
    deciding.decide(
        people.event.pk, 2, 1, Decision.What.ACCEPTED, owner_of(people.event), TIMES.revealed
    )
    for who in readers[2:]:
        for _status, content in _everything(people, who, TIMES.revealed)[:3]:
            assert b"Zilpzalpa" not in content
    assert b"accepted" in _everything(people, Client(), TIMES.revealed)[0][1]
    kept = set((tmp_path / "drawn").iterdir())
    assert len(kept) == 2
    assert not any(b"Zilpzalpa" in file.read_bytes() for file in kept)
    for file in kept:  # of an event that is gone
        file.with_name(file.name.replace(f"{people.event.pk}", f"{uuid4()}")).write_text("{}")
    exporting.remove_drawn(timezone.now() + timedelta(days=29))
    assert set((tmp_path / "drawn").iterdir()) == kept
    exporting.remove_drawn(timezone.now() + timedelta(days=31))
    assert list((tmp_path / "drawn").iterdir()) == []
    _everything(people, people.owner, TIMES.revealed)
    assert len(list((tmp_path / "drawn").iterdir())) == 1
    with django_capture_on_commit_callbacks(execute=True):  # whose player leaves
        leaving.forget_holder(people.event.entries.get(name="Cleo").holder, TIMES.revealed)
    assert list((tmp_path / "drawn").iterdir()) == []
