"""`python -m tests.solving --skirmishes 100000 --armies 10000`: judge random lists in both ways.

So many lists of each skirmish system and of each army book; `--made` and `--solved`: so many lists
of each that the solver makes, or decides. Prints on how many the constraints and `validate`
disagree, and which rules were broken fewer than 30 times. Ends with 1 where they disagree anywhere.
With `--into` a file, what is done is kept there, and a run that was stopped goes on from it; of
several files it is the first, and what any of them has is done. `--share 2/3` does the second of
three shares, so that each can be a process of its own. `--rare` does so many times 250 lists more
of each game, aimed at each rule that was broken rarely in what is done. `--report` prints what the
files have so far, `--record` puts it into docs/truth.md, with the commit whose rules they checked.
"""

import argparse
import gc
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from armybuilder.engine.rules import Rule

#: Lists of one seed, checked by one process at a time.
STEP = 250
#: How many of them begin with the same list: constraints are made once for lists that are alike.
ALIKE = {"disagreements": STEP, "solved": STEP, "made": 10}
#: Parts of a game that are done one after the other.
IN_A_ROW = 10
#: How often each rule is to be broken at least.
OFTEN = 30
#: What is done with lists, in the words of the page: by the way, and whether they are aimed.
WAYS = {
    ("disagreements", False): "Checked in both ways",
    ("disagreements", True): "Checked in both ways, aimed at a rule that is rarely broken",
    ("solved", False): "Decided by the solver",
    ("made", False): "Made by the solver",
}


class Part(NamedTuple):
    """Lists of one game and seed, and what is done with them; `aim`: the rule that all are to
    break, by its id.
    """

    way: str
    game: str
    seed: int
    aim: str = ""


class Done(NamedTuple):
    """A part, how often each rule was broken in it, and where the two ways differ."""

    part: Part
    seen: dict[str, int]
    wrong: list[str]


def what_of(part: Part) -> str:
    return WAYS[part.way, bool(part.aim)]


