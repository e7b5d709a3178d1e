"""How much is tried: `make test` takes a third of the examples of each law and, where one claim is
made of many cases that are alike, some of them; `make thorough`, which CI runs, takes them all.
"""

import os

THOROUGH = bool(os.environ.get("THOROUGH"))


def tries(number: int) -> int:
    """How many examples of a law that is worth so many."""
    return number if THOROUGH else max(3, number // 3)
