"""The project as an app: its commands and static files, and what is read when a process starts."""

import logging
import sys

from django.apps import AppConfig

logger = logging.getLogger(__name__)


class ArmyBuilderConfig(AppConfig):
    name = "armybuilder"
    label = "armybuilder"

    def ready(self) -> None:
        """Read and check all catalogues now, and log files left out."""
        from django.utils.translation import gettext, ngettext

        from armybuilder.books.pinning import find_kept
        from armybuilder.engine.wording import speak_with
        from armybuilder.loading.library import shipped_library
        from armybuilder.starting import keeping_all

        speak_with(gettext, ngettext)
        if {"migrate", "collectstatic", "makemigrations"} & set(sys.argv[1:2]):
            return
        with keeping_all():
            library = shipped_library()
        library.ask(find_kept)
        for problem in library.problems:
            logger.error("left out: %s", problem)
