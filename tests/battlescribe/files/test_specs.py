"""Lists of a game's files come to what specs want: those of the public suite, and our own."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.battlescribe.files.specs import HERE, SUITE, Run, read_spec

#: Specs of the suite that are run as one of the engines has it that it was made for, with why.
OVERLAYS: Final = {
    "constraint-entry-link-merged": (
        "newrecruit",
        "Of two bounds the suite's base names the one that is not broken.",
    ),
}
OWN: Final = sorted((HERE / "specs").glob("*.yaml"))
CATEGORIES: Final = sorted(path.name for path in SUITE.iterdir()) if SUITE.is_dir() else []


def as_engine(spec: Mapping[str, Any], engine: str) -> dict[str, Any]:
    """Return a spec with the expectations that it has of one engine."""
    steps = [
        {**step, "expectedState": {**wanted, **wanted.get("engines", {}).get(engine, {})}}
        if (wanted := step.get("expectedState"))
        else step
        for step in spec["steps"]
    ]
    return {**spec, "steps": steps}


@pytest.mark.skipif(not CATEGORIES, reason="the public suite of specs is not here")
@pytest.mark.parametrize("category", CATEGORIES)
def test_lists_get_the_results_of_the_public_suite(category: str) -> None:
    failures = {}
    for path in sorted((SUITE / category).glob("*.yaml")):
        spec = read_spec(path)
        if "dataSource" in spec["setup"]:
            continue  # asks for a release of a game's files that is not here
        if spec["id"] in OVERLAYS:
            spec = as_engine(spec, OVERLAYS[spec["id"]][0])
        if found := Run(spec).failures:
            failures[path.stem] = found
    assert not failures


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_lists_get_the_results_of_our_own_specs(path: Any) -> None:
    assert not Run(read_spec(path)).failures
