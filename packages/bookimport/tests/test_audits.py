"""What became of every restriction: the ledgers of imports, and the books that agree with them.

Each mistake is made in a copy of a shipped book with its ledger.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.audits import AuditTally, load_audits, shipped_audits
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.problems import Problem
from bookimport.auditing import audit_folder, nodes

pytestmark = pytest.mark.long

Data = dict[str, Any]
GAME, BOOK = "t9a-2023", "sylvan-elves"
BOOK_FILE, LEDGER = f"{GAME}/{BOOK}.json", f"{GAME}/audit/{BOOK}.json"
GLYPH = "cannot be taken by models with Sylvan Spirit"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of a game with one imported book, of which something is unchecked."""
    (tmp_path / GAME / "audit").mkdir(parents=True)
    for name in (f"{GAME}/system.json", BOOK_FILE, LEDGER):
        shutil.copy(CATALOGUE_DIR / name, tmp_path / name)
    change(tmp_path, BOOK_FILE, leave_open)
    change(tmp_path, LEDGER, tell_open)
    return tmp_path


def leave_open(book: Any) -> None:
    (glyph,) = (one for one in book["options"] if one.get("id") == "glyph-of-amryl")
    glyph["unchecked"] = [{"what": GLYPH, "why": "sentence"}]


def tell_open(ledger: Any) -> None:
    names = ("Forest Prince", "Druid")
    ledger["unchecked"] = [{"place": name, "what": GLYPH, "parts": 1} for name in names]
    ledger["counts"]["names"] = {"judged": ledger["counts"]["names"]["judged"] - 2, "unchecked": 2}


def change(folder: Path, name: str, act: Callable[[Any], Any]) -> None:
    """Let `act` change what a file of the folder says."""
    data = json.loads((folder / name).read_text("utf-8"))
    act(data)
    (folder / name).write_text(json.dumps(data), "utf-8")


def problem(folder: Path) -> Problem:
    (found,) = audit_folder(folder).problems
    assert found.message
    assert found.advice
    return found


def test_all_restrictions_of_all_shipped_books_are_judged_or_told() -> None:
    audited = audit_folder(CATALOGUE_DIR)
    assert [str(one) for one in audited.problems] == []
    assert len(audited.books) == len({file.path for file in shipped_library().files.values()})
    kinds = {place: book["kind"] for place, book in audited.books.items()}
    assert [place for place, kind in kinds.items() if kind == "imported"] == list(audited.audits)
    for place, audit in shipped_audits().by_book.items():
        assert audit.tally.judged, place
        assert audit.tally.unaccounted == 0, place
        assert audit.unaccounted == {}, place
        counted = sum(sum(fates.values()) for fates in audit.counts.values())
        assert audit.tally.restrictions == counted, place


def test_the_copy_is_as_good_as_the_book_and_without_a_ledger_only_if_nobody_imported_it(
    folder: Path,
) -> None:
    audited = audit_folder(folder)
    assert audited.problems == ()
    assert [entry.what for entry in audited.audits[GAME, BOOK].unchecked] == [GLYPH, GLYPH]
    (folder / LEDGER).unlink()
    assert problem(folder).file == LEDGER
    change(folder, BOOK_FILE, lambda data: data.update(kind="house"))
    assert audit_folder(folder).problems == ()


def test_what_is_left_out_is_counted_apart_from_what_is_told(folder: Path) -> None:
    before = load_audits(folder).by_book[GAME, BOOK].tally
    first = json.loads((folder / LEDGER).read_text("utf-8"))["unchecked"][0]
    left_out = {"place": first["place"], "what": first["what"]}
    change(folder, LEDGER, lambda data: data["left_out"].append(left_out))
    audit = load_audits(folder).by_book[GAME, BOOK]
    assert audit.tally == before.plus(AuditTally(unchecked=-1, left_out=1))
    assert [entry.place for entry in audit.left_out] == [first["place"]]
    assert first["place"] not in [entry.place for entry in audit.unchecked]


