"""All my data: saved as one file and brought in again, and nothing is lost or overwritten."""

import json
import struct
import tracemalloc
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.books.models import Kept, OwnBook
from armybuilder.collection.models import OwnedUnit
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import check_document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.models import OwnPack
from armybuilder.playing.models import Match
from armybuilder.printing.models import PrintSetup
from armybuilder.sharing.models import Share
from armybuilder.sharing.shared_lists import share_list
from armybuilder.takeout import importing, reading
from armybuilder.takeout.exporting import everything_of
from armybuilder.takeout.importing import Checker, Renames, is_here
from tests.building.documents import army, skirmish, value_of
from tests.building.zips import packed
from tests.conftest import Builder
from tests.effort import tries
from tests.markup import found_in
from tests.takeout.everything import (
    Files,
    Rich,
    bring,
    brought,
    change_json,
    contents,
    everything,
    list_id,
    saved,
    unpacked,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def rich() -> Rich:
    return Rich()


def empty_the_place() -> None:
    for model in (ArmyList, OwnBook, OwnPack, Kept, Match, OwnedUnit, PrintSetup):
        model.objects.all().delete()


def list_files(files: Files) -> list[str]:
    return [name for name in files if name.startswith("lists/")]


def test_everything_is_in_the_file_and_comes_back_as_it_was_in_another_place(rich: Rich) -> None:
    before, kept, content = everything(rich.client), contents(), saved(rich.client)
    files = unpacked(content)
    manifest = json.loads(files["manifest.json"])
    assert manifest["format"] == "everything/1"
    assert manifest["numbers"]["lists"] == 5 == len(list_files(files))
    assert manifest["numbers"]["books"] == 2
    assert manifest["numbers"]["versions"] == Version.objects.count()
    assert manifest["numbers"]["contents"] == Kept.objects.count() == 4
    first, *versions = files[f"lists/{list_id(rich.worked_on)}.jsonl"].splitlines()
    assert json.loads(first)["current"] == 3
    assert [json.loads(line)["label"] for line in versions] == ["", "Before the club night", "", ""]
    page = rich.client.get("/account/data/")
    assert ("Event packs", "1") in page.context["numbers"]
    ids = set(ArmyList.objects.values_list("pk", flat=True))
    empty_the_place()
    other = Client()
    assert bring(other, content).status_code == 302
    assert brought(other)["refused"] == []
    assert everything(other) == before
    assert contents() == kept
    assert set(ArmyList.objects.values_list("pk", flat=True)) == ids
    for one in ArmyList.objects.filter(deleted__isnull=True):
        assert other.get(f"/lists/{one.pk}/").status_code == 200


def test_links_are_exported_without_their_secrets(rich: Rich) -> None:
    key = UUID(list_id(rich.worked_on))
    links = [
        share_list(rich.holder, key, shipped_library(), view="full", name="Ann", frozen=frozen)
        for frozen in (False, True)
    ]
    files = unpacked(saved(rich.client))
    told = json.loads(files["shares.json"])
    assert [(one["list"], one["name"], one["view"]) for one in told] == [
        (str(key), "Ann", "full")
    ] * 2
    frozen = links[1].frozen
    assert frozen is not None
    assert told[1]["frozen"] == frozen.pk
    assert json.loads(files[f"frozen/{frozen.pk}.json"])["document"] == rich.worked_on.document
    everything_told = b"".join(files.values()).decode()
    for link in links:
        assert found_in(everything_told, link.digest, link.token) == []
    other = Client()
    bring(other, packed(files))
    assert brought(other)["refused"] == []
    assert Share.objects.count() == 2


def test_another_account_of_the_same_place_gets_lists_and_books_of_its_own(
    rich: Rich, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Else it hangs on the age of the tests' database, which is kept between runs.
    monkeypatch.setattr(importing, "may_bundle", lambda: False)
    before, content = everything(rich.client), saved(rich.client)
    other = Client()
    bring(other, content)
    assert brought(other)["said"][0] == "5 new lists."
    assert everything(rich.client) == before
    after = everything(other)
    assert [one[:8] for one in after["lists"]] == [one[:8] for one in before["lists"]]
    assert after["setups"] == before["setups"]
    mine = OwnBook.objects.get(holder=other.session["holder"], deleted=None)
    assert mine.pk != rich.shelf.id
    assert mine.revision == revision_of(mine.data)
    assert mine.data == {**rich.shelf.data, "id": mine.pk}
    # Documents follow the book that got another id, in all their versions.
    versions = Version.objects.filter(
        army_list__holder=other.session["holder"], document__system="chainmail-2002"
    )
    assert versions.count() == 4
    revisions = set()
    for version in versions:
        assert rich.shelf.id not in json.dumps(version.document.to_dict())
        pinned = version.document.to_dict()["books"][0]
        assert pinned["id"] == mine.pk
        revisions.add(pinned["revision"])
        kept = Kept.objects.get(book_id=mine.pk, revision=pinned["revision"]).data
        assert revision_of(kept) == pinned["revision"]
        assert kept["id"] == mine.pk
    assert len(revisions) == 2
    assert mine.revision in revisions
    address = f"/lists/{versions[0].army_list_id}/"
    assert "Orc Berserker" in other.get(address).text
    assert "9 of 100" in other.get(address).text
    assert "7 of 100" in other.get(f"{address}history/2/").text
    # The same once more changes nothing, for either of them.
    for client in (rich.client, other):
        before, there = everything(client), contents()
        bring(client, content)
        assert brought(client)["said"] == ["12 items were already here and stay as they are."]
        assert everything(client) == before
        assert contents() == there


@pytest.mark.slow
def test_data_changed_since_the_export_are_not_overwritten(rich: Rich) -> None:
    content = saved(rich.client)
    before = everything(rich.client)
    rich.worked_on.act("rename", name="Later")
    rich.shelf.change("orc-berserker", points="11")
    PrintSetup.objects.filter(name="At home").update(fields={"paper": "letter"})
    bring(rich.client, content)
    assert brought(rich.client)["said"][:3] == ["1 new list.", "1 new book.", "1 new print preset."]
    assert rich.worked_on.document["name"] == "Later"
    assert rich.shelf.data["units"][0]["points"] == 11
    setups = dict(PrintSetup.objects.values_list("name", "fields"))
    assert setups["At home"] == {"paper": "letter"}
    assert setups["At home 2"] == {"paper": "A5"}
    names = [one[8][-1][4]["name"] for one in everything(rich.client)["lists"]]
    assert sorted(names) == sorted([one[8][-1][4]["name"] for one in before["lists"]] + ["Later"])


def test_nobody_gets_the_data_of_another(rich: Rich) -> None:
    stranger = Client()
    assert list(unpacked(saved(stranger))) == ["manifest.json"]
    Builder(stranger, "sbh", limit=300, books=["profiles"], name="Mine alone")
    files = unpacked(saved(stranger))
    assert len(list_files(files)) == 1
    assert rich.shelf.id.encode() not in b"".join(files.values())
    assert rich.holder.encode() not in b"".join(unpacked(saved(rich.client)).values())


def test_the_page_counts_what_there_is_with_the_same_queries_however_much(rich: Rich) -> None:
    counts = []
    rich.client.get("/account/data/")
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            page = rich.client.get("/account/data/").text
        counts.append(len(queries))
        Builder(rich.client, "sbh", limit=300, books=["profiles"])
    assert counts[0] == counts[1] <= 9
    assert "Export everything as a file" in page
    assert "There is nothing here yet." in Client().get("/account/data/").text


# What is wrong with a file is told with its name, and all else comes in.


def broken_versions() -> Iterator[tuple[str, Callable[[list[Any]], None]]]:
    def at(line: int, **values: Any) -> Callable[[list[Any]], None]:
        return lambda lines: lines[line].update(values)

    def in_document(**values: Any) -> Callable[[list[Any]], None]:
        return lambda lines: lines[3]["document"].update(values)

    yield "no id", at(0, id="me")
    yield "no number of the current version", at(0, current="2")
    yield "a current version that is not there", at(0, current=99)
    yield "tags that are none", at(0, tags=[1])
    yield "a time that is none", at(0, updated="yesterday")
    yield "a time without a zone", at(1, created="2026-01-01T10:00:00")
    yield "pinned as a word", at(0, pinned="yes")
    yield "a version twice", at(3, number=1)
    yield "an act too long", at(2, act="x" * 201)
    yield "a label too long", at(2, label="x" * 61)
    yield "no document", at(2, document=None)
    yield "a document of other things", in_document(more=1)
    yield (
        "a unit twice",
        lambda lines: lines[3]["document"]["units"].append(lines[3]["document"]["units"][0]),
    )
    yield "a unit that is none", in_document(units=[{"id": "u1"}])
    yield "units that are none", in_document(units=7)
    yield "a unit without id", in_document(units=[3])
    yield "books that are none", in_document(books=[1])
    yield "a line that is no object", lambda lines: lines.__setitem__(2, [])


def test_a_broken_list_is_left_out_whole_and_named() -> None:
    client = Client()
    builder = Builder(client, "sbh", limit=300, books=["profiles"], name="Broken")
    builder.act("add", ref="profiles/troll")
    builder.act("add", ref="profiles/human-archer")
    Builder(client, "sbh", limit=300, books=["profiles"], name="Whole")
    files = unpacked(saved(client))
    name = f"lists/{list_id(builder)}.jsonl"
    for what, spoil in broken_versions():
        lines = [json.loads(line) for line in files[name].splitlines()]
        spoil(lines)
        broken = b"\n".join(json.dumps(line).encode() for line in lines)
        other = Client()
        assert bring(other, packed({**files, name: broken})).status_code == 302
        refused = brought(other)["refused"]
        assert [file for file, _reason in refused] == [name], what
        assert refused[0][1].endswith("."), what
        lists = everything(other)["lists"]
        assert [one[8][0][4]["name"] for one in lists] == ["Whole"], what


@pytest.mark.slow
def test_a_list_that_takes_too_long_is_left_out_whole_and_named(
    rich: Rich, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = unpacked(saved(rich.client))
    empty_the_place()
    monkeypatch.setattr(importing, "PATIENCE", -1.0)
    other = Client()
    bring(other, packed(files))
    assert [file for file, _reason in brought(other)["refused"]] == list_files(files)
    assert not ArmyList.objects.exists()


@pytest.mark.slow
def test_of_a_list_that_is_here_no_more_is_read_than_tells_the_difference(rich: Rich) -> None:
    name = f"lists/{list_id(rich.worked_on)}.jsonl"
    lines = unpacked(saved(rich.client))[name].splitlines(keepends=True)
    key = UUID(list_id(rich.worked_on))

    def here(*lines: bytes) -> bool:
        return is_here(rich.holder, key, BytesIO(b"".join(lines)), Renames())

    assert here(*lines)
    assert not here(*lines[:-1])
    assert not here(*lines, lines[-1])
    assert not here(lines[0], lines[2], b"{")


@pytest.mark.slow
def test_data_that_do_not_fit_are_named_and_the_rest_is_imported(rich: Rich) -> None:
    """Nobody can slip another content under a list that pins a revision, nor under the name of a
    shipped book, where anything would be believed, however well its hash fits.
    """
    files = unpacked(saved(rich.client))
    empty_the_place()
    own = next(name for name in files if name.startswith("contents/own-"))
    change_json(files, own, lambda data: data["units"][0].update(points=1))
    name = next(name for name in files if name.startswith("contents/practice/"))
    shipped = json.loads(files[name])
    cheap = {**shipped, "units": [{**unit, "points": 1} for unit in shipped["units"]]}
    forged = f"contents/practice/{revision_of(cheap)}.json"
    files |= {name: json.dumps(cheap).encode(), forged: json.dumps(cheap).encode()}
    book = f"books/{rich.shelf.id}.json"
    change_json(files, book, lambda facts: facts["book"]["units"][0].update(points="many"))
    files["setups.json"] = b'[{"name": "", "fields": {}}, {"name": "x", "fields": {"paper": "B9"}}]'
    files["notes.txt"] = b"mine"
    other = Client()
    bring(other, packed(files))
    refused = brought(other)["refused"]
    assert [file for file, _reason in refused] == [
        *(book, own, forged, "setups.json", "setups.json", "notes.txt")
    ]
    assert refused[1][1] == "The file’s content doesn’t match its name."
    revision = own.split("/")[-1].removesuffix(".json")
    assert not Kept.objects.filter(revision=revision).exists()
    assert [one.data for one in Kept.objects.filter(book_id="practice")] == [shipped]
    assert ArmyList.objects.count() == 5
    assert not OwnBook.objects.filter(pk=rich.shelf.id).exists()


MANIFEST = {"manifest.json": b'{"format": "everything/1"}'}
#: One with a table of contents as large zips have it.
LARGE = packed(MANIFEST).replace(
    b"PK\x05\x06", struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1) + b"PK\x05\x06"
)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a complete zip"),
        (b"PK\x03\x04 and no more", "not a complete zip"),
        (b"PK\x05\x06" + b"\0" * 18, "not a file of all data"),
        (packed({"manifest.json": b"{"}), "not JSON"),
        (packed({"manifest.json": b'{"format": "everything/9"}'}), "another version"),
        (packed({"a.json": b"{}"}), "not a file of all data"),
        (LARGE, ""),
    ],
)
def test_a_file_that_is_not_an_export_is_refused_with_a_sentence(content: bytes, said: str) -> None:
    answer = bring(Client(), content) if content else Client().post("/account/data/open/", {})
    assert answer.status_code == 422
    assert said in answer.text or not content
    assert not ArmyList.objects.exists()


