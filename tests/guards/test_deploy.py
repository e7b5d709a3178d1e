"""Behind https the settings pass Django's checks for a server in the open."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


def test_the_checks_for_a_server_find_nothing(tmp_path: Path) -> None:
    world = {**os.environ, "HTTPS": "1", "DEBUG": "", "ARMYBUILDER_VAR": str(tmp_path)}
    world["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings"
    del world["DJANGO_ALLOW_ASYNC_UNSAFE"]  # the test run alone needs it
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=world, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
