"""What a start of the app and a verdict do not load: the solver, which only its questions need; and
what the solver does without, which is not installed.
"""

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
import armybuilder.urls
import armybuilder.acts
from armybuilder.engine import choices
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from tests.building.documents import army, value_of
judged = judge(value_of(army()), shipped_library())
assert list(choices(judged.roster, judged.catalogue))
assert "ortools" not in sys.modules
sys.modules.update(dict.fromkeys(["numpy", "pandas", "absl", "immutabledict", "google"]))
from armybuilder.solving.repair import repairs
from armybuilder.solving.cpsat import CpSat
assert repairs(judged.document, judged.catalogue, CpSat(), seconds=5).found
assert "ortools" in sys.modules
"""


@pytest.mark.long
def test_a_start_and_a_verdict_load_no_solver() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
