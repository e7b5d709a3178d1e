"""docs/truth.md: how far a verdict can be trusted, in numbers that anyone can make again; and those
of the second reading as data, which the page "How far the verdicts go" shows.

    python -m tests.second_reading.truth
    python -m tests.second_reading.truth t9a-2024    counts the armies of this game only

It stands among the tests because all that it counts does: cases worked out by hand, and the second
reading. The same seed and number of armies give the same page. `BATTLESCRIBE_FILES` names the
source's files. The armies of games that are not counted anew are told as they stand in the page.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import django

from armybuilder.engine import Severity, validate
from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of
from tests.golden import adapter, check
from tests.second_reading.comparing import differences
from tests.second_reading.growing import OTHER_SIZES, SIZES, Document
from tests.second_reading.reader.parts import Place
from tests.second_reading.reader.wordings import WIZARDS, has_stat_line, is_mount, words_of
from tests.second_reading.reasons import REASONS
from tests.second_reading.running import (
    SEED,
    VARIABLE,
    Bench,
    Result,
    Tally,
    make_bench,
    run,
    sorts,
    source_folder,
)
from tests.solving.figures import section

# What random armies meet seldom, tried one by one: restrictions in words, and options.
#
# A restriction is tried on everyone it reaches: on foot, on each of the mounts, and with each of
# the choices that it may speak of, in an army of one unit, of which nothing is compared but what is
# said of restrictions in words. Every unit is tried by itself and with every option of it, at its
# smallest and at its largest, in armies of many units with one option on each, of which all is
# compared that is said of one unit.

#: Beside mounts, what a wording may speak of, by how its name begins.
SPOKEN_OF = (*WIZARDS, "Battle Standard Bearer", "Ambush", "Cult of", "Caelysian Pantheon")

Option = dict[str, Any]


def sweep(bench: Bench, every: int = 1) -> Result:
    """Try them all, or every so-manieth."""
    result = Result({book: Tally() for book in bench.books})
    for number, (label, document) in enumerate(tries(bench)):
        if number % every == 0:
            case = bench.judge(document)
            found = [one for one in differences(case) if one.kind in ("named", "hidden")]
            result.count(label, case, found)
    return result


def tries(bench: Bench) -> Iterator[tuple[str, Document]]:
    """An army of one unit for each restriction, unit, and companion of the restriction."""
    for book in bench.books:
        source, names = bench.source(book), bench.names[book]
        words = words_of(source)
        for unit in bench.catalogue(book).units.values():
            id_ = unit.ref.partition("/")[2]
            place = next((p for p in source.units.values() if id_ in names.ours(p.id)), None)
            if place is None:
                continue
            bound = _ours(bench, book, (p for p in place.walk() if words.of(p)))
            beside = _ours(bench, book, (p for p in place.walk() if _spoken_of(p)))
            for option in sorted(bound):
                for other in ("", *sorted(beside)):
                    label = f"{unit.name}, {option}, {other or 'alone'}"
                    yield label, _army(bench, book, unit, option, other)


def _ours(bench: Bench, book: str, places: Iterator[Place]) -> frozenset[str]:
    return frozenset().union(*(bench.names[book].ours(place.id) for place in places))


def _spoken_of(place: Place) -> bool:
    entry = not place.is_group and place.owner is not None and place.what.type != "model"
    return entry and (is_mount(place) or place.name.startswith(SPOKEN_OF))


def _army(bench: Bench, book: str, unit: Unit, option: str, other: str) -> Document:
    """The unit as it comes, with the option and what stands beside it."""
    taken: dict[str, Option] = {pick.id: {"id": pick.id} for pick in unit.fresh if not pick.given}
    for wanted in (other, option):
        path = _path(unit.offer, wanted)
        if path:
            take(taken, unit.offer, path)
    entry = {"unit": unit.ref, "models": unit.smallest, "options": [*taken.values()]}
    return list_of(bench.system, [book], [entry], limit=4500, name="Second reading")


def _path(offer: Offer, wanted: str, depth: int = 0) -> tuple[str, ...]:
    """The way to an option, () where it is not offered."""
    if wanted in offer.slots:
        return (wanted,)
    for id_, slots in offer.slots.items() if depth < 2 else ():
        inner = _path(slots[0].option.offer, wanted, depth + 1)
        if inner:
            return (id_, *inner)
    return ()


def take(taken: dict[str, Option], offer: Offer, path: tuple[str, ...]) -> None:
    """Take what a path leads to; what else stands in a group that has room for one makes way."""
    first, *rest = path
    groups = {group.id for group in offer.slots[first][0].groups if group.most.base == 1}
    for id_ in list(taken):
        around = {group.id for group in offer.slots[id_][0].groups}
        if id_ != first and around & groups:
            del taken[id_]
    one = taken.setdefault(first, {"id": first})
    if rest:
        one["options"] = [
            {"id": rest[0]} if len(rest) == 1 else {"id": rest[0], "options": rest[1:]}
        ]


#: So many units stand in one army, which is cheaper than an army for each.
TOGETHER = 40
#: How deep options on options are followed: as deep as a document writes them.
DEEPEST = 3


def units_alone(bench: Bench, every: int = 1) -> Result:
    """Try all units with all options, or every so-manieth."""
    result = Result({book: Tally() for book in bench.books})
    for book in bench.books:
        units = bench.catalogue(book).units.values()
        entries = [entry for unit in units for entry in _all(unit)][::every]
        for first in range(0, len(entries), TOGETHER):
            some = entries[first : first + TOGETHER]
            army = list_of(bench.system, [book], some, limit=8000, name="Second reading")
            case = bench.judge(army)
            found = [one for one in differences(case) if one.line is not None]
            result.count(f"{book}, from {first}", case, found)
    return result


def _all(unit: Unit) -> Iterator[Document]:
    """The unit by itself and with each of its options, in both of its sizes."""
    most = unit.size[1].base if unit.size else unit.smallest
    for models in dict.fromkeys((unit.smallest, most or 2 * unit.smallest)):
        for path in ((), *_paths(unit.offer)):
            taken = {pick.id: {"id": pick.id} for pick in unit.fresh if not pick.given}
            if path:
                take(taken, unit.offer, path)
            yield {"unit": unit.ref, "models": models, "options": [*taken.values()]}


def _paths(offer: Offer, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for id_, slots in offer.slots.items():
        yield (*above, id_)
        if len(above) + 1 < DEEPEST:
            yield from _paths(slots[0].option.offer, (*above, id_))


PAGE = Path(__file__).parents[2] / "docs" / "truth.md"
GOLDEN = Path(check.__file__).parent
DATA = Path(__file__).parents[2] / "armybuilder" / "library" / "second_reading.json"
#: How many armies of each game.
ARMIES = {"t9a-2023": 10_000, "t9a-2024": 2_000, "t9a-3rd": 1_000, "essence-of-war": 1_000}


def main() -> int:
    """Write the page; how it ended, for the shell."""
    wanted = sys.argv[1:] or list(ARMIES)
    folders = {game: source_folder(game) for game in ARMIES}
    missing = [game for game, folder in folders.items() if folder is None]
    if missing:
        sys.stderr.write(f"{VARIABLE} names no folder with {missing[0]} in it.\n")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()  # rosters are written with words that can be translated
    benches = {game: make_bench(game, folder) for game, folder in folders.items() if folder}
    counted = {
        game: Counted(bench, run(bench, ARMIES[game], SEED), sweep(bench))
        for game, bench in benches.items()
        if game in wanted
    }
    before, data = PAGE.read_text("utf-8"), json.loads(DATA.read_text("utf-8"))
    kept = {one["system"]: one for one in data["games"]}
    games = [figures(counted[game]) if game in counted else kept[game] for game in ARMIES]
    lines = page(benches, counted, before, games)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    DATA.write_text(json.dumps({"games": games}, indent=1) + "\n", encoding="utf-8")
    strange = (one.armies.unexplained or one.words.unexplained for one in counted.values())
    return 1 if any(strange) else 0


class Counted(NamedTuple):
    """What was counted of a game: random armies, and its restrictions in words."""

    bench: Bench
    armies: Result
    words: Result


def page(
    benches: Mapping[str, Bench],
    counted: Mapping[str, Counted],
    before: str,
    games: Iterable[Mapping[str, Any]],
) -> Iterator[str]:
    """The page, line by line; what is not counted anew is as it was `before`. `games` are the
    figures of all.
    """
    held, all_ = _golden()
    yield from HEAD
    yield from _short(held, all_, games)
    yield from _cases(held, all_)
    for game in benches:
        title = f"## {shipped_library().system(game).name}, read twice"
        if game in counted:
            yield from (title, "")
            yield from _armies(counted[game].bench, counted[game].armies)
            yield from _reasons(counted[game].armies)
            yield from _words(counted[game].bench, counted[game].words)
        else:
            yield from (title, *before.partition(f"{title}\n")[2].partition("\n## ")[0].split("\n"))
    yield from section()
    yield from ("## What nobody has tried", "", *UNCOVERED, *_put_on(benches.values()), "")
    for bench in benches.values():
        yield from _without_stat_lines(bench)
        yield ""
    yield from _again(benches.values())
    # What is told of real lists, which nobody counts again without them: as it was.
    accepted = before.partition("## Lists that were accepted\n")[2].rstrip("\n")
    yield from ("## Lists that were accepted", *accepted.split("\n"))


def figures(counted: Counted) -> dict[str, Any]:
    """What the program's own page shows of the second reading: numbers in all and by book."""
    armies = counted.armies
    books = {book: _figures(tally) for book, tally in sorted(armies.tallies.items())}
    game = counted.bench.system
    return {"system": game, "seed": SEED, **_figures(armies.total), "books": books}


