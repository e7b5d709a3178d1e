"""The library's catalogues: shipped books, revisions that lists pin, and players' books."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import Lift
from armybuilder.loading import library as module
from armybuilder.loading.books import build_book, revision_of
from armybuilder.loading.cache import Cache, Once
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import (
    Library,
    book_problems,
    load_library,
    make_catalogue,
    shipped_library,
)
from armybuilder.loading.problems import Refusal
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import own_abilities, read_ability
from tests.building.documents import value_of
from tests.building.tiny import (
    Data,
    book_data,
    catalogue,
    document,
    edition,
    game,
    judge,
    rule,
    system_data,
    take,
    unit,
    write_folder,
)

NEW = book_data(unit("soldier", 6), unit("knight", 9))
OLD = book_data(unit("soldier", 5))
MINE = book_data(unit("imp", 3), id="own-0123456789abcdef", kind="own", name="Mine")


class Keeper:
    """Remembers contents by book and revision, and what it was asked for."""

    def __init__(self, *books: Data) -> None:
        self.kept = {(book["id"], revision_of(book)): book for book in books}
        self.asked: list[tuple[str, str]] = []

    def __call__(self, book_id: str, revision: str) -> Mapping[str, Any] | None:
        self.asked.append((book_id, revision))
        return self.kept.get((book_id, revision))


@pytest.fixture
def keeper() -> Keeper:
    return Keeper(OLD, MINE)


@pytest.fixture
def library(tmp_path: Path, keeper: Keeper) -> Library:
    write_folder(tmp_path, system_data(), NEW, book_data(unit("elf"), id="elves"))
    made = load_library(tmp_path)
    assert made.problems == ()
    made.ask(keeper)
    return made


def points(catalogue: Catalogue) -> dict[str, int | None]:
    return {ref: unit.price.start for ref, unit in catalogue.units.items()}


SHIPPED = {"book/soldier": 6, "book/knight": 9}
OLD_REVISION, NEW_REVISION, MY_REVISION = map(revision_of, (OLD, NEW, MINE))


def test_a_book_is_as_it_is_shipped_where_nothing_else_is_pinned(
    library: Library, keeper: Keeper
) -> None:
    for revisions in (None, {}, {"book": ""}, {"book": NEW_REVISION}):
        assert points(library.catalogue("tiny", ["book"], revisions)) == SHIPPED, revisions
    assert keeper.asked == []
    unknown = library.catalogue("tiny", ["book"], {"book": "0" * 16})
    assert points(unknown) == SHIPPED, "nobody kept it"
    named = ["elves", "book", "elves"]
    assert [book.id for book in library.catalogue("tiny", named).books] == ["elves", "book"]
    pinned = library.catalogue("tiny", named, {"book": OLD_REVISION})
    assert [book.id for book in pinned.books] == ["elves", "book"]


def test_a_kept_revision_and_a_players_book_come_from_the_keeper(library: Library) -> None:
    made = library.catalogue("tiny", ["book"], {"book": OLD_REVISION})
    assert points(made) == {"book/soldier": 5}
    assert [book.revision for book in made.books] == [OLD_REVISION]
    assert points(library.catalogue("tiny", ["book"])) == SHIPPED, "beside it nothing changes"
    data = document(take("soldier"), books=["book"])
    data["books"][0]["revision"] = OLD_REVISION
    assert points(catalogue_of(value_of(data), library)) == {"book/soldier": 5}
    made = library.catalogue("tiny", ["book", MINE["id"]], {MINE["id"]: MY_REVISION})
    assert points(made) == {**SHIPPED, f"{MINE['id']}/imp": 3}
    assert [book.name for book in made.books] == ["Tiny book", "Mine"]
    for revision in ("", "0" * 16):
        data = document(take(f"{MINE['id']}/imp"), books=["book", MINE["id"]])
        data["books"][1]["revision"] = revision
        catalogue = catalogue_of(value_of(data), library)
        roster = make_roster(value_of(data), catalogue)
        assert [book.id for book in catalogue.books] == ["book"]
        assert [(stray.kind, stray.name) for stray in roster.strays] == [("book", MINE["id"])]
        assert roster.picks[0].unit is None


def test_without_understandable_content_of_the_last_keeper_revisions_are_as_shipped(
    tmp_path: Path, library: Library, keeper: Keeper
) -> None:
    broken = book_data(unit("soldier", 5, "laser"))
    library.ask(last := Keeper(broken))
    assert points(library.catalogue("tiny", ["book"], {"book": revision_of(broken)})) == SHIPPED
    assert (keeper.asked, last.asked) == ([], [("book", revision_of(broken))]), "it alone is asked"
    made = load_library(tmp_path)
    assert points(made.catalogue("tiny", ["book"], {"book": OLD_REVISION})) == SHIPPED
    assert made.catalogue("tiny", [MINE["id"]], {MINE["id"]: MY_REVISION}).books == ()


# What is made once


def test_the_catalogue_of_one_choice_of_books_is_made_once(
    library: Library, keeper: Keeper
) -> None:
    pinned = {"book": OLD_REVISION, MINE["id"]: MY_REVISION}
    first = library.catalogue("tiny", list(pinned), pinned)
    asked = len(keeper.asked)
    assert library.catalogue("tiny", list(pinned), pinned) is first
    assert len(keeper.asked) == asked == 2
    assert library.catalogue("tiny", ["book"]) is library.catalogue("tiny", ["book"])
    assert library.catalogue("tiny", ["book"], {"book": OLD_REVISION}) is not first


def test_a_book_that_was_not_found_is_looked_for_again(library: Library, keeper: Keeper) -> None:
    pinned = {MINE["id"]: MY_REVISION}
    kept = dict(keeper.kept)
    keeper.kept.clear()
    assert library.catalogue("tiny", list(pinned), pinned).books == ()
    keeper.kept |= kept
    assert len(library.catalogue("tiny", list(pinned), pinned).books) == 1


def test_only_so_many_catalogues_are_kept(
    library: Library, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library._pinned, "most", 2)
    for number in range(4):
        book = book_data(unit("soldier", number))
        keeper.kept["book", revision_of(book)] = book
        pinned = {"book": revision_of(book)}
        first = library.catalogue("tiny", ["book"], pinned)
        assert library.catalogue("tiny", ["book"], pinned) is first, "the newest is there"
    assert len(keeper.asked) == 4
    library.catalogue("tiny", ["book"], pinned)
    assert len(keeper.asked) == 4
    library.catalogue("tiny", ["book"], {"book": revision_of(book_data(unit("soldier", 0)))})
    assert len(keeper.asked) == 5, "the oldest was forgotten"


def test_kept_books_with_too_many_units_together_are_refused_before_they_are_built(
    library: Library, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_KEPT_UNITS", 3)
    pinned = {}
    for name in ("one", "two"):
        book = book_data(unit("soldier", 1), unit("knight", 2), id=name)
        pinned[name] = revision_of(book)
        keeper.kept[name, pinned[name]] = book
    library.catalogue("tiny", ["one"], pinned)
    with pytest.raises(Refusal, match="3 units together"):
        library.catalogue("tiny", ["one", "two"], pinned)


def test_several_books_bring_their_rules_into_one_list() -> None:
    system = shipped_library().system("t9a-2023")
    other = {**CAPPED, "id": "other", "categories": [{"id": "rare", "name": "Rare", "max": "5%"}]}
    other["units"] = [{**each, "categories": ["rare"]} for each in CAPPED["units"]]
    books = [build_book(data, system, "book.json")[0] for data in (CAPPED, other)]
    catalogue = make_catalogue(system, [book for book in books if book])
    roster = (take("capped/soldier"), take("other/soldier"))
    found = judge(catalogue, *roster, limit=900).findings
    over = {one.values["what"] for one in found if one.code == "category.over"}
    assert over == {"Core", "Rare"}


def test_a_cache_keeps_as_many_as_it_may_and_as_fit() -> None:
    most: Cache[str, int] = Cache(2)
    for key in "abac":
        assert most.put(key, 1) == 1
    assert list(most) == ["a", "c"]
    assert (most.get("b"), most.get("c"), len(most)) == (None, 1, 2)
    fitting: Cache[str, int] = Cache(9, lambda values: sum(values) <= 5)
    for key, weight in (("a", 2), ("b", 3), ("c", 2), ("d", 7)):
        fitting.put(key, weight)
        assert fitting.get(key) == weight
    assert list(fitting) == ["d"]
    fitting.clear()
    assert not len(fitting)


# Books are made when they are first asked for


def asked_for(library: Library) -> list[str]:
    """The books whose units somebody has asked for."""
    books = library.books["tiny"].values()
    return [one.id for one in books if isinstance(one.contents, Once) and one.contents.is_made]


def test_a_book_is_known_before_its_units_are_made_and_a_list_makes_no_other(
    library: Library,
) -> None:
    book = library.books["tiny"]["book"]
    assert book.name == "Tiny book"
    assert book.names == {"book/soldier": "Soldier", "book/knight": "Knight"}
    assert asked_for(library) == []
    library.catalogue("tiny", ["book"])
    assert asked_for(library) == ["book"]


def test_names_and_units_are_the_same_units_in_the_same_order() -> None:
    for books in shipped_library().books.values():
        for book in books.values():
            assert {ref: unit.name for ref, unit in book.units.items()} == book.names
            assert list(book.units) == list(book.names)


def test_a_book_is_made_of_what_was_checked_whatever_becomes_of_its_file(
    tmp_path: Path, library: Library
) -> None:
    (tmp_path / "tiny" / "book.json").write_text("{")
    (tmp_path / "tiny" / "elves.json").unlink()
    assert points(library.catalogue("tiny", ["book"])) == SHIPPED
    assert len(library.books["tiny"]["elves"].units) == 1
    assert library.shipped_data("tiny", "book") == NEW


def test_threads_that_ask_at_once_get_the_same_units(library: Library) -> None:
    asked, book = Barrier(8), library.books["tiny"]["book"]

    def ask(_number: int) -> int:
        asked.wait()
        return id(book.units)

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1


# Books built apart


CAPPED = {
    **book_data(
        unit(
            "soldier",
            100,
            categories=["core"],
            options=[{"id": "flag", "name": "Flag", "needs": {"taken": "knight", "in": "army"}}],
        ),
        unit("knight", 100, categories=["core"]),
        id="capped",
        categories=[{"id": "core", "name": "Core", "max": "10%"}],
    ),
    "system": "t9a-2023",
}


def test_a_book_that_is_built_checked_or_pinned_leaves_no_trace_elsewhere(library: Library) -> None:
    system = shipped_library().system("t9a-2023")
    selector_index = system.selector_index
    before = (list(selector_index.selectors), set(selector_index.watched))
    data = {**CAPPED, "categories": [{"id": "strange-core", "name": "Core", "max": "10%"}]}
    data["units"] = [{**each, "categories": ["strange-core"]} for each in CAPPED["units"]]
    book, problems = build_book(data, system, "book.json")
    assert book is not None, problems
    catalogue = make_catalogue(system, [book])
    assert (list(selector_index.selectors), set(selector_index.watched)) == before
    own = catalogue.system.selector_index
    assert len(own.selectors) > len(before[0])
    assert own.selectors[: len(before[0])] == before[0], "old numbers stay"
    assert own.watched > before[1]
    found = judge(catalogue, take("capped/soldier"), limit=100).findings
    assert "category.over" in {each.code for each in found}
    system = shipped_library().system("t9a-2023")
    selectors = list(system.selector_index.selectors)
    data = {**CAPPED, "categories": [{"id": "other-core", "name": "Core", "max": "9%"}]}
    data["units"] = [{**each, "categories": ["other-core"]} for each in CAPPED["units"]]
    assert book_problems(data, system, "book") == []
    assert system.selector_index.selectors == selectors
    system = library.system("tiny")
    selectors = list(system.selector_index.selectors)
    made = library.catalogue("tiny", ["book"], {"book": OLD_REVISION})
    assert made.system.selector_index is not system.selector_index
    assert system.selector_index.selectors == selectors


def test_a_book_that_is_no_file_yet_is_checked_like_one() -> None:
    for change, where in (
        ({"colour": "red"}, [""]),
        ({"units": [unit("soldier", 5, "laser")]}, ["/units/0/abilities/0"]),
        ({"units": []}, []),
    ):
        data, system = of_chainmail(unit("man", 5))
        data = {**data, **change}
        data["units"] = [{**each, "attributes": {}} for each in data["units"]]
        found = book_problems(data, system, "mine")
        assert [(each.file, each.pointer) for each in found] == [("mine", at) for at in where]


def of_chainmail(*units: Data) -> tuple[Data, System]:
    system = shipped_library().system("chainmail-2002")
    data = {**book_data(*units), "system": system.id}
    data["units"] = [{**each, "attributes": {}} for each in data["units"]]
    return data, system


def test_a_custom_book_has_a_limited_number_of_mistakes_reported() -> None:
    data, system = of_chainmail(*(unit(f"man-{n}", 5, "laser") for n in range(9)))
    assert len(book_problems(data, system, "mine")) == 9
    assert len(book_problems(data, system, "mine", 4)) == 4
    data["units"] = [{**each, "colour": "red"} for each in data["units"]]
    assert len(book_problems(data, system, "mine", 4)) == 4
    data, system = of_chainmail(unit("man", 5), unit("dog", 3), unit("cat", 2))
    known = [data["units"][0], data["units"][2]]
    assert book_problems(data, system, "mine", known=known) == []
    data["units"][1] = {**data["units"][1], "colour": "red"}
    (wrong,) = book_problems(data, system, "mine", known=known)
    assert (wrong.pointer, wrong.message) == ("/units/1", "“colour” is not known here.")
    data, system = of_chainmail(unit("man", 5), unit("dog", 3))
    known = data["units"]
    alike = {**data, "units": [known[0], {**known[1], "points": True}]}
    (wrong,) = book_problems(alike, system, "mine", known=known)
    assert wrong.pointer == "/units/1/points"
    (wrong,) = book_problems({**data, "name": ""}, system, "mine", known=known)
    assert wrong.pointer == "/name"
    (wrong,) = book_problems({**data, "units": known * 2}, system, "mine", 1, known=known)
    assert wrong.pointer == "/units/2/id"


# Editions


def test_a_pinned_revision_is_built_for_the_edition_of_the_list_if_it_is_of_its_books(
    tmp_path: Path, keeper: Keeper
) -> None:
    write_folder(tmp_path, system_data(), NEW)
    write_folder(tmp_path, edition(words={"model": "figure", "list": "band"}))
    made = load_library(tmp_path)
    made.ask(keeper)
    found = made.catalogue("second", ["book"], {"book": OLD_REVISION})
    assert (found.system.model_word, points(found)) == ("figure", {"book/soldier": 5})
    write_folder(tmp_path, system_data(), NEW)
    write_folder(tmp_path, edition(base_books=[]))
    made = load_library(tmp_path)
    made.ask(keeper)
    assert made.catalogue("second", ["book"], {"book": OLD_REVISION}).units == {}
    theirs = book_data(unit("soldier", 8), system="second")
    pinned = {"book": OLD_REVISION}
    write_folder(tmp_path, system_data(), NEW, book_data(unit("elf"), id="elves"))
    for named in ([], ["elves"]):
        write_folder(tmp_path, edition(base_books=named), theirs)
        made = load_library(tmp_path)
        made.ask(keeper)
        assert points(made.catalogue("second", ["book"], pinned)) == {"book/soldier": 8}
        assert points(made.catalogue("tiny", ["book"], pinned)) == {"book/soldier": 5}
        mine = made.catalogue("second", [MINE["id"]], {MINE["id"]: MY_REVISION})
        assert points(mine) == {f"{MINE['id']}/imp": 3}, "a player's book serves every edition"


# Abilities that a book brings itself, and the other keys of its cards that are new to rules.

RAGE: Data = {"id": "rage", "name": "Rage", "rating": "plus", "summary": "Hits harder."}
BITE: Data = {"id": "bite", "name": "Bite"}


def raging(*units: Data, system: Data | None = None, **more: Any) -> Catalogue:
    more.setdefault("abilities", [RAGE, BITE])
    return catalogue(system or system_data(), book_data(*units, **more))


def test_a_book_may_bring_abilities_for_its_own_units_that_ask_for_what_they_need() -> None:
    made = raging(unit("orc", 5, "rage 2", "bite", "big"))
    uses = made.units["book/orc"].abilities
    assert [use.label for use in uses] == ["Rage +2", "Bite", "Big"]
    rage = uses[0].ability
    assert (rage.summary, rage.group, str(rage.citation)) == ("Hits harder.", "Own", "Tiny book")
    assert made.units["book/orc"].ratings == {"rage": 2}
    assert "ability:bite" in made.units["book/orc"].tags
    assert "bite" not in made.system.abilities, "the system stays as it is"
    abilities = [
        {**BITE, "rating": "dc", "rating_optional": True},
        {"id": "foe", "name": "Foe", "target": "enemy", "target_optional": True},
    ]
    made = raging(unit("orc", 5, "bite", "bite 12", "foe", "foe: Elves"), abilities=abilities)
    labels = [use.label for use in made.units["book/orc"].abilities]
    assert labels == ["Bite", "Bite 12", "Foe", "Foe (Elves)"]
    use = raging(unit("orc", 5, "rage ?")).units["book/orc"].abilities[0]
    assert (use.label, use.known) == ("Rage +?", False)
    made = catalogue(
        system_data(),
        book_data(unit("orc", 5, "rage 2"), abilities=[RAGE]),
        book_data(unit("elf", 5, "rage"), id="elves", abilities=[{"id": "rage", "name": "Wrath"}]),
    )
    labels = {ref: unit.abilities[0].label for ref, unit in made.units.items()}
    assert labels == {"book/orc": "Rage +2", "elves/elf": "Wrath"}


def test_own_abilities_are_offered_to_own_models_beside_the_systems() -> None:
    system = system_data(own_models=True)
    made = raging(unit("orc"), system=system)
    stats = {"nerve": 3, "speed": 6}
    profile = {"name": "Me", "stats": stats, "abilities": [{"ability": "bite"}, {"ability": "big"}]}
    roster = make_roster(value_of(document({"profile": profile, "models": 1})), made)
    assert roster.strays == ()
    assert roster.picks[0].unit is not None
    labels = [use.label for use in roster.picks[0].unit.abilities]
    assert labels == ["Bite", "Big"]
    assert read_ability("rage ?") == {"ability": "rage", "rating": None}
    assert read_ability("rage -2: Elves") == {"ability": "rage", "rating": -2, "target": "Elves"}
    assert read_ability({"ability": "rage", "uses": 3}) == {"ability": "rage", "uses": 3}
    with pytest.raises(ValueError, match="Rage"):
        read_ability("Rage")
    assert own_abilities(book_data()) == {}


# Points

FORMULA = {"weights": {"nerve": 5}, "from": 7, "minus": "nerve", "divide": 2, "minimum": 1}


def formula_system() -> Data:
    """Points are (5 × Nerve + abilities) × (7 - Nerve) / 2: for Nerve 3 twice the sum."""
    data = system_data()
    data["points"] = {**data["points"], "formula": FORMULA}
    big = next(entry for entry in data["abilities"] if entry["id"] == "big")
    big["points"] = 3
    return data


def orc(*abilities: str, **more: Any) -> Data:
    data = unit("orc", None, *abilities, stats={"nerve": 3}, **more)
    del data["points"]
    return data


def test_points_of_own_abilities_and_changed_ones_count_in_the_price_formula() -> None:
    own = [{**BITE, "points": 4}]
    for abilities, points in (([], 30), (["bite"], 38), (["bite", "big"], 44), (["big"], 36)):
        made = raging(orc(*abilities), system=formula_system(), abilities=own)
        assert made.units["book/orc"].price.of(1) == points
    own = {**BITE, "points": 4}
    made = raging(
        orc("bite", "big"), system=formula_system(), abilities=[own], ability_points={"big": 10}
    )
    assert made.units["book/orc"].price.of(1) == 2 * (15 + 4 + 10)
    assert made.abilities["big"].points == 10
    assert made.abilities["bite"].points == 4
    made = catalogue(
        formula_system(),
        book_data(orc("bite", "big"), abilities=[{**BITE, "points": 4}]),
        {**book_data(id="house"), "units": [], "ability_points": {"big": 0}},
    )
    assert made.units["book/orc"].price.of(1) == 2 * (15 + 4)
    assert [use.label for use in made.units["book/orc"].abilities] == ["Bite", "Big"]
    system = game().system
    data = book_data({**orc("bite"), "points": 38}, abilities=[{**BITE, "points": 4}])
    made = catalogue(formula_system()).system
    assert book_problems(data, made, "book") == []
    data["units"][0]["points"] = 30
    assert [problem.pointer for problem in book_problems(data, made, "book")] == ["/units/0/points"]
    assert system.formula is None


# What is refused


def test_a_mistake_with_own_abilities_is_reported() -> None:
    changes: list[tuple[Data, str, str]] = [
        ({"abilities": [{"id": "big", "name": "Big"}]}, "/abilities/0/id", "already"),
        ({"abilities": [BITE, BITE]}, "/abilities/1/id", "taken"),
        ({"ability_points": {"bite": 4}}, "/ability_points/bite", "bite"),
        ({"units": [unit("orc", 5, "rage")]}, "/units/0/abilities/0", "needs a rating"),
        ({"units": [unit("orc", 5, "bite 3")]}, "/units/0/abilities/0", "no rating"),
        ({"units": [unit("orc", 5, "bite", "bite")]}, "/units/0/abilities/1", "twice"),
        ({"units": [unit("orc", 5, "wrath")]}, "/units/0/abilities/0", "wrath"),
        ({"abilities": [{**BITE, "cite": "1"}]}, "/abilities/0", "cite"),
        ({"abilities": [{"id": "bite"}]}, "/abilities/0", "name"),
        ({"abilities": [{**BITE, "rating": "stars"}]}, "/abilities/0/rating", "stars"),
        ({"abilities": [{**BITE, "points": 1000}]}, "/abilities/0/points", "999"),
    ]
    for change, where, word in changes:
        data = {**book_data(unit("orc", 5), abilities=[RAGE, BITE]), **change}
        (wrong,) = book_problems(data, game().system, "book")
        assert wrong.pointer == where, change
        assert word in wrong.message, change
        assert wrong.advice
    abilities, system = [RAGE, {**BITE, "rating": "number"}], game().system
    good = book_data(unit("orc", 5, "rage -1"), abilities=abilities)
    assert book_problems(good, system, "book") == []
    (wrong,) = book_problems(
        book_data(unit("orc", 5, "bite -1"), abilities=abilities), system, "book"
    )
    assert wrong.pointer == "/units/0/abilities/0"


# The other keys of a card


CARD: Data = {
    "unique": "Xul",
    "texts": {"attacks": ["Claw: +9 vs AC", "Bite: +7 vs Ref"]},
    "owned": 3,
    "number": "12/60",
    "suggested": True,
    "lifts": [{"rule": "rule", "of": {"side": "evil", "keyword": ["undead", "ghost"]}}],
}
TEXTS = [{"id": "attacks", "name": "Attacks", "help": "One to a line."}]


def test_a_card_is_read_with_all_that_it_says_and_its_notes_break_no_rule() -> None:
    made = game(rule("limit", count="models", max=9), units=[unit("lich", 5, **CARD)], texts=TEXTS)
    lich = made.units["book/lich"]
    assert (lich.unique, lich.owned, lich.number, lich.suggested) == ("Xul", 3, "12/60", True)
    assert dict(lich.texts) == {"attacks": ("Claw: +9 vs AC", "Bite: +7 vs Ref")}
    wanted = Selector.read({"side": "evil", "keyword": ["undead", "ghost"]})
    assert lich.lifts == (Lift("rule", wanted),)
    part = made.system.texts["attacks"]
    assert (part.id, part.name, part.help) == ("attacks", "Attacks", "One to a line.")
    plain = game().units["book/soldier"]
    assert (plain.unique, plain.number, plain.suggested) == ("", "", False)
    assert (plain.owned, dict(plain.texts), plain.lifts) == (None, {}, ())
    made = game(units=[unit("lich", 5, keywords=["Undead", "Cold Aura"])])
    assert {"keyword:undead", "keyword:cold-aura"} <= made.units["book/lich"].tags
    for kind in ("own", "converted"):
        data = book_data(kind=kind)
        assert schema_problems("book", data, "book") == []
        assert catalogue(system_data(), data).books[0].kind == kind
    made = game(units=[unit("lich", 5, owned=0, suggested=True)])
    report = judge(make_catalogue(made.system, made.books), take("lich"))
    assert report.legal
    assert len(report.findings) == 2
