"""Take constructs out of the source files, one after the other, and tell what became of it:

    python tests/try_removals.py --each 60          so many of each book, by chance
    python tests/try_removals.py --each 0           all of them, which takes hours
    python tests/try_removals.py --book makhar.cat  of these files alone

`BATTLESCRIBE_FILES` names the folder with the games. Ends with 1 where one is lost silently.
"""

import argparse
import os
import sys
from collections import Counter

import django

from removals import GAMES, VARIABLE, Tried, binders, files, sample


def main() -> int:
    """Do what the command line asks for; how it ended, for the shell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=20, help="of each book; 0: all")
    parser.add_argument("--seed", default="1", help="what they are chosen by")
    parser.add_argument("--game", action="append", help="of these games only")
    parser.add_argument("--book", action="append", help="of these files only")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    folder = files()
    if folder is None:
        sys.stderr.write(f"{VARIABLE} names no folder with all of {', '.join(GAMES)} in it.\n")
        return 2
    found: list[Tried] = []
    for binder in binders(folder, tuple(asked.game or GAMES)):
        if not asked.book or binder.file in asked.book:
            found += map(binder.try_without, sample(binder, asked.each, asked.seed))
    return tell(found)


def tell(found: list[Tried]) -> int:
    """Print how many were noticed and which were not; 1 where one is lost."""
    for outcome, number in Counter(one.outcome for one in found).most_common():
        sys.stdout.write(f"{number:6} {100 * number / len(found):5.1f} % {outcome}\n")
    for why, number in Counter(one.why for one in found if one.why).most_common():
        sys.stdout.write(f"{number:6} explained: {why}\n")
    lost = [one for one in found if one.outcome == "lost"]
    for one in lost:
        sys.stdout.write(f"lost: {one}\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
