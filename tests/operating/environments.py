"""Processes of the app with settings of their own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What the test run sets for itself, and must not reach such a process.
_OURS = ("DJANGO_ALLOW_ASYNC_UNSAFE", "PROMETHEUS_MULTIPROC_DIR")


def world(var: Path, **variables: str) -> dict[str, str]:
    """The environment of a process whose data lie in the folder."""
    theirs = {key: value for key, value in os.environ.items() if key not in _OURS}
    named = {"ARMYBUILDER_VAR": str(var), "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    return {**theirs, **named, "DEBUG": "", **variables}


def manage(var: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """`manage.py` with these arguments, done."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=world(var, **variables),
        capture_output=True,
        text=True,
        check=False,
    )
