"""`manage.py print_worker`: print many lists at once, as players ask for them, until it is ended.

Any number of workers may run, on one machine or with a shared ARMYBUILDER_VAR. With `--with-parent`
it ends where the process that started it does.
"""

import os
import signal
from argparse import ArgumentParser
from threading import Event, Thread
from typing import Any

from django_tasks_db.management.commands.db_worker import Command as Worker

from armybuilder.printing.jobs import ALIVE, folder

#: Seconds between two signs of life.
PULSE = 2


class Command(Worker):
    help = "Print many lists at once, as players ask for them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--with-parent", action="store_true", help="end where the parent does")

    def handle(  # type: ignore[override]  # the parser always gives what is asked for here
        self, *, with_parent: bool, **options: Any
    ) -> None:
        os.nice(10)
        parent = os.getppid() if with_parent else 0
        ended = Event()
        living = Thread(target=_live, args=(parent, ended), daemon=True)
        living.start()
        try:
            super().handle(**options)
        finally:
            ended.set()
            living.join()
            (folder() / ALIVE).unlink(missing_ok=True)


def _live(parent: int, ended: Event) -> None:
    """Give signs of life until the end; bring it about where the parent has gone."""
    while True:
        (folder() / ALIVE).touch()
        if parent and os.getppid() != parent:
            # Asked twice, a worker does not finish what is under way.
            os.kill(os.getpid(), signal.SIGTERM)
        if ended.wait(PULSE):
            return