def forget(ledger: Any) -> None:
    ledger["unaccounted"]["Druid › Bow: limits"] = 2
    ledger["counts"]["limits"]["unaccounted"] = 2


def silence(book: Any) -> None:
    for _path, node in [*nodes(book)]:
        if any(one["what"] == GLYPH for one in node.get("unchecked", ())):
            node.pop("unchecked")


def name_a_ring(book: Any) -> None:
    book["units"][1]["options"].insert(0, {"id": "ring", "name": "Ring (only on foot)"})


def test_what_is_unaccounted_for_or_told_in_one_place_alone_is_told_with_its_place(
    folder: Path,
) -> None:
    """Also a name that states what nothing judges."""
    for changed, act, file, pointer, words in (
        (LEDGER, forget, LEDGER, "/unaccounted/Druid › Bow: limits", "2 of Druid › Bow: limits"),
        (BOOK_FILE, silence, LEDGER, "/unchecked", GLYPH),
        (BOOK_FILE, name_a_ring, BOOK_FILE, "/units/1/options/0", "only on foot"),
    ):
        before = (folder / changed).read_text("utf-8")
        change(folder, changed, act)
        found = problem(folder)
        assert (found.file, found.pointer) == (file, pointer)
        assert words in found.message
        (folder / changed).write_text(before, "utf-8")


def test_a_name_is_told_by_what_is_unchecked_but_not_by_what_its_source_contradicts(
    folder: Path,
) -> None:
    ring: Data = {"id": "ring", "name": "Ring (only on foot)"}
    for why, problems in (("sentence", 0), ("condition", 0), ("stat-line", 0), ("source", 1)):
        ring["unchecked"] = [{"what": "only on foot", "why": why}]

        def put_on(data: Any) -> None:
            options = data["units"][1]["options"]
            options[:] = [each for each in options if each.get("id") != "ring"] + [ring]

        change(folder, BOOK_FILE, put_on)
        assert len(audit_folder(folder).problems) == problems, why


def test_names_are_read_in_books_that_nobody_imported_too(folder: Path) -> None:
    def own(data: Any) -> None:
        data["kind"] = "house"
        data["options"][0]["name"] = "Ring (only on foot)"
        data["options"][0].pop("needs", None)

    (folder / LEDGER).unlink()
    change(folder, BOOK_FILE, own)
    assert problem(folder).pointer == "/options/0"


def test_a_ledger_is_that_of_a_book_and_under_its_name(folder: Path) -> None:
    other = f"{GAME}/audit/atlantis.json"
    shutil.copy(folder / LEDGER, folder / other)
    change(folder, other, lambda data: data.update(book="atlantis"))
    assert problem(folder).file == other
    (folder / other).unlink()
    change(folder, LEDGER, lambda data: data.update(book="atlantis"))
    found = problem(folder)
    assert (found.file, found.pointer) == (LEDGER, "/book")


def test_a_ledger_whose_counts_differ_or_that_breaks_the_schema_or_json_is_told(
    folder: Path,
) -> None:
    whole = (folder / LEDGER).read_text("utf-8")
    for fate, kind in (("idle", "changes"), ("unchecked", "names"), ("unaccounted", "limits")):
        data = json.loads(whole)
        data["counts"][kind][fate] = data["counts"][kind].get(fate, 0) + 1
        (folder / LEDGER).write_text(json.dumps(data), "utf-8")
        found = problem(folder)
        assert (found.file, found.pointer) == (LEDGER, f"/{fate}")
    for text, place in ((json.dumps({**data, "counts": {}}), "/counts"), ("{", "")):
        (folder / LEDGER).write_text(text, "utf-8")
        found = problem(folder)
        assert (found.file, found.pointer) == (LEDGER, place)


def test_a_book_that_cannot_be_loaded_is_a_problem_too(folder: Path) -> None:
    change(folder, BOOK_FILE, lambda data: data.pop("name"))
    found = {one.file for one in audit_folder(folder).problems}
    assert found == {BOOK_FILE, LEDGER}
