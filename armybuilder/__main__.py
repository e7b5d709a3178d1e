"""Runs Django's commands and ours: `armybuilder help` lists them, as does `manage.py help`."""

import os
import sys


def main() -> None:
    """Run the command that the arguments of the process name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
