"""The project as an app: its commands and static files, and the work at the start of a process."""

import gc
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig

logger = logging.getLogger(__name__)


class ArmyBuilderConfig(AppConfig):
    name = "armybuilder"
    label = "armybuilder"
    default = True

    def ready(self) -> None:
        """Read and check all catalogues now, and log files left out."""
        from django.utils.translation import gettext, ngettext

        from armybuilder.books.pinning import find_kept
        from armybuilder.engine.wording import speak_with
        from armybuilder.loading.library import shipped_library

        speak_with(gettext, ngettext)
        if {"migrate", "collectstatic", "makemigrations"} & set(sys.argv[1:2]):
            return
        with keeping_all():
            library = shipped_library()
        library.ask(find_kept)
        for problem in library.problems:
            logger.error("left out: %s", problem)


class CollectedFiles(StaticFilesConfig):
    """Static files of packages, without those that no page loads, so that a start is short.

    Left out are pages of REST framework, other readers of the API's description, other editions of
    htmx.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        *("rest_framework", "redoc", "ext", "htmax-*", "htmx-4*"),
    ]


@contextmanager
def keeping_all() -> Iterator[None]:
    """Collect no garbage meanwhile, and never examine the objects made here.

    Objects made at the start live as long as the process. To examine them time and again is a tenth
    of the start, and would make each worker copy the memory that it shares with its parent process.
    """
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if looked:
            gc.enable()
