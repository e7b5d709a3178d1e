"""The README's commands run as they are written there."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from armybuilder.loading.library import CATALOGUE_DIR
from armybuilder.settings import BASE_DIR

README = (BASE_DIR / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"manage\.py ([^#\n]+)", README)
EXAMPLE = CATALOGUE_DIR / "sbh" / "examples" / "rangers-of-the-hollow-oak.json"


@pytest.mark.django_db
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs_on_an_example(command: str, tmp_path: Path) -> None:
    made = tmp_path / "OUT.pdf"
    given = {"FILE": str(EXAMPLE), "FILE...": str(EXAMPLE), "OUT.pdf": str(made)}
    name, *arguments = (given.get(word, word) for word in shlex.split(command))
    call_command(name, *arguments)  # any exit code but 0 is raised
    assert made.exists() == ("OUT.pdf" in command)


def test_the_readme_has_three_commands() -> None:
    assert len(COMMANDS) == 3
