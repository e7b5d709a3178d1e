"""`manage.py print_worker`: print many lists at once, as players ask for them, until it is ended.

Any number of workers may run, on one machine or with a shared ARMYBUILDER_VAR;
`armybuilder/serving.py` runs one beside the web.
"""

import os
from threading import Event, Thread
from typing import Any

from django_tasks_db.management.commands.db_worker import Command as Worker

from armybuilder.printing.jobs import ALIVE, folder

#: Seconds between two signs of life.
PULSE = 2


class Command(Worker):
    help = "Print many lists at once, as players ask for them."

    def handle(self, **options: Any) -> None:
        os.nice(10)
        ended = Event()
        (folder() / ALIVE).touch()
        living = Thread(target=_live, args=(ended,), daemon=True)
        living.start()
        try:
            super().handle(**options)
        finally:
            ended.set()
            living.join()
            (folder() / ALIVE).unlink(missing_ok=True)


def _live(ended: Event) -> None:
    """Give signs of life until the end."""
    while not ended.wait(PULSE):
        (folder() / ALIVE).touch()
