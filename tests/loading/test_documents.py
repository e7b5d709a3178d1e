"""Army list documents: what is read, what is refused and why, and what becomes of strange words."""

import io
import json
import zipfile
from collections import Counter
from dataclasses import fields
from typing import Any

import pytest

from armybuilder.engine.units import Unit
from armybuilder.loading.archives import ArchiveEntry, is_zip, length_of, zip_entries
from armybuilder.loading.documents import (
    canonical,
    catalogue_of,
    make_roster,
    read_document,
)
from armybuilder.loading.forcelist import MOST_PROBLEMS
from armybuilder.loading.jsontext import MAX_BYTES, canonical_json, nesting, parse_json
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.problems import Problem, Refusal, pointer
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.unit_fields import (
    UNIT_FIELDS,
    Form,
    UnitField,
    certainty_words,
    price_remark,
)
from tests.building.documents import value_of
from tests.building.tiny import (
    MAP,
    MOST,
    POOL,
    Data,
    book_data,
    codes,
    document,
    game,
    judge,
    only,
    system_data,
    take,
    with_settings,
)
from tests.building.zips import packed


def refused(data: Any) -> Refusal:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    with pytest.raises(Refusal) as caught:
        read_document(raw)
    return caught.value


def nested_options(levels: int) -> Data:
    """A document that nests `levels` deep, by options in options: 7 for one without options."""
    option: Data = {"id": "o"}
    for _ in range((levels - 5) // 2):
        option = {"id": "o", "options": [option]}
    if levels % 2 == 0:
        inner = option
        while "options" in inner:
            inner = inner["options"][0]
        inner["options"] = []
    units = [{"id": "u1", "unit": "book/soldier", "models": 1, "options": [option]}]
    return {**document(), "units": units}


def test_eight_levels_are_accepted_and_nine_or_twenty_thousand_refused() -> None:
    for levels in range(5, 9):
        data = nested_options(levels)
        assert nesting(data) == levels
        assert read_document(json.dumps(data).encode()).to_dict() == data
    data = nested_options(9)
    assert nesting(data) == 9
    assert refused(data).sentence == "The file is nested 9 levels deep; maximum 8."
    for opened, ends in ((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":[{"b":', b"}]}]")):
        for closed in (True, False):
            raw = opened * 20_000 + b"0" + ends * 20_000 * closed
            assert refused(raw).sentence == "The file is nested too deeply."
            with pytest.raises(Refusal):
                parse_json(raw)


def test_512_kilobytes_and_five_hundred_units_fit_and_more_is_refused() -> None:
    raw = canonical_json(document())
    assert read_document(raw + b" " * (MAX_BYTES - len(raw)))
    sentence = refused(raw + b" " * (MAX_BYTES - len(raw) + 1)).sentence
    assert sentence == "The file has 513 KB; at most 512 KB can be read."
    data = document()
    data["units"] = [{"id": f"u{n}", "unit": "book/soldier", "models": 1} for n in range(500)]
    assert read_document(canonical_json(data)).to_dict() == data
    data["units"].append({"id": "u500", "unit": "book/soldier", "models": 1})
    refusal = refused(data)
    assert [problem.pointer for problem in refusal.problems] == ["/units"]
    assert "501 entries; maximum 500" in refusal.sentence


def test_strange_words_come_back_as_they_were_but_half_a_character() -> None:
    data = document(
        take("soldier", 2, "reserve", name="Zoë “the Ogre” 🐉"), settings={"players": 3}
    )
    assert read_document(canonical_json(data)).to_dict() == data
    shuffled = json.dumps(data, indent=3, ensure_ascii=True).encode()
    assert canonical(read_document(shuffled)) == canonical_json(data)
    data = document()
    data["name"] = '[[[[[[[[[{{{{{{"\\"[[['
    assert read_document(json.dumps(data).encode()).to_dict() == data
    raw = canonical_json(document())
    name = b'"name":"Test list"'
    assert "half a character" in refused(raw.replace(name, b'"name":"\\ud83d"')).sentence
    assert "half a character" in refused(raw.replace(name, b'"name":"\\uDE00\\uD83D"')).sentence
    assert read_document(raw.replace(name, b'"name":"\\ud83d\\ude00"')).name == "😀"


