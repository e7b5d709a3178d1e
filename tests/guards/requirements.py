"""What is installed is pinned, with hashes, the same everywhere, and from no named index."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

from tests.guards.code import ROOT, guard

LOCKS = ["requirements.txt", "deploy/requirements.txt", "tests/requirements.txt"]
#: What OR-Tools asks for and the half of it that we use does not need (`make lock`).
UNUSED = {"absl-py", "immutabledict", "numpy", "pandas", "protobuf"}
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", re.M)


def folded(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def pins(file: Path) -> dict[str, str]:
    """Return the versions by names."""
    return {folded(name): version for name, version in PIN.findall(file.read_text())}


@guard
def everything_is_locked() -> Iterator[str]:
    """Locks have a version and hashes for every package, and agree: `make lock`."""
    smaller: dict[str, str] = {}
    for name in LOCKS:
        text, locked = (ROOT / name).read_text(), pins(ROOT / name)
        entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.M)[1:]
        yield from (f"{name}: no hash: {one.split()[0]}" for one in entries if "--hash=" not in one)
        if not len(entries) == len(locked) > 20 or "://" in text or "index-url" in text:
            yield f"{name}: {len(entries)} entries, {len(locked)} of them pinned; or an address"
        wanted = pins((ROOT / name).with_suffix(".in"))
        yield from (f"{name}: {one}" for one in wanted.items() - locked.items())
        yield from (f"{name}: other than before: {one}" for one in smaller.items() - locked.items())
        smaller = locked


@guard
def extras_are_locked() -> Iterator[str]:
    """What is needed with an extra is locked with it; the image has the extras it promises."""
    # Else pip looks at a newer version of it as soon as there is one, and has no hash for that.
    needs = [Requirement(text) for one in distributions() for text in one.requires or ()]
    wanted = {
        f"{need.name}[{extra}]=="
        for need in needs
        if need.marker is None or need.marker.evaluate({"extra": ""})
        for extra in need.extras
    }
    lock = (ROOT / "tests/requirements.txt").read_text().lower()
    yield from (one for one in sorted(wanted) if f"\n{one.lower()}" not in lock)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {*project["optional-dependencies"]["s3"], *project["optional-dependencies"]["sentry"]}
    yield from extras - set((ROOT / "deploy/requirements.in").read_text().splitlines())


@guard
def what_is_locked_has_what_it_needs() -> Iterator[str]:
    """As `pip check` says of what is installed, but for what OR-Tools does without."""
    for name in LOCKS:
        locked = pins(ROOT / name)
        missing = {
            (package, folded(need.name))
            for package in locked
            for need in map(Requirement, distribution(package).requires or ())
            if need.marker is None or need.marker.evaluate({"extra": ""})
            if folded(need.name) not in locked or locked[folded(need.name)] not in need.specifier
        }
        if name != "tests/requirements.txt":
            missing ^= {("ortools", package) for package in UNUSED}
        yield from (f"{name}: {package} needs {need}" for package, need in sorted(missing))
