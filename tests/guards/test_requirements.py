"""What is installed is pinned, with hashes, the same everywhere, and from no named index."""

import re
import tomllib
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.guards.code import ROOT

#: What OR-Tools asks for and the half of it that we use does not need (`make lock`).
UNUSED = {"absl-py", "immutabledict", "numpy", "pandas", "protobuf"}
LOCKS = ["requirements.txt", "deploy/requirements.txt", "tests/requirements.txt"]
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", re.M)


def folded(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def pins(file: Path) -> dict[str, str]:
    """The versions by names."""
    return {folded(name): version for name, version in PIN.findall(file.read_text())}


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_has_a_version_and_hashes(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.M)[1:]
    assert len(entries) == len(pins(ROOT / name)) > 20
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text
    assert "index-url" not in text


@pytest.mark.parametrize("name", LOCKS)
def test_what_is_asked_for_is_what_is_locked(name: str) -> None:
    wanted, locked = pins((ROOT / name).with_suffix(".in")), pins(ROOT / name)
    assert wanted.items() <= locked.items(), "make lock"


def test_the_locks_agree() -> None:
    smaller: dict[str, str] = {}
    for name in LOCKS:
        larger = pins(ROOT / name)
        assert smaller.items() <= larger.items(), name
        smaller = larger


@pytest.mark.parametrize("name", LOCKS)
def test_what_is_locked_has_what_it_needs(name: str) -> None:
    """As `pip check` says of what is installed, but for what OR-Tools does without."""
    locked = pins(ROOT / name)
    missing = {
        (package, folded(need.name))
        for package in locked
        for need in map(Requirement, distribution(package).requires or ())
        if need.marker is None or need.marker.evaluate({"extra": ""})
        if folded(need.name) not in locked or locked[folded(need.name)] not in need.specifier
    }
    left_out = {("ortools", package) for package in UNUSED}
    assert missing == (left_out if name != "tests/requirements.txt" else set())


def test_what_is_needed_with_an_extra_is_locked_with_it() -> None:
    """Else pip looks at a newer version of it as soon as there is one, and has no hash for that."""
    needs = (Requirement(text) for one in distributions() for text in one.requires or ())
    wanted = {
        f"{need.name}[{extra}]=="
        for need in needs
        if need.marker is None or need.marker.evaluate({"extra": ""})
        for extra in need.extras
    }
    lock = (ROOT / "tests/requirements.txt").read_text().lower()
    assert "coverage[toml]==" in wanted
    assert [one for one in sorted(wanted) if f"\n{one.lower()}" not in lock] == []


def test_the_extras_are_those_of_the_image() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [*project["optional-dependencies"]["s3"], *project["optional-dependencies"]["sentry"]]
    image = (ROOT / "deploy/requirements.in").read_text().splitlines()
    assert set(extras) <= set(image)
