"""Write how accurate the verdicts are: docs/truth.md, and its tables, docs/truth-data.md.

    python -m tests.second_reading.truth
    python -m tests.second_reading.truth t9a-2024    counts the armies of this game only

The numbers of the second reading also become data, for the page "How we check lists". The same seed
and number of armies give the same pages. `BATTLESCRIBE_FILES` names the folder of the files. Games
that are not counted keep their numbers and tables.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import django

from armybuilder.engine import Severity, validate
from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.audits import AuditTally, shipped_audits
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
TABLES = PAGE.with_name("truth-data.md")
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
    before, data = TABLES.read_text("utf-8"), json.loads(DATA.read_text("utf-8"))
    kept = {one["system"]: one for one in data["games"]}
    games = [figures(counted[game]) if game in counted else kept[game] for game in ARMIES]
    lines = [*page(benches.values(), games)]
    tables = [*tables_page(benches, counted, before)]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    TABLES.write_text("\n".join(tables) + "\n", encoding="utf-8")
    DATA.write_text(json.dumps({"games": games}, indent=1) + "\n", encoding="utf-8")
    strange = (one.armies.unexplained or one.words.unexplained for one in counted.values())
    return 1 if any(strange) else 0


class Counted(NamedTuple):
    """What was counted of a game: random armies, and its restrictions in words."""

    bench: Bench
    armies: Result
    words: Result


def page(benches: Iterable[Bench], games: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the page, line by line; `games` are the figures of all."""
    held, all_ = _golden()
    accepted = PAGE.read_text("utf-8").partition("## Lists that were accepted\n")[2].rstrip("\n")
    benches = list(benches)
    yield from _short(held, all_, games)
    yield from _tested(benches, sum(held.values()), sum(all_.values()))
    yield from section()
    yield from ("## What nobody has tried", "", *UNCOVERED, *_put_on(benches), "")
    yield from _again(benches)
    # Nobody counts real lists again without them: as it was.
    yield from ("## Lists that were accepted", *accepted.split("\n"))


def tables_page(
    benches: Mapping[str, Bench], counted: Mapping[str, Counted], before: str
) -> Iterator[str]:
    """Yield the page of tables; what is not counted anew is as it was `before`."""
    yield from TABLES_HEAD
    for game, bench in benches.items():
        title = f"## {shipped_library().system(game).name}"
        yield title
        if game in counted:
            yield ""
            yield from _armies(bench, counted[game].armies)
            yield from _reasons(counted[game].armies)
            yield from _words(bench, counted[game].words)
            yield from ("### Units without stats", "")
            yield from _without_stat_lines(bench)
            yield ""
        else:
            yield from before.partition(f"{title}\n")[2].partition("\n## ")[0].split("\n")


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


TABLES_HEAD = (
    "# Accuracy: tables by game and book",
    "",
    "A program makes these tables. [How accurate are the verdicts?](truth.md) says what they mean.",
    "",
    "- *Legal*: armies that the program calls legal, with nothing left to check.",
    "- *Rulebook*, *Reading*, *Slip*, *Fault*: differences between the two programs, by their"
    " reason. The second table of each game lists the reasons.",
    "- *Not checked*: restrictions that the program says it can’t check.",
    "- *Unexplained*: differences without a known reason.",
    "- *Wrongly legal*, *Wrongly not legal*: armies with a wrong verdict, whatever the reason.",
    "",
)


