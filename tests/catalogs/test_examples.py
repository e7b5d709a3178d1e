"""The example lists: three for each game, all legal; broken ones are left out and told."""

import json
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.examples import Example, load_examples, shipped_examples
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library

LIBRARY = shipped_library()
EXAMPLES = [
    pytest.param(example, id=f"{system}/{example.id}")
    for system, examples in shipped_examples().by_system.items()
    for example in examples
]


def judged(example: Example) -> Report:
    catalogue = catalogue_of(example.document, LIBRARY)
    return validate(make_roster(example.document, catalogue), catalogue)


@pytest.mark.parametrize("system", LIBRARY.systems)
def test_each_system_has_three_examples_of_different_names(system: str) -> None:
    examples = shipped_examples().by_system.get(system, ())
    assert len({example.name for example in examples}) == 3


def test_no_shipped_example_is_left_out() -> None:
    assert [str(problem) for problem in shipped_examples().problems] == []
    assert len(list(CATALOGUE_DIR.glob("*/examples/*"))) == len(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_plainly_legal_and_without_a_warning(example: Example) -> None:
    report = judged(example)
    assert report.outcome is Outcome.LEGAL, [one.sentence for one in report.unchecked]
    assert not report.of(Severity.WARNING)
    assert report.spent == example.points


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_spends_most_of_its_points_and_says_what_it_is(example: Example) -> None:
    assert 0.85 * example.document.limit <= example.points <= example.document.limit
    assert 20 <= len(example.about) <= 120
    assert example.about.endswith(".")


def test_examples_of_the_ninth_age_come_from_three_army_books_with_options() -> None:
    examples = shipped_examples().by_system["t9a-2023"]
    assert len({example.books for example in examples}) == 3
    for example in examples:
        assert sum(len(unit.options) for unit in example.document.units) >= 20


def broken(tmp_path: Path, **changes: Any) -> list[str]:
    """What is told of an example that was changed in this way; None leaves a key out."""
    sound = shipped_examples().by_system["sbh"][0].document.to_dict()
    data = {key: value for key, value in {**sound, **changes}.items() if value is not None}
    folder = tmp_path / "sbh" / "examples"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "some.json").write_text(json.dumps(data), "utf-8")
    examples = load_examples(tmp_path, LIBRARY)
    assert bool(examples.by_system) != bool(examples.left_out)
    return [str(problem) for problem in examples.problems]


def test_a_sound_example_is_told_of_nothing(tmp_path: Path) -> None:
    assert broken(tmp_path) == []


def test_a_broken_example_is_told_with_file_and_pointer(tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"limit": 10}, "", "over the limit of 10"),
        ({"limit": "many"}, "#/limit", "not a whole number"),
        ({"notes": None}, "#/notes", "does not say what it is"),
        ({"system": "ddm-2008"}, "#/system", "must match its folder, “sbh”"),
        ({"books": [{"id": "none-such"}]}, "#/books/0/id", "no book “none-such”"),
        ({"books": [{"id": "profiles", "revision": "0" * 16}]}, "#/books/0/revision", "Remove it"),
        (
            {"units": [{"id": "u1", "unit": "profiles/no-such", "models": 1}]},
            "#/units/0",
            "no unit",
        ),
    ]
    for changes, where, said in cases:
        told = broken(tmp_path, **changes)
        assert any(line.startswith(f"sbh/examples/some.json{where}: ") for line in told), told
        assert said in " ".join(told), changes


def test_an_example_that_is_no_json_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "sbh" / "examples"
    folder.mkdir(parents=True)
    (folder / "some.json").write_text("{,", "utf-8")
    examples = load_examples(tmp_path, LIBRARY)
    assert not examples.by_system
    assert "not JSON" in str(examples.problems[0])