def test_a_document_is_an_object_and_its_limit_a_whole_number_from_one() -> None:
    for raw in ("[]", "3", "null", '"armylist/1"'):
        assert "must be an object" in refused(raw.encode()).sentence
    limits = ("100.5", "1e-2", "1e300", "true", '"100"', "0", "-5", "100000", "1e400", "null")
    for limit in limits:
        number = f'"limit":{limit}'.encode()
        refusal = refused(canonical_json(document()).replace(b'"limit":100', number))
        assert {problem.pointer for problem in refusal.problems} == {"/limit"}, limit
    of_units = (["units", 0, "name"], ["units", 1, "profile", "name"], ["units", 0, "notes"])
    for path in (["name"], ["notes"], *of_units):
        profile = {"name": "Ann", "stats": {}, "abilities": []}
        data = document(take("soldier"), {"profile": profile, "models": 1})
        place: Any = data
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = "x" * 10_000
        refusal = refused(data)
        assert [problem.pointer for problem in refusal.problems] == [pointer(path)]
        assert "10000 characters; maximum" in refusal.sentence
        assert refusal.problems[0].advice == "Shorten it."
        assert len(refusal.sentence) < 200


def test_mistakes_are_named_with_their_place_and_how_many_more_there_are() -> None:
    data = document()
    data["units"] = [{"id": "u1", "models": 1}]
    messages = [problem.message for problem in refused(data).problems]
    assert messages == ["One of “unit”, “profile” is missing."]
    data = document(take("soldier"))
    data["units"][0]["modles"] = 3
    problem = refused(data).problems[0]
    assert (problem.pointer, problem.message) == ("/units/0", "“modles” is not known here.")
    data = document(take("soldier"), take("knight"), take("knight"))
    data["units"][2]["id"] = "u1"
    refusal = refused(data)
    assert [problem.pointer for problem in refusal.problems] == ["/units/2/id"]
    assert "“u1” is taken" in refusal.sentence
    data = document(take("soldier"))
    data["units"][0]["models"] = 0
    assert "more" not in refused(data).sentence
    data["units"][0]["roles"] = ["reserve", "reserve"]
    assert refused(data).sentence.endswith("1 more error found.")
    data["colour"] = "red"
    assert refused(data).sentence.endswith("2 more errors found.")


def hostile() -> dict[str, bytes]:
    """Documents under the size limit made to take long."""
    head = b'{"format":"armylist/1","system":"x","books":[],"name":"x","limit":1,"units":'
    keys = b",".join(b'"%06d":0' % number for number in range(40_000))
    mixed = json.dumps([entry for n in range(20_000) for entry in (n, str(n))]).encode()
    return {
        "a key twice among many": b"{" + keys + b',"039999":0}',
        "very many units": head + b"[" + b",".join([b"{}"] * 150_000) + b"]}",
        "very many roles": head + b'[{"id":"a","unit":"a/b","models":1,"roles":' + mixed + b"}]}",
        "very many settings": head + b'[],"settings":{' + keys + b"}}",
        "very long numbers": head + b"[" + b"9" * 400_000 + b"]}",
        "only brackets": b'{"a":' + b"[" * 400_000,
        "quotes and backslashes": b'{"a":"' + b'\\"' * 200_000,
    }


def test_a_hostile_document_is_refused_without_reading_it_for_ever() -> None:
    """Reading them takes less than a second; where work grew with the square, it took minutes."""
    for name, raw in hostile().items():
        assert len(raw) <= MAX_BYTES, name
        refusal = refused(raw)
        assert len(refusal.problems) <= MOST_PROBLEMS, name
        assert len(refusal.sentence) < 500, name
    for number, named in ((100, 100), (101, 100), (25_000, 100)):
        data = document(take("soldier")) | {f"key{key}": 1 for key in range(number)}
        sentence = refused(data).sentence
        assert sentence.count("“key") == named
        assert ("…" in sentence) is (number > 100)
        assert len(sentence) < 2_000


