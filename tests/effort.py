"""How often laws are tried: `make test` tries them a third as often as `make thorough`."""

import os

THOROUGH = bool(os.environ.get("THOROUGH"))


def tries(number: int) -> int:
    """How many examples of a law that is worth so many."""
    return number if THOROUGH else max(3, number // 3)
