"""JSON Schema checks: fast for valid data; faults are explained."""

from typing import Any

from armybuilder.loading.problems import Problem
from armybuilder.loading.quick_checks import passes


def schema_problems(name: str, data: Any, file: str, most: int | None = None) -> list[Problem]:
    """Return how `data` breaks the schema, in the file's order; stop after `most` errors."""
    if passes(name, data):
        return []
    # jsonschema takes a while to load, and a start with sound files needs none of it.
    from armybuilder.loading.schema_mistakes import schema_mistakes

    return schema_mistakes(name, data, file, most)