# What nobody knows is told and stays.


def test_settings_take_their_defaults_where_nothing_or_nothing_known_is_chosen() -> None:
    catalogue = game()
    roster = make_roster(value_of(document(settings={"players": None})), catalogue)
    assert roster.settings == {
        "players": 2, "bonus": 0, "ground": "open", "faction": None, "terrain": (),
    }  # fmt: skip
    assert roster.strays == ()
    catalogue = game(settings=with_settings(MOST, MAP))
    for setting, value, chosen in (
        ("most", 9, 9),
        ("most", None, None),
        ("most", 100, None),
        ("most", "many", None),
        ("map", "yard", "yard"),
        ("map", None, None),
        ("map", "moon", None),
    ):
        roster = make_roster(value_of(document(settings={setting: value})), catalogue)
        assert roster.settings[setting] == chosen
        assert len(roster.strays) == (value != chosen)


def test_a_choice_or_role_that_nobody_knows_is_a_finding_and_the_rest_counts() -> None:
    wanted = {"players": 2, "ground": "open", "faction": None}
    for setting, value, name in (
        ("players", 1, "Players: 1"),
        ("players", 10, "Players: 10"),
        ("players", "two", "Players: two"),
        ("ground", "sea", "Ground: sea"),
        ("ground", 3, "Ground: 3"),
        ("faction", "pink", "Faction on a tie: pink"),
        ("terrain", ["rock", "cloud"], "cloud"),
        ("terrain", "rocket", "rocket"),
        ("terrain", 3, "3"),
        ("weather", "rain", "weather"),
    ):
        settings: Any = {setting: value}
        report = judge(game(), **settings)
        finding = only(report)
        assert (finding.code, finding.values["name"]) == ("setting.unknown", name)
        if setting in wanted:
            assert report.full.roster.settings[setting] == wanted[setting]
    for players in (2, 9):
        assert judge(game(), players=players).findings == (), "at its bounds"
    report = judge(game(), take("knight", 1, "king", "reserve"))
    finding = only(report)
    assert (finding.code, finding.units) == ("role.unknown", ("u1",))
    assert finding.values["name"] == "king"
    assert report.spent == 4


def test_a_pool_holds_units_of_the_books_tells_of_others_and_holds_nothing_else() -> None:
    made = game(settings=with_settings(POOL))
    soldier = "book/soldier"
    for pool, known, strange in (
        ([soldier, "book/knight", soldier], (soldier, "book/knight", soldier), []),
        ([soldier, "book/gone"], (soldier,), ["book/gone"]),
        (["soldier", soldier], (soldier,), ["soldier"]),
        ([soldier, "lost/soldier", "lost/soldier"], (soldier,), ["lost/soldier"] * 2),
        ("soldier", (), ["soldier"]),
        (3, (), ["3"]),
        (None, (), []),
    ):
        roster = make_roster(value_of(document(settings={"pool": pool})), made)
        assert roster.settings["pool"] == known
        assert [(each.kind, each.name) for each in roster.strays] == [
            ("setting", name) for name in strange
        ]
    for ref in ("book/soldier/1", "Book/soldier", "book/", "book soldier", ""):
        data = {**document(), "settings": {"pool": [ref]}}
        assert [each.pointer for each in refused(data).problems] == ["/settings/pool/0"], ref
    data = {**document(), "settings": {"pool": ["book/soldier"] * 200}}
    assert read_document(canonical_json(data)).to_dict() == data
    data = {**document(), "settings": {"pool": ["book/soldier"] * 201}}
    assert [each.pointer for each in refused(data).problems] == ["/settings/pool"]


