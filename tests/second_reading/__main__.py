"""The second reading by hand:

    python -m tests.second_reading --armies 10000          judge so many random armies twice
    python -m tests.second_reading --show 2023/makhar/12   one of them: the list and both verdicts
    python -m tests.second_reading --list-named            every restriction in words of the files
    python -m tests.second_reading --sweep                 every one of them on everyone it reaches
    python -m tests.second_reading --units                 every unit and option, in both sizes

`BATTLESCRIBE_FILES` names the folder with `t9a-2023/` and those of other games (`--game`).
Ends with 1 where a difference is unexplained.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import replace

import django

from tests.second_reading.comparing import SYSTEM, SYSTEMS
from tests.second_reading.running import (
    SEED,
    VARIABLE,
    make_bench,
    named,
    run,
    show,
    source_folder,
    tell,
)
from tests.second_reading.truth import sweep, units_alone


def main() -> int:
    """Do what the command line asks for; how it ended, for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--armies", type=int, default=500, help="how many")
    parser.add_argument("--seed", default=SEED, help="what they grow from")
    parser.add_argument("--book", action="append", help="of these books only, by their ids")
    parser.add_argument("--show", metavar="SEED/BOOK/NUMBER", help="one army, by its label")
    parser.add_argument("--list-named", action="store_true", help="restrictions in words")
    parser.add_argument("--sweep", action="store_true", help="try each of them on all units")
    parser.add_argument("--units", action="store_true", help="all units with all options")
    parser.add_argument("--game", choices=SYSTEMS, default=SYSTEM, help="whose books")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()  # rosters are written with words that can be translated
    folder = source_folder(asked.game)
    if folder is None:
        sys.stderr.write(f"{VARIABLE} names no folder with {asked.game} in it.\n")
        return 2
    bench = make_bench(asked.game, folder)
    if asked.book:
        keep = {bench.names[book].catalogue for book in asked.book}
        kept = {id_: book for id_, book in bench.sources.items() if id_ in keep}
        bench = replace(bench, sources=kept)
    if asked.list_named:
        return _say(named(bench))
    if asked.show:
        seed, book, number = asked.show.split("/")
        return _say(show(bench.judge(bench.army(book, seed, int(number)))))
    if asked.units:
        result = units_alone(bench)
    else:
        result = sweep(bench) if asked.sweep else run(bench, asked.armies, asked.seed)
    _say(tell(result))
    return 1 if result.unexplained else 0


def _say(lines: Iterator[str]) -> int:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
