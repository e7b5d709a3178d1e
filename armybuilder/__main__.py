"""Runs Django's commands and ours: `armybuilder help` lists them, as does `manage.py help`."""

import os
import sys


def main() -> None:
    """Run the command that the process's arguments name.

    Invalid settings end it with one sentence.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        settings.INSTALLED_APPS  # noqa: B018 - asked for the first time, they are read
    except ImproperlyConfigured as error:
        sys.exit(f"Settings: {error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