def test_a_book_that_is_not_here_and_its_units_are_findings() -> None:
    library = shipped_library()
    data = document(
        take("lost/thing"), take("practice/dune-jackal"), system="chainmail-2002",
        books=["practice", "lost"], settings={"terrain": ["hill"]},
    )  # fmt: skip
    catalogue = catalogue_of(value_of(data), library)
    roster = make_roster(value_of(data), catalogue)
    assert [(stray.pick, stray.kind, stray.name) for stray in roster.strays] == [
        ("", "book", "lost")
    ]
    assert [pick.unit is None for pick in roster.picks] == [True, False]
    assert roster.picks[0].ref == "lost/thing"
    with pytest.raises(Refusal, match="chess"):
        catalogue_of(value_of(document(system="chess")), library)
    library = shipped_library()
    data = document(own({"quality": 3, "combat": 3}, "leader", "laser"), system="sbh", books=[])
    roster = make_roster(value_of(data), catalogue_of(value_of(data), library))
    unit = roster.picks[0].unit
    assert unit is not None
    assert ([use.label for use in unit.abilities], unit.price.of(1)) == (["Leader"], 60)
    assert [(stray.kind, stray.name) for stray in roster.strays] == [("ability", "laser")]
    # A rule is there once, however often it is written.
    twice = own({"quality": 3, "combat": 3}, "leader", "leader", "mounted")
    data = document(twice, system="sbh", books=[])
    (pick,) = make_roster(value_of(data), catalogue_of(value_of(data), library)).picks
    assert pick.unit is not None
    assert [use.label for use in pick.unit.abilities] == ["Leader", "Mounted"]
    data = document(own({"quality": 3}), system="sbh", books=[])
    with pytest.raises(Refusal, match="“Me” has no Combat"):
        make_roster(value_of(data), catalogue_of(value_of(data), library))
    report = judge(game(), own({}))
    assert codes(report) == ["unit.unknown"], "a game without own models"
    assert only(report).values["name"] == "Me"


def own(stats: dict[str, int], *abilities: str, name: str = "Me") -> Data:
    uses = [{"ability": entry} for entry in abilities]
    return {"profile": {"name": name, "stats": stats, "abilities": uses}, "models": 1}


def test_pointers_are_written_as_rfc_6901_says_and_a_problem_as_a_line() -> None:
    assert pointer([]) == ""
    assert pointer(["units", 3]) == "/units/3"
    assert pointer(["a/b", "c~d"]) == "/a~1b/c~0d"
    problem = Problem("a.json", "/id", "It is wrong.", "Mend it.")
    assert str(problem) == "a.json#/id: It is wrong. Mend it."
    assert str(Problem("a.json", "", "It is wrong.")) == "a.json: It is wrong."
    assert game().system.id == system_data()["id"]


# Zips of anyone: what is in them is read as far as it may be long, or refused by name.

LENGTHS = {".json": 10, ".csv": 20}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    return io.BytesIO(packed(files, method))


def read(file: io.BytesIO, most: int = 10_000) -> list[ArchiveEntry]:
    return list(zip_entries(file, LENGTHS, most))


def refusal_of(entry: ArchiveEntry) -> str:
    assert isinstance(entry.content, Refusal)
    return entry.content.sentence


def test_what_is_in_a_zip_comes_in_its_order_each_file_one_byte_too_far_at_most() -> None:
    file = zipped({"b.json": b"b", "in/a.CSV": b"a", "__MACOSX/b.json": b"x", "in/.hidden": b"x"})
    assert is_zip(file)
    assert read(file) == [("b.json", b"b"), ("in/a.CSV", b"a")]
    file = zipped({"a.json": b"x" * 5_000_000, "b.csv": b"x" * 5_000_000})
    assert [len(entry.content) for entry in read(file)] == [11, 21]


def test_what_has_another_name_is_packed_otherwise_or_damaged_is_refused() -> None:
    other, json = read(zipped({"a.exe": b"x", "b.json": b"y"}))
    assert refusal_of(other) == "Its name does not end in .json or .csv."
    assert json.content == b"y"
    assert length_of("a.Json", LENGTHS) == 10
    assert length_of("json", LENGTHS) is None
    (packed,) = read(zipped({"a.json": b"x"}, zipfile.ZIP_LZMA))
    assert "compression or password protection" in refusal_of(packed)
    raw = bytearray(zipped({"a.json": b"012345678"}, zipfile.ZIP_STORED).getvalue())
    raw[raw.index(b"01234")] = 1
    (damaged,) = read(io.BytesIO(bytes(raw)))
    assert refusal_of(damaged) == "The file is damaged."


