"""Sentences of event packs, random ones over a tiny game: the verdict is what their words mean.

The meaning is written here a second time, over plain units and options; of an event whose lists can
all be counted, what solves knows the same as what judges.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any, NamedTuple

import pytest

from armybuilder.authoring.pack_entries import entries_of, with_sentence
from armybuilder.authoring.pack_names import PackNames
from armybuilder.authoring.pack_sentences import Part, Sentence
from armybuilder.authoring.packs import ids_in
from armybuilder.loading.documents import judge_at
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, at_event, build_pack
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import filling
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.repair import repairs
from tests.building.documents import value_of
from tests.building.tiny import book_data, catalogue, document, rule, system_data, take, unit
from tests.effort import tries
from tests.loading.test_packs import pack_data

pytestmark = pytest.mark.long

LIMIT = 14
OPTIONS = {"banner": 1, "charm": 2}
#: Units by book and id: points of the first model, of each further one, and abilities.
UNITS = {
    "book/guard": (4, 2, ()),
    "book/archer": (5, 1, ("bow",)),
    "book/giant": (6, 3, ("big",)),
    "other/raider": (4, 3, ()),
    "other/slinger": (5, 2, ("bow",)),
}


def _unit(ref: str) -> dict[str, Any]:
    points, more, abilities = UNITS[ref]
    options = [{"id": key, "name": key.title(), "points": each} for key, each in OPTIONS.items()]
    about = {"size": [1, 3], "points_per_model": more, "options": options}
    return unit(ref.partition("/")[2], points, *abilities, **about)


def _book(book: str) -> dict[str, Any]:
    return book_data(*(_unit(ref) for ref in UNITS if ref.startswith(f"{book}/")), id=book)


POINTS = rule("limit", "points.over", id="points", count="points", max="limit")
GAMES = {
    book: catalogue(system_data(POINTS, sized=True), _book(book)) for book in ("book", "other")
}
SYSTEM = GAMES["book"].system
BOOKS = {book: game.books[0] for book, game in GAMES.items()}
LIBRARY = Library({"tiny": SYSTEM}, {"tiny": BOOKS}, packs={})


class Taken(NamedTuple):
    """A unit on a list."""

    ref: str
    models: int
    options: tuple[str, ...]

    @property
    def tags(self) -> set[str]:
        return {f"unit:{self.ref}", *(f"ability:{one}" for one in UNITS[self.ref][2])}

    @property
    def points(self) -> int:
        first, more, _abilities = UNITS[self.ref]
        return first + more * (self.models - 1) + sum(OPTIONS[one] for one in self.options)


Army = tuple[Taken, ...]


# The meaning of a sentence, by its words


def is_meant(part: Part, tags: set[str]) -> bool:
    return (not part.of or bool(tags & {*part.of})) and part.but not in tags


def amount(part: Part, army: Army) -> int:
    """How much of a part there is: whole units, or else what they have taken of it."""
    total = 0
    for one in army:
        # All but something are units.
        named = one.options if part.of else ()
        options = [key for key in named if is_meant(part, {f"option:{key}"})]
        if is_meant(part, one.tags):
            whole = {"models": one.models, "points": one.points, "picks": 1, "units": 1}
            total += whole["points" if part.count == "percent" else part.count]
        elif part.count == "models":
            total += one.models * len(options)
        elif part.count == "picks":
            total += len(options)
        elif part.count in ("points", "percent"):
            total += sum(OPTIONS[key] for key in options)
    return total


def fits(number: int | Fraction, side: str, bound: int | Fraction) -> bool:
    return number <= bound if side == "max" else number >= bound


def bound_of(part: Part, number: str) -> Fraction:
    return Fraction(int(number) * LIMIT, 100) if part.count == "percent" else Fraction(int(number))


def holds(said: Sentence, army: Army, book: str) -> bool:
    """Whether an army of a book does what a sentence asks."""
    if said.books and book not in said.books:
        return True
    number, meant = (
        said.number,
        [one for one in army if said.parts and is_meant(said.parts[0], one.tags)],
    )
    match said.asks:
        case "limit":
            (part,) = said.parts
            found = amount(part, army)
            within = not said.top or found <= said.top
            return within and fits(found, said.side, bound_of(part, str(number)))
        case "none":
            return not amount(said.parts[0], army)
        case "copies":
            counts = {one.ref: 0 for one in meant}
            for one in meant:
                counts[one.ref] += one.models if said.parts[0].count == "models" else 1
            return all(count <= number for count in counts.values())
        case "each-unit":
            worth = [one.models if said.parts[0].count == "models" else one.points for one in meant]
            return all(fits(one, said.side, number) for one in worth)
        case "items":
            (part,) = said.parts
            return all(
                len({f"option:{o}" for o in one.options} & {*part.of}) <= number for one in army
            )
        case "weighted":
            weights = [Fraction(part.number) * amount(part, army) for part in said.parts]
            return fits(sum(weights, Fraction()), said.side, number)
        case "some":
            parts = [fits(amount(p, army), p.side, bound_of(p, p.number)) for p in said.parts]
            return sum(parts) >= number
        case "less":
            return sum(one.points for one in army) <= LIMIT - number
    raise AssertionError(said.asks)


def is_legal(sentences: Sequence[Sentence], army: Army, book: str) -> bool:
    within = sum(one.points for one in army) <= LIMIT
    return within and all(holds(one, army, book) for one in sentences)


# Random packs, and all lists

THINGS = ["ability:bow", "ability:big", *(f"unit:{ref}" for ref in UNITS)]
TAKEN = [f"option:{key}" for key in OPTIONS]


def random_part(chance: Random, things: Sequence[str], counts: Sequence[str]) -> Part:
    of = tuple(sorted(chance.sample(things, chance.choice((0, 1, 1, 2)))))
    but = chance.choice(("", "", "ability:bow"))
    count = chance.choice(counts)
    number = chance.choice(("1", "2", "1/2", "3"))
    if count == "units" and {*of} & {*TAKEN}:
        count = "picks"
    return Part(of, but, count, chance.choice(("max", "max", "min")), number)


def random_sentence(chance: Random) -> Sentence:
    books = chance.choice(((), (), ("book",), ("other",), ("book", "other")))
    side, number = chance.choice(("max", "max", "min")), chance.randint(0, 4)
    every, counts = [*THINGS, *TAKEN], ("units", "models", "points", "picks")
    about = {"books": books, "side": side}
    match chance.choice(
        ("limit", "limit", "none", "copies", "each-unit", "items", "weighted", "some", "less")
    ):
        case "limit":
            part = random_part(chance, every, (*counts, "percent"))
            if part.count == "percent":
                return Sentence("limit", chance.choice((20, 50, 75)), parts=(part,), **about)
            top = number + chance.randint(0, 2) if side == "min" else 0
            return Sentence("limit", number, top=top, parts=(part,), **about)
        case "none":
            part = random_part(chance, every, ("picks",))
            part = Part(part.of or ("option:charm",), part.but, "picks")
            return Sentence("none", parts=(part,), books=books)
        case "copies":
            part = random_part(chance, THINGS, ("units", "models"))
            return Sentence("copies", max(1, number), parts=(part,), books=books)
        case "each-unit":
            part = random_part(chance, THINGS, ("models", "points"))
            return Sentence(
                "each-unit", number * (2 if part.count == "points" else 1), parts=(part,), **about
            )
        case "items":
            of = tuple(sorted(chance.sample(TAKEN, chance.choice((1, 2)))))
            return Sentence("items", chance.randint(0, 1), parts=(Part(of),), books=books)
        case "weighted":
            parts = tuple(random_part(chance, every, counts) for _ in range(chance.randint(1, 2)))
            return Sentence("weighted", number, parts=parts, **about)
        case "some":
            parts = tuple(
                Part(one.of, one.but, one.count, one.side, str(chance.randint(0, 3)))
                for one in (random_part(chance, every, (*counts, "percent")) for _ in range(3))
            )
            return Sentence("some", chance.randint(1, 3), parts=parts, books=books)
    return Sentence("less", chance.randint(1, 6), parts=(), books=books)


def random_pack(chance: Random) -> tuple[Pack, dict[str, Sentence]]:
    """A pack of some random sentences, by the ids of their rules; it reads as they were written."""
    sentences: dict[str, Sentence] = {}
    data: Any = pack_data()
    for _ in range(chance.randint(1, 4)):
        said, known = random_sentence(chance), {*ids_in(data)}
        data = with_sentence(data, said, PackNames(LIBRARY, SYSTEM, data))
        (rule_id,) = {*ids_in(data)} - known
        sentences[rule_id] = said
    pack, problems = build_pack(data, LIBRARY.systems, "cup.json")
    assert pack is not None, problems
    read = [entry.sentence for entry in entries_of(data)]
    assert len(read) == len(sentences)
    assert None not in read, data
    return pack, sentences


def choices_of(book: str) -> list[Taken]:
    options = [one for size in range(3) for one in combinations(OPTIONS, size)]
    return [
        Taken(ref, models, taken)
        for ref in UNITS
        if ref.startswith(f"{book}/")
        for models in (1, 2, 3)
        for taken in options
    ]


def all_armies(book: str) -> Iterator[Army]:
    """All armies of a book within the limit: no unit costs less than four points."""
    for size in range(LIMIT // 4 + 1):
        for army in combinations_with_replacement(choices_of(book), size):
            if sum(one.points for one in army) <= LIMIT:
                yield army


def list_of(army: Army, book: str) -> Any:
    entries = [
        take(one.ref, one.models, options=[{"id": key} for key in one.options]) for one in army
    ]
    return value_of(document(*entries, limit=LIMIT, books=[book]))


def army_of(found: Any) -> Army:
    return tuple(
        Taken(one.ref, one.models, tuple(sorted(option.id for option in one.options)))
        for one in found.units
    )


def test_a_list_is_legal_where_the_sentences_mean_that_it_is() -> None:
    legal = 0
    for seed in range(tries(240)):
        chance = Random(seed)  # noqa: S311, tries, not secrets
        pack, by_rule = random_pack(chance)
        sentences = [*by_rule.values()]
        for book, game in GAMES.items():
            for _ in range(12):
                army = tuple(chance.choices(choices_of(book), k=chance.choice((0, 1, 1, 2, 2, 3))))
                judged = judge_at(list_of(army, book), game, pack).report.legal
                meant = is_legal(sentences, army, book)
                assert judged == meant, (seed, sentences, army)
                legal += meant
    assert legal > tries(240) * 6


def test_what_solves_knows_which_packs_leave_lists_and_mends_by_their_meaning() -> None:
    dead = mended = explained = 0
    for seed in range(1000, 1000 + tries(60)):
        chance = Random(seed)  # noqa: S311, tries, not secrets
        pack, by_rule = random_pack(chance)
        sentences = [*by_rule.values()]
        for book, game in GAMES.items():
            there = at_event(game, pack)
            possible = any(is_legal(sentences, army, book) for army in all_armies(book))
            empty = list_of((), book)
            fate = look_ahead(empty, there, CpSat(), 5).whole
            assert fate is (Fate.OPEN if possible else Fate.DEAD), (seed, sentences, book)
            dead += not possible
            filled = filling(empty, there, CpSat(), 1, seconds=5).filled
            assert (filled is not None) == possible, (seed, sentences, book)
            if filled is not None:
                assert is_legal(sentences, army_of(filled.army_list), book), (seed, sentences)
            elif (core := explain(empty, there, CpSat(), 5)) is not None:
                named = [by_rule[one.id] for one in core.rules if one.id != "points"]
                assert not any(is_legal(named, each, book) for each in all_armies(book)), seed
                explained += 1
            army = tuple(chance.choices(choices_of(book), k=2))
            if possible and not is_legal(sentences, army, book):
                found = repairs(list_of(army, book), there, CpSat(), number=1, seconds=5).found
                assert found, (seed, sentences, army)
                assert is_legal(sentences, army_of(found[0].army_list), book), (seed, sentences)
                mended += 1
    assert min(dead, mended, explained) > 0