def _short(
    held: Mapping[str, int], all_: Mapping[str, int], games: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """Yield what a player wants to know, in a sentence and a table."""

    def summed(key: str) -> str:
        return f"{sum(one[key] for one in games):,}"

    yield from (
        "# How accurate are the verdicts?",
        "",
        f"**We checked {summed('armies')} random armies with a second program. We called"
        f" {summed('wrongly_legal')} illegal armies legal, and {summed('wrongly_not_legal')} legal"
        f" armies illegal. Of {sum(all_.values())} lists worked out by hand, {sum(held.values())}"
        " match.** If we can’t check something, the list says *not checked*. Look that up in the"
        " army book.",
        "",
    )
    read_twice = {one["system"]: one for one in games}
    rows = []
    for id_, system in shipped_library().systems.items():
        one = read_twice.get(id_)
        armies = f"{one['armies']:,}" if one else "–"
        wrong = f"{one['wrongly_legal'] + one['wrongly_not_legal']:,}" if one else "–"
        cases = f"{held[id_]} of {all_[id_]}" if all_[id_] else "–"
        rows.append((system.name, cases, armies, wrong, system.reservation or "–"))
    head = (
        "Game", "Lists worked out by hand: right", "Random armies", "Wrong verdicts",
        "Reservation",
    )  # fmt: skip
    yield from _table(head, rows)
    yield from (
        "",
        "- A reservation is shown with every verdict of that game. We have no rulebook for it, so"
        " we use its files, and the rulebook of 2023 for the editions of The Ninth Age.",
        "- Both programs read the community’s files. A mistake in a file is a mistake here, unless"
        " we know it: [the tables](truth-data.md) list the slips that we correct.",
        "- [What nobody has tried](#what-nobody-has-tried) lists what to check yourself.",
        "",
    )


def _tested(benches: Sequence[Bench], held: int, all_: int) -> Iterator[str]:
    books = sum(len(bench.books) for bench in benches)
    yield from (
        "## How we tested",
        "",
        "### By hand",
        "",
        "Somebody worked out the verdict and the points of each list from the rulebook first. The"
        f" program must find the same, rule by rule. {held} of {all_} lists match.",
        "",
        "### With a second program",
        "",
        f"Our {books} books of The Ninth Age and Essence of War are made of BattleScribe files. A"
        " second program shares no code with this one. It reads the same files and checks the same"
        " armies: prices, points of each category, limits of units and of the army, what can’t be"
        " taken, and who can be the General. The armies are random. Most are corrected until few"
        " errors are left; the others are changed at random. Each difference between the two must"
        " have a reason with a name.",
        "",
        "Some restrictions are only in words: a name (“only on Standard”), an item’s text or a"
        " rule. We try each of them on every unit it is about, on foot and on each mount. If the"
        " files don’t say enough, the program must say *not checked*.",
        "",
        "### Every restriction of the files",
        "",
        "`manage.py audit_catalogues` counts what we do with each restriction in the files. *No"
        " effect*: it forbids nothing. *Left out*: nothing can meet it. *Lost* must be 0.",
        "",
    )
    yield from _audited()
    yield ""


def _audited() -> Iterator[str]:
    """Yield a table of the outcomes of restrictions, by game."""
    tallies: dict[str, AuditTally] = {}
    for audit in shipped_audits().by_book.values():
        tallies[audit.system] = tallies.get(audit.system, AuditTally()).plus(audit.tally)
    names = {id_: system.name for id_, system in shipped_library().systems.items()}
    head = ("Game", "Checked", "Not checked", "No effect", "Left out", "Lost")
    yield from _table(head, [(names[game], *tallies[game]) for game in names if game in tallies])


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
    sizes = OTHER_SIZES.get(bench.system, SIZES)
    agreement = "Every difference has a known reason."
    if total.unexplained:
        agreement = f"Differences without a known reason: {total.unexplained:,}."
    yield (
        f"**{total.armies:,} armies with {total.units:,} units, in games of {min(sizes)} to"
        f" {max(sizes)} points. {agreement} Called legal, with nothing left to check:"
        f" {total.legal:,}; {total.false_legal:,} of these are illegal, or nobody can say. Called"
        f" illegal without a reason: {total.false_illegal:,}.**"
    )
    yield ""
    data = {book: bench.library.shipped_data(bench.system, book) or {} for book in bench.books}
    rows = [_row(data[book]["name"], tally) for book, tally in result.tallies.items()]
    yield from _table(
        (
            "Book", "Armies", "Units", "Legal", "Rulebook", "Reading", "Slip", "Fault",
            "Not checked", "Unexplained", "Wrongly legal", "Wrongly not legal",
        ),
        [*rows, _row("All", total)],
    )  # fmt: skip
    yield ""


def _row(name: str, tally: Tally) -> tuple[object, ...]:
    return (
        name, tally.armies, tally.units, tally.legal, *sorts(tally), tally.unchecked,
        tally.unexplained, tally.false_legal, tally.false_illegal,
    )  # fmt: skip


TITLES = {
    "rulebook": "Only the rulebook has this rule",
    "reading": "The file leaves this open, or can’t say it",
    "slip": "The file has a slip, which we correct",
    "known fault": "Our program is wrong",
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
    yield from ("### Restrictions in words", "")
    yield (
        f"{len(found)} restrictions in {len(wordings)} wordings, tried {total.armies:,} times."
        f" Broken or unknown, and the program said nothing: {faults:,}. *Not checked*, said so:"
        f" {total.unchecked:,}. Read in two ways, for a reason above: {readings:,}. All others are"
        " kept, or both programs report the error."
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
    head = (f"{name}: book", "Units", "No stats in the file", "None in any edition")
    yield from _table(head, [*rows, ("All", *total)])


UNCOVERED = (
    "- **The printed army books.** Our books of The Ninth Age are made of files. If a file is"
    " wrong, both programs are wrong.",
    "- **The rulebooks of The Ninth Age 2024, its third edition and Essence of War.** We don’t have"
    " them. We check 2024 and the third edition by the rulebook of 2023, and Essence of War by its"
    " files alone. The same goes for games made of uploaded files. Every verdict on such a list"
    " says so: on pages, sheets, in texts and in the API (`reservation`).",
    "- **Heights in the third edition.** Its files have no stats. We know a mount’s Height by its"
    " name. We take a rider to be smaller than every mount in the file, or of Height 1. A unit"
    " without mounts has no known Height: *not checked*.",
    "- **Close combat enchantments on shooting weapons** that are also close combat weapons (The"
    " Ninth Age, 22.A.a), in custom books. The book’s `on` decides.",
    "- **Armour on a mount, a Champion or another option** (21.E). It may be another model’s. Two"
    " suits or two shields are an error only if the unit itself takes them, by their own names.",
    "- **Lists that a tournament accepted with exactly these books.** We found none. Lists of other"
    " years are [below](#lists-that-were-accepted).",
    "- **Cards that nobody publishes any more.** The books of the other games hold the cards that"
    " we found. Each card says how sure it is.",
    "- **Game day.** Sheets remind you of deployment, spells and victory points. The verdict is"
    " about the list only.",
    "- **Units without stats.** The files give many units no Height, rules or armour. Most have"
    " them from another year of the second edition, and say so. Both programs use these, except for"
    " the equipment an enchantment needs. For the others we can’t say if an item is allowed.",
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
        "- **What an enchantment goes on, if the file doesn’t say**: weapon, armour and shield"
        f" enchantments, {', '.join(told)}. Such an enchantment is never an error. The book’s data"
        " page and the judge’s sheet list it."
    )


def _again(benches: Iterable[Bench]) -> Iterator[str]:
    yield from ("## Make it again", "")
    yield (
        "    BATTLESCRIBE_FILES=folder python -m tests.second_reading.truth            both pages\n"
        "    BATTLESCRIBE_FILES=folder python -m tests.second_reading --armies 10000   more armies"
        "\n"
        "    BATTLESCRIBE_FILES=folder python -m tests.second_reading --units          every unit"
    )
    yield ""
    units = (unit for bench in benches for book in bench.books
             for unit in bench.catalogue(book).units.values())  # fmt: skip
    number = sum(1 for unit in units for _ in _all(unit))
    told = ", ".join(f"`{game}/` ({armies:,} armies)" for game, armies in ARMIES.items())
    yield (
        f"`folder` holds the files: {told}. They are not part of this project. The seed of the"
        f" armies is `{SEED}`. Name games to count only theirs. The first command also writes"
        " `armybuilder/library/second_reading.json`, which the program shows. The last command"
        f" compares price, limits and restrictions of {number:,} units: each by itself and with"
        " each of its options, at its smallest and its largest. A zip of the files does, too:"
        " `../games/t9a-3rd.zip` next to `folder`."
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