def test_what_is_no_zip_or_too_long_a_one_is_refused() -> None:
    for raw in (b"", b"PK", b"PK\x03\x04", b"{}"):
        with pytest.raises(Refusal, match="not a complete zip"):
            read(io.BytesIO(raw))
    file = zipped({"a.json": b"x"})
    with pytest.raises(Refusal, match="A zip file may have at most 0 MB"):
        read(file, most=len(file.getvalue()) - 1)
    assert read(file, most=len(file.getvalue()))
    assert is_zip(zipped({}))
    assert read(zipped({})) == [], "an empty zip holds nothing"


# The description of a unit's fields is whole: it names what a book's file may say of a unit, and
# what a unit is made of.

SCHEMA = json.loads((CATALOGUE_DIR / "schema" / "book.schema.json").read_text(encoding="utf-8"))
PROPERTIES = SCHEMA["$defs"]["unit"]["properties"]
GUIDE = (CATALOGUE_DIR / "README.md").read_text(encoding="utf-8")
#: What a unit has of its place in the catalogue.
PLACED = {"ref", "book", "book_name", "own"}
#: What is worked out of what the file says.
WORKED_OUT = {
    *("tags", "army_tags", "shifts", "later", "ratings", "smallest", "blanks", "faults"),
    *("plain", "fresh"),
}
ASKED = [field for field in UNIT_FIELDS if field.form and field.form.label]


def keys(field: UnitField) -> tuple[str, ...]:
    return (field.key, *field.also)


def test_all_that_a_file_may_say_of_a_unit_is_described_also_in_the_guide() -> None:
    described = {key for field in UNIT_FIELDS for key in keys(field)}
    assert described | {"id"} == set(PROPERTIES)
    told = {key for key in PROPERTIES if f"`{key}`" in GUIDE or f'"{key}"' in GUIDE}
    assert set(PROPERTIES) - told == set()


def test_every_attribute_of_a_unit_is_read_by_one_field_or_worked_out_and_asked_for_once() -> None:
    read = Counter(field.name for field in UNIT_FIELDS if field.read)
    assert set(read.values()) == {1}
    assert set(read) | PLACED | WORKED_OUT == {field.name for field in fields(Unit)}
    assert not set(read) & (PLACED | WORKED_OUT)
    asked = Counter(field.key for field in UNIT_FIELDS if field.form)
    assert set(asked.values()) == {1}


def allowed(schema: Any) -> dict[str, Any]:
    """What the schema allows, its reference looked up."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return SCHEMA["$defs"][name] if name else schema


def test_the_form_takes_no_more_than_the_file_may_hold() -> None:
    for field in ASKED:
        form, schema = field.form, allowed(PROPERTIES[field.key])
        assert isinstance(form, Form)
        if form.kind == "number":
            assert form.most <= schema["maximum"], field.key
        elif schema.get("type") == "string":
            assert form.most <= schema["maxLength"], field.key
    assert schema_problems("book", book(), "mine.json") == []
    for field in ASKED:
        (problem,) = schema_problems("book", book(**{field.key: {"wrong": 1.5}}), "mine.json")
        assert problem.pointer.startswith(f"/units/0/{field.key}")


def book(**said: Any) -> dict[str, Any]:
    unit = {"id": "ann", "name": "Ann", "points": 3, **said}
    return book_data(unit, id="mine", system="chainmail-2002", kind="own")


def test_a_remark_on_the_price_is_that_of_the_field_that_is_set() -> None:
    assert price_remark({"name": "Ann"}) is None
    assert price_remark({"suggested": False}) is None
    remark = price_remark({"suggested": True})
    assert remark is not None
    assert (str(remark.mark), str(remark.each)) == ("suggested", "suggested each")
    library = shipped_library()
    books = (book for books in library.books.values() for book in books.values())
    told = {unit.certainty: certainty_words(unit) for book in books for unit in book.units.values()}
    assert told[""] == ""
    assert told["rulebook-probable"] == "numbers probably from the rulebook"
    assert all(words.startswith("numbers ") for sure, words in told.items() if sure)
