"""What a start of the app and a verdict do not load: pages, which acts do without; what
BattleScribe's rosters need; the solver, which only its questions need; and what the solver does
without, which is not installed.
"""

import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest

from armybuilder.acts.base import act_kinds
from tests.effort import THOROUGH
from tests.guards.code import PACKAGE, ROOT

CODE = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from armybuilder.acts.base import act_kinds
print(*sorted(act_kinds()))
assert "armybuilder.pages.urls" not in sys.modules
import armybuilder.urls
from armybuilder.engine import choices
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from tests.building.documents import army, skirmish, value_of
judged = judge(value_of(army()), shipped_library())
assert list(choices(judged.roster, judged.catalogue))
assert "ortools" not in sys.modules
from armybuilder.battlescribe.rosters import sites
assert sites.origin_of.cache_info().currsize == sites._files.cache_info().currsize == 0
sys.modules.update(dict.fromkeys(["numpy", "pandas", "absl", "immutabledict", "google"]))
from armybuilder.solving.repair import repairs
from armybuilder.solving.cpsat import CpSat
small = judge(value_of(skirmish("sbh")), shipped_library())
assert repairs(small.document, small.catalogue, CpSat(), seconds=5).found
assert "ortools" in sys.modules
"""


@pytest.mark.long
def test_a_start_loads_every_act_without_pages_and_a_verdict_no_solver_and_no_origins() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == sorted(act_kinds())
    assert {"fill", "take-fill", "add", "option", "add-several", "undo", "redo"} <= set(act_kinds())


# A wheel of the project holds all that the app needs, in the places where it looks for it.


@pytest.mark.skipif(not THOROUGH, reason="builds a wheel; make thorough does it")
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