def _figures(tally: Tally) -> dict[str, int]:
    return {
        "armies": tally.armies,
        "units": tally.units,
        "wrongly_legal": tally.false_legal,
        "wrongly_not_legal": tally.false_illegal,
    }


HEAD = (
    "# How accurate are the verdicts?",
    "",
    "If we say *legal*, is your list legal? As far as anybody could find out, yes: this page says"
    " how we looked, and how often we were wrong. Where we can't tell, the list says *not checked*,"
    " and you look that up yourself.",
    "",
)


def _short(
    held: Mapping[str, int], all_: Mapping[str, int], games: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """What a player wants to know, in one table and three sentences."""
    read_twice = {one["system"]: one for one in games}
    rows = []
    for id_, system in shipped_library().systems.items():
        one = read_twice.get(id_)
        armies = f"{one['armies']:,}" if one else "–"
        wrong = f"{one['wrongly_legal'] + one['wrongly_not_legal']:,}" if one else "–"
        cases = f"{held[id_]} of {all_[id_]}" if all_[id_] else "–"
        rows.append((system.name, cases, armies, wrong, system.reservation or "–"))
    head = (
        "Game", "Lists worked out by hand: right", "Random armies read twice", "Wrong verdicts",
        "Reservation",
    )  # fmt: skip
    yield from _table(head, rows)
    yield from (
        "",
        "Three things to know before you rely on it:",
        "",
        "- A reservation stands beside every verdict of that game. Without the rulebook, we judge"
        " by its files and by the rules of 2023.",
        "- Both readings of The Ninth Age use the community's files. A mistake there is one here,"
        " too, unless it is among the slips below.",
        "- [What nobody has tried](#what-nobody-has-tried) lists the rest. A program counts the"
        " numbers of both tables and readings; [the end](#make-it-again) says how.",
        "",
    )


# Cases worked out by hand


def _cases(held: Mapping[str, int], all_: Mapping[str, int]) -> Iterator[str]:
    yield from ("## Worked out by hand", "")
    yield (
        "Each of these is a list whose verdict and numbers somebody worked out from the rulebook"
        " before the program was asked. *Hold* are those where it says the same, rule by rule and"
        " point by point."
    )
    yield ""
    names = {id_: system.name for id_, system in shipped_library().systems.items()}
    rows = [(names[id_], all_[id_], held[id_]) for id_ in sorted(all_, key=names.__getitem__)]
    yield from _table(("Game", "Cases", "Hold"), [*rows, ("All", sum(all_.values()),
                                                          sum(held.values()))])  # fmt: skip
    yield ""


def _golden() -> tuple[Counter[str], Counter[str]]:
    """(how many hold, how many there are) by system."""
    held: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    catalogues: dict[tuple[Path, str], Any] = {}
    for file, case in [*check.cases_in(adapter.CASES_DIR), *check.cases_in(GOLDEN / "own")]:
        system = check.system_of(file, case)
        if (file, system) not in catalogues:
            catalogues[file, system] = adapter.catalogue_for(check.read(file), system)
        all_[system] += 1
        held[system] += _holds(case, catalogues[file, system])
    for file in sorted((GOLDEN / "armies").glob("*.json")):
        army = check.read(file)
        all_[army["document"]["system"]] += 1
        held[army["document"]["system"]] += _army_holds(army)
    return held, all_


def _holds(case: dict[str, Any], catalogue: Any) -> bool:
    try:
        check.check_case(case, catalogue)
    except AssertionError:
        return False
    return True


def _army_holds(army: dict[str, Any]) -> bool:
    catalogue = catalogue_of(value_of(army["document"]), shipped_library())
    report = validate(make_roster(value_of(army["document"]), catalogue), catalogue)
    expected = army["expected"]
    prices = {unit: line.points for unit, line in report.lines.items()}
    errors = sorted(found.code for found in report.of(Severity.ERROR))
    return bool(
        report.legal is expected["legal"]
        and errors == expected["findings"]
        and prices == expected["unit_points"]
        and report.spent == expected["spent"]
    )


# The second reading


def _armies(bench: Bench, result: Result) -> Iterator[str]:
    total = result.total
    name = bench.library.system(bench.system).name
    sizes = OTHER_SIZES.get(bench.system, SIZES)
    yield (
        f"The {len(bench.books)} books of {name} here were made of BattleScribe files. A second"
        " program, which shares nothing with this one, reads the same files and judges the same"
        " armies: prices, points of each category, limits in a unit, caps of the army, what may not"
        " be taken, and who is the General. The armies are random; most are put right until little"
        f" is wrong with them, the others are spoilt, in games of {min(sizes)} to {max(sizes)}"
        " points."
    )
    yield ""
    agreement = "Every difference has a reason with a name."
    if total.unexplained:
        agreement = f"Differences without a reason that anybody knows: {total.unexplained:,}."
    yield (
        f"**{total.armies:,} armies with {total.units:,} units. {agreement} The program"
        f" calls {total.legal:,} armies legal and leaves nothing open; {total.false_legal:,} of"
        f" these are not, or nobody can tell. It calls {total.false_illegal:,} armies not legal"
        " without ground.** Both are by what the two say where they differ for no reason below, or"
        " where the program is known to be wrong."
    )
    yield ""
    data = {book: bench.library.shipped_data(bench.system, book) or {} for book in bench.books}
    rows = [_row(data[book]["name"], tally) for book, tally in result.tallies.items()]
    yield from _table(
        (
            "Book", "Armies", "Units", "Legal", "Rulebook", "Reading", "Slip", "Fault",
            "Not judged", "Unexplained", "Wrongly legal", "Wrongly not legal",
        ),
        [*rows, _row("All", total)],
    )  # fmt: skip
    yield ""
    yield (
        "*Legal*: armies that the program calls legal and has nothing left to judge of. *Rulebook*"
        " to *Fault*: differences by the sort of their reason, as in the next tables. *Not judged*:"
        " restrictions of which the program says itself that it does not judge them. *Wrongly"
        " legal* and *wrongly not legal*: armies, whether the fault is known or not."
    )
    yield ""


def _row(name: str, tally: Tally) -> tuple[object, ...]:
    return (
        name, tally.armies, tally.units, tally.legal, *sorts(tally), tally.unchecked,
        tally.unexplained, tally.false_legal, tally.false_illegal,
    )  # fmt: skip


TITLES = {
    "rulebook": "The rulebook says it, and the files do not",
    "reading": "The files leave it open, or a file for BattleScribe has no room for it",
    "slip": "The file has a slip, which the program mends",
    "known fault": "The program is wrong today",
}


def _reasons(result: Result) -> Iterator[str]:
    yield from ("### Why the two differ", "")
    counted = result.total.explained
    for sort, title in TITLES.items():
        rows = [
            (f"{one.name}: {one.why}", one.source, counted[one])
            for one in REASONS
            if one.sort == sort and counted[one]
        ]
        if rows:
            yield from _table((title, "Where", "Times"), rows)
            yield ""


def _words(bench: Bench, result: Result) -> Iterator[str]:
    found = {
        (book, place.id, one.wording): one.source
        for book in bench.books
        for place in bench.source(book).places
        for one in words_of(bench.source(book)).of(place)
    }
    wordings = {wording for _, _, wording in found}
    if not found:
        return
    total = result.total
    faults = sum(n for one, n in total.explained.items() if one.sort == "known fault")
    faults += total.unexplained
    readings = sum(total.explained.values()) + total.unexplained - faults
    yield from ("### Restrictions that stand in words only", "")
    yield (
        "Some restrictions are in no limit of the files, but in a name (“only on Standard”), in an"
        " item's text or in a rule: the second program reads these, too, by the Height, the Type"
        " and the rules that the files give a model. Where they give none it cannot tell, and then"
        " the program must say that it does not judge the restriction."
    )
    yield ""
    yield (
        f"There are {len(found)} of them, in {len(wordings)} wordings. Tried on every unit they"
        f" reach, on foot and on each mount, {total.armies:,} times: {faults:,} times the program"
        f" says nothing of one that is broken or that nobody can tell; {total.unchecked:,} times it"
        f" says that it does not judge it; {readings:,} times the two read the files differently,"
        " for one of the reasons above; else it is kept, or both tell that it is broken."
    )
    yield ""


def _without_stat_lines(bench: Bench) -> Iterator[str]:
    rows = []
    for book in bench.books:
        units = bench.source(book).units.values()
        data = bench.library.shipped_data(bench.system, book) or {}
        choices = sum(bool(unit.get("army_choice")) for unit in data["units"])
        none = sum(not has_stat_line(unit) for unit in units) - choices
        left = sum(not unit.get("profiles") for unit in data["units"]) - choices
        rows.append((data["name"], len(units) - choices, none, left))
    name = bench.library.system(bench.system).name
    total = (sum(row[column] for row in rows) for column in (1, 2, 3))
    head = (f"{name}: book", "Units", "No stat line in the file", "None in any edition")
    yield from _table(head, [*rows, ("All", *total)])


UNCOVERED = (
    "- **The printed army books.** The files are what the books of The Ninth Age were made of. What"
    " the files themselves leave out or have wrong, both readings have wrong.",
    "- **The rulebooks of The Ninth Age 2024, its third edition and Essence of War.** They are not"
    " at hand: lists of 2024 and of the third edition are judged by the rulebook of 2023, those of"
    " Essence of War by the files alone. So are games made of uploaded files. Every verdict on such"
    " a list says so, on pages, sheets, in texts and in the API (`reservation`).",
    "- **Heights in the third edition.** Its files have no stat lines. Names of mounts tell their"
    " Height; who rides is taken to be smaller than every mount that the file offers, or of Height"
    " 1. Whoever can ride nothing has no Height that we know: *not checked*.",
    "- **Whether an enchantment for close combat weapons is put on a shooting weapon that counts as"
    " one in close combat** (The Ninth Age, 22.A.a), in custom books: a book says by `on` what an"
    " enchantment fits, and we take its word.",
    "- **Armour on a mount, a Champion or another option** (21.E): it may be another model's. Two"
    " suits or two shields are an error only where they are chosen for the unit itself, by their"
    " own names.",
    "- **Lists that a tournament has accepted by the very books that are here.** None are known to"
    " us; what lists of other years showed is told [below](#lists-that-were-accepted).",
    "- **What cards say that nobody publishes any more.** In the other games the books hold the"
    " cards that could be found, and each says how sure it is.",
    "- **Game day.** Deployment, spells and victory points stand on the sheets as reminders and are"
    " no part of a verdict.",
    "- **Units without a stat line.** Of many units the files say neither Height nor rules nor"
    " armour. Most have these from another year of the second edition, and say so: both readings"
    " go by that, but not for the pieces that an enchantment needs. Of the others it cannot be"
    " told whether an item suits them.",
)


#: What the importer notes of an enchantment that no file puts on anything.
PUT_ON_NOTHING = "The file doesn’t say what equipment it goes on."
ENCHANTMENTS = ("weapon-enchantment", "armour-enchantment", "shield-enchantment")


def _parts_of(whole: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The units of a book, its options and groups, at any depth."""
    for part in (*whole.get("units", ()), *whole.get("options", ())):
        yield part
        yield from _parts_of(part)


def _put_on(benches: Iterable[Bench]) -> Iterator[str]:
    """How many enchantments no file puts on anything, by game."""
    told = []
    for bench in benches:
        books = [bench.library.shipped_data(bench.system, book) or {} for book in bench.books]
        gaps = sum(one["what"] == PUT_ON_NOTHING for book in books for one in book.get("gaps", ()))
        items = sum(one.get("item") in ENCHANTMENTS for book in books for one in _parts_of(book))
        if gaps:
            name = bench.library.system(bench.system).name
            told.append(f"{gaps:,} of {items:,} of {name}")
    yield (
        "- **What enchantments are put on, where a file does not say it**: weapon, armour and"
        f" shield enchantments, {', '.join(told)}. There is no finding then that one fits nothing;"
        " each is a gap, on the book's data page and the judge's sheet."
    )


def _again(benches: Iterable[Bench]) -> Iterator[str]:
    yield from ("## Make it again", "")
    yield (
        "    BATTLESCRIBE_FILES=folder python -m tests.second_reading.truth             this page\n"
        "    BATTLESCRIBE_FILES=folder python -m tests.second_reading --armies 10000    more armies"
        "\n"
        "    BATTLESCRIBE_FILES=folder python -m tests.second_reading --units           every unit"
    )
    yield ""
    units = (unit for bench in benches for book in bench.books
             for unit in bench.catalogue(book).units.values())  # fmt: skip
    number = sum(1 for unit in units for _ in _all(unit))
    told = ", ".join(f"`{game}/` ({armies:,} armies)" for game, armies in ARMIES.items())
    yield (
        f"`folder` holds the files in {told}; they are not part of this project. The armies grow"
        f" from the seed `{SEED}`. With ids of games behind it the first command counts only their"
        " armies. It writes their numbers into `armybuilder/library/second_reading.json`, too, for"
        " the program to show. The last command compares price, limits and restrictions of every"
        f" unit by itself and with each of its options, at its smallest and its largest: {number:,}"
        " of all games, by `--game`. A zip of the files does, too: `../games/t9a-3rd.zip` beside"
        " `folder`."
    )
    yield ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    lines = list(rows)
    numbers = [isinstance(cell, int) for cell in lines[0]]
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join('---:' if number else '---' for number in numbers)}|"
    for line in lines:
        cells = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in line)
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
