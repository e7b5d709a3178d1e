"""A wheel of the project holds all that the app needs, in the places where it looks for it."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest

from tests.effort import THOROUGH
from tests.guards.code import PACKAGE, ROOT

pytestmark = pytest.mark.skipif(not THOROUGH, reason="builds a wheel; make thorough does it")


def test_a_wheel_holds_every_file_of_the_app(tmp_path: Path) -> None:
    source = tmp_path / "source"  # a build leaves files behind
    copytree(ROOT, source, ignore=ignore_patterns(".*", "var", "tests", "build"))
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", tmp_path, source]
    subprocess.run(command, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = set(ZipFile(wheel).namelist())
    wanted = {
        *(file.relative_to(ROOT) for file in PACKAGE.rglob("*")),
        *(file.relative_to(ROOT) for file in (ROOT / "catalogs").rglob("*")),
        *(Path("armybuilder") / file.relative_to(ROOT) for file in (ROOT / "templates").rglob("*")),
    }
    files = {str(path) for path in wanted if path.suffix and "__pycache__" not in path.parts}
    assert files - held == set()
    assert [name for name in held if "listcorpus" in name] == [], "a package of its own"
