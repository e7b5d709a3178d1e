"""The project as an app: its commands and static files, and what is read when a process starts."""

import gc
import logging
import sys

from django.apps import AppConfig

logger = logging.getLogger(__name__)


class ArmyBuilderConfig(AppConfig):
    name = "armybuilder"
    label = "armybuilder"

    def ready(self) -> None:
        """Load all catalogues now, so that no player waits for it, and log files left out."""
        from django.utils.translation import gettext, ngettext

        from armybuilder.books.pinning import find_kept
        from armybuilder.engine.wording import speak_with
        from armybuilder.loading.library import shipped_library

        speak_with(gettext, ngettext)
        if {"migrate", "collectstatic", "makemigrations"} & set(sys.argv[1:2]):
            return
        # Catalogues live as long as the process: collecting garbage among them is lost time.
        gc.disable()
        library = shipped_library()
        library.ask(find_kept)
        gc.freeze()
        gc.enable()
        for problem in library.problems:
            logger.error("left out: %s", problem)