def test_a_zip_that_lies_about_its_length_is_read_no_further() -> None:
    """A list of gigabytes, packed small: its first line is already longer than lines are."""
    content = packed({**MANIFEST, f"lists/{uuid4()}.jsonl": b"[" * 30_000_000})
    tracemalloc.start()
    try:
        client = Client()
        bring(client, content)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000
    assert "at most" in brought(client)["refused"][0][1]


def test_a_damaged_file_is_named(rich: Rich) -> None:
    content = bytearray(saved(rich.client))
    name = f"lists/{list_id(rich.worked_on)}.jsonl".encode()
    start = content.index(name) + len(name)
    content[start + 40 : start + 48] = b"\xff" * 8
    empty_the_place()
    client = Client()
    bring(client, bytes(content))
    assert brought(client)["refused"][0][0] == name.decode()
    assert ArmyList.objects.count() == 4


def test_a_file_too_large_is_refused_before_anything_is_imported(
    rich: Rich, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, before, limits = saved(rich.client), ArmyList.objects.count(), reading.LIMITS
    for limit, value, sentence in (
        ("size", 10, "may have"),
        ("total", 10, "which is too much"),
        ("files", 1, "too many files"),
        ("directory", 10, "too many files"),
    ):
        monkeypatch.setattr(reading, "LIMITS", limits._replace(**{limit: value}))
        answer = bring(Client(), content)
        assert answer.status_code == 422
        assert sentence in answer.text
        assert ArmyList.objects.count() == before


def test_a_file_opened_twice_at_the_same_moment_comes_in_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    Builder(client, "sbh", limit=300, books=["profiles"])
    content, asked = saved(client), [True, True]

    def first_not(found: Callable[..., bool], instead: bool) -> Callable[..., bool]:
        """What the slower of two requests sees: the list is not there, and then it is."""
        return lambda *args: instead if asked and asked.pop() else found(*args)

    monkeypatch.setattr(reading, "is_here", first_not(reading.is_here, False))
    monkeypatch.setattr(reading, "is_free", first_not(reading.is_free, True))
    bring(client, content)
    assert brought(client)["said"] == ["1 item was already here and stays as it is."]
    assert ArmyList.objects.count() == 1


@pytest.mark.slow
def test_an_import_too_large_for_one_request_is_continued_by_the_next(
    rich: Rich, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, other = saved(rich.client), Client()
    clock = [0.0]

    def tick() -> float:
        clock[0] += 4.0
        return clock[0]

    monkeypatch.setattr(reading.time, "monotonic", tick)
    before, goes = everything(rich.client), 0
    while goes == 0 or brought(other)["unfinished"]:
        bring(other, content)
        goes += 1
        monkeypatch.setattr(reading, "PATIENCE", reading.PATIENCE + 12.0)
    assert goes > 2
    lists = everything(other)["lists"]
    assert [one[:8] for one in lists] == [one[:8] for one in before["lists"]]
    assert len(lists) == ArmyList.objects.filter(holder=rich.holder).count()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 1200) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@st.composite
def histories(draw: st.DrawFn) -> list[Any]:
    """Documents that differ in a few places, in which anything may stand."""
    documents = []
    for _ in range(3):
        document = skirmish("chainmail-2002")
        for place in draw(st.lists(st.sampled_from(["units", "unit", "top"]), max_size=2)):
            target: Any = document
            units = document["units"] if isinstance(document["units"], list) else []
            whole = [unit for unit in units if isinstance(unit, dict) and unit]
            if place == "unit" and whole:
                target = draw(st.sampled_from(whole))
            key = "units" if place == "units" else draw(st.sampled_from(sorted(target)))
            target[key] = draw(JSON | st.just(json.loads(json.dumps(document["units"]))))
        documents.append(document)
    return documents


@settings(max_examples=tries(60))
@given(histories())
def test_looking_at_new_units_only_finds_what_a_whole_look_finds(documents: list[Any]) -> None:
    def outcome(check: Callable[[Any], Any], document: Any) -> Any:
        try:
            return check(document)
        except Refusal as refusal:
            return refusal.sentence

    checker = Checker()
    for document in documents:
        assert outcome(checker.checked, document) == outcome(check_document, document)


def test_a_list_names_a_book_in_many_places_and_all_follow() -> None:
    old, new = "own-0000000000000001", "own-0000000000000002"
    renames = Renames({old: new}, {(old, "a" * 16): "b" * 16})
    document = {
        **skirmish("sbh"),
        "books": [{"id": old, "revision": "a" * 16}, {"id": "practice"}],
        "units": [
            {"id": "u1", "unit": f"{old}/orc", "models": 1},
            {"id": "u2", "profile": {"name": old, "stats": {}, "abilities": []}, "models": 1},
        ],
        "settings": {"pool": [f"{old}/orc", "practice/orc"], "faction": "x", "bet": 3},
    }
    text = json.dumps(document).replace(old, new).replace("a" * 16, "b" * 16)
    expected = json.loads(text)
    expected["units"][1]["profile"]["name"] = old
    assert renames.document(check_document(document)).to_dict() == expected
    other = check_document({**document, "books": [{"id": "practice"}]})
    assert renames.document(other) is other


@pytest.mark.slow
def test_saving_needs_little_memory_however_long_the_histories(client: Client) -> None:
    builder = Builder(client, "sbh", limit=300, books=["profiles"])
    holder = client.session["holder"]
    document = value_of(army(50))

    def peak(versions: int) -> int:
        first = builder.version
        start = first.army_list.versions.count()
        rows = [
            Version(army_list=first.army_list, number=number, document=document, act="More.")
            for number in range(start + 1, start + versions + 1)
        ]
        Version.objects.bulk_create(rows, batch_size=50)
        tracemalloc.start()
        try:
            sent = sum(len(chunk) for chunk in everything_of(holder, timezone.now()))
            assert sent > 0
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(40)
    assert peak(200) < 1.5 * peak(0) + 1_000_000


@pytest.mark.slow
def test_a_cancelled_download_ends_quietly(rich: Rich) -> None:
    for number in range(2, 60):
        document = {**skirmish("sbh"), "notes": f"{uuid4()}" * 40}
        version = rich.worked_on.version
        Version.objects.create(
            army_list=version.army_list,
            number=100 + number,
            document=value_of(document),
            act="More.",
        )
    chunks = everything_of(rich.holder, timezone.now())
    next(chunks)
    chunks.close()