def prepare() -> None:
    """Set Django up in a process, for the translations."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    import tests.building.random_lists  # noqa: F401, reads the books

    gc.freeze()


def do(part: Part) -> Done:
    from tests.solving import agreement

    aimed = {"aim": part.aim} if part.aim else {}
    seen, wrong = getattr(agreement, part.way)(part.game, part.seed, STEP, ALIKE[part.way], **aimed)
    return Done(part, dict(seen), wrong)


def parts_of(asked: argparse.Namespace) -> list[Part]:
    """Return all parts, a few of each game in turn, so that what is done tells of all alike."""
    from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES

    numbers = {
        "disagreements": dict.fromkeys(SKIRMISHES, asked.skirmishes)
        | dict.fromkeys(ARMY_BOOKS, asked.armies),
        "solved": dict.fromkeys([*SKIRMISHES, *ARMY_BOOKS], asked.solved),
        "made": dict.fromkeys([*SKIRMISHES, *ARMY_BOOKS], asked.made),
    }
    parts = [
        Part(way, game, asked.seed + number)
        for way, games in numbers.items()
        for game, most in games.items()
        for number in range(-(-most // STEP))
    ]
    return sorted(parts, key=lambda part: part.seed // IN_A_ROW)


def share_of(parts: list[Part], share: str) -> list[Part]:
    """Return a share of the parts, such as the second of three: "2/3"."""
    which, _, of = share.partition("/")
    return parts[int(which) - 1 :: int(of)]


def earlier(files: Iterable[Path]) -> Iterator[Done]:
    for file in filter(Path.exists, files):
        for line in file.read_text(encoding="utf-8").splitlines():
            part, seen, wrong = json.loads(line)
            yield Done(Part(*part), seen, wrong)


def now(parts: Iterable[Part], jobs: int) -> Iterator[Done]:
    """Do parts, by so many processes; with one, by this one."""
    if jobs == 1:
        yield from map(do, parts)
        return
    with ProcessPoolExecutor(jobs, initializer=prepare) as pool:
        for done in as_completed([pool.submit(do, part) for part in parts]):
            yield done.result()


def rules_of_all() -> dict[str, list[str]]:
    """Return every rule whose breach is an error, by its system and id, with the games that have
    it; without those that only make others, or tell a number that nothing bounds.
    """
    from tests.building.aimed_lists import errors_of
    from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES

    found: dict[str, list[str]] = {}
    for game in [*SKIRMISHES, *ARMY_BOOKS]:
        for rule in filter(can_be_broken, errors_of(game)):
            found.setdefault(name_of(game, rule.head.id), []).append(game)
    return found


def can_be_broken(rule: "Rule") -> bool:
    """Return whether a list may break a rule at all."""
    from armybuilder.engine.kinds.limit import Limit
    from armybuilder.engine.rules import Rule

    if isinstance(rule, Limit):
        return rule.minimum is not None or rule.maximum is not None
    kind = type(rule)
    own = (kind.judge is Rule.judge, kind.terms is Rule.terms, kind.faults is Rule.faults)
    return bool(rule.bounds) or not all(own)


def name_of(game: str, rule: str) -> str:
    """Return what a rule of a game stands under."""
    from tests.building.random_lists import SKIRMISHES

    return f"{game if game in SKIRMISHES else 't9a-2023'}: {rule}"


def broken_in(done: Iterable[Done]) -> Counter[str]:
    rules: Counter[str] = Counter()
    for part, seen, _ in done:
        for rule, number in seen.items():
            if rule not in ("", "none"):
                rules[name_of(part.game, rule)] += number
    return rules


def rare_parts(done: list[Done], number: int, seed: int) -> list[Part]:
    """Return so many parts of each game with a rule that was broken rarely, aimed at it."""
    rules = broken_in(one for one in done if not one.part.aim)
    return [
        Part("disagreements", game, seed + more, rule.partition(": ")[2])
        for rule, games in rules_of_all().items()
        if rules[rule] < OFTEN
        for game in games
        for more in range(number)
    ]


def report(done: list[Done], planned: Iterable[Part]) -> dict[str, Any]:
    """Print the figures; return them for the page."""
    wanted: dict[str, set[Part]] = {}
    for part in {*planned, *(one.part for one in done)}:
        wanted.setdefault(what_of(part), set()).add(part)
    ways = []
    for what in sorted(wanted, key=list(WAYS.values()).index):
        of_way = [one for one in done if what_of(one.part) == what]
        lists, legal, wrong = tell_games(what, of_way)
        numbers = {"lists": lists, "legal": legal, "wrong": wrong}
        ways.append({"what": what, "planned": STEP * len(wanted[what]), **numbers})
    few = fewest(one for one in done if one.part.way == "disagreements" and not one.part.aim)
    return {"ways": ways, "few": few, **tell_rules(broken_in(done))}


def tell_games(what: str, done: list[Done]) -> tuple[int, int, int]:
    """Print how many lists of each game there are, and of all; return that of all."""
    games: dict[str, list[int]] = {}
    for part, seen, wrong in done:
        sums = games.setdefault(part.game, [0, 0, 0])
        new = (STEP - seen.get("none", 0), seen.get("", 0), len(wrong))
        sums[:] = map(int.__add__, sums, new)
    total = tuple(map(sum, zip([0, 0, 0], *games.values(), strict=True)))
    print(f"\n| {what} | lists | of them legal | disagree |\n|---|---:|---:|---:|")
    for game, (lists, legal, wrong) in (*games.items(), ("all", total)):
        print(f"| {game} | {lists:,} | {legal:,} | {wrong} |")
    return total[0], total[1], total[2]


def fewest(done: Iterable[Done]) -> str:
    """Return in a sentence how many lists of each game were checked at least."""
    from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES

    lists = Counter(dict.fromkeys([*SKIRMISHES, *ARMY_BOOKS], 0))
    for one in done:
        lists[one.part.game] += STEP
    least = [min(lists[game] for game in games) for games in (SKIRMISHES, ARMY_BOOKS)]
    return (
        f"Not counting those aimed at rare rules, at least {least[0]:,} lists of each skirmish"
        f" system and {least[1]:,} of each army book were checked in both ways."
    )


def tell_rules(rules: Counter[str]) -> dict[str, Any]:
    """Print which rules were broken rarely; return it for the page."""
    wanted = rules_of_all().keys()
    rare = {rule: rules[rule] for rule in sorted(wanted) if rules[rule] < OFTEN}
    often = len(wanted) - len(rare)
    print(f"\n{often} of {len(wanted)} rules were broken at least {OFTEN} times; the others:")
    for rule, number in sorted(rare.items(), key=lambda one: one[1]):
        print(f"{number:>4} {rule}")
    print(
        "beside these (names that nobody knows; rules that a unit lifts; others of a rule's ids):"
    )
    for rule in sorted(rules.keys() - wanted):
        print(f"{rules[rule]:>4} {rule}")
    return {"often": often, "rules": len(wanted), "least": OFTEN, "rare": rare}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skirmishes", type=int, default=1000)
    parser.add_argument("--armies", type=int, default=500)
    parser.add_argument("--solved", type=int, default=0)
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rare", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--into", type=Path, nargs="+", default=[])
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--record", metavar="COMMIT", help="put the figures into docs/truth.md")
    asked = parser.parse_args()
    prepare()
    done = list(earlier(asked.into))
    known = {one.part for one in done}
    every = rare_parts(done, asked.rare, asked.seed) if asked.rare else parts_of(asked)
    parts = [] if asked.report else share_of(every, asked.share)
    left = [part for part in parts if part not in known]
    with ExitStack() as stack:
        file: Any = asked.into and stack.enter_context(asked.into[0].open("a", encoding="utf-8"))
        for one in now(left, asked.jobs):
            done.append(one)
            print(*one.wrong, sep="\n", end="\n" if one.wrong else "", flush=True)
            if file:
                print(json.dumps(one), file=file, flush=True)
    planned = {*parts_of(asked), *(one.part for one in done)}
    told = report(done, planned)
    if asked.record:
        from tests.solving.figures import record

        so_far = "" if len(done) == len(planned) else f"{len(done):,} of {len(planned):,} parts"
        record({"so_far": so_far, "commit": asked.record, **told})
    return int(any(one.wrong for one in done))


if __name__ == "__main__":
    sys.exit(main())
