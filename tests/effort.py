"""How much is tried: `make test` takes a tenth of the examples of each law and, where one claim is
made of many cases that are alike, some of them; `make thorough` takes more, within a quarter of an
hour. `THOROUGH=all .venv/bin/python -m pytest FILE`, by hand, takes the largest numbers there are.

Cases are marked `one_in(number)`, of which `make test` takes every so-manieth, or `slow`, which it
leaves out: what they claim is shown by a case beside them, or it is rare and dear to show. Of many
cases each test begins at another, the same one in every run. Of cases in two dimensions the number
has no factor in common with the first of them, or it takes the same few of that again and again.
`make thorough` takes those, and of the others one in the root of the number: of 90, one in 9.
"""

import os
from math import isqrt
from zlib import crc32

THOROUGH = bool(os.environ.get("THOROUGH"))
_ALL = os.environ.get("THOROUGH") == "all"


def tries(number: int, least: int = 3) -> int:
    """How many examples of a law that is worth so many."""
    return number if THOROUGH else max(least, number // 10)


def scaled(test: int, thorough: int, most: int) -> int:
    """How many are tried by `make test`, by `make thorough`, and by hand with THOROUGH=all."""
    return most if _ALL else thorough if THOROUGH else test


def is_drawn(case: str, number: int) -> bool:
    """Whether a case of a test that is marked `one_in(number)` is tried besides those that
    `make test` tries: by what it is called, the same ones in every run.
    """
    return _ALL or (THOROUGH and crc32(case.encode()) % isqrt(number) == 0)
