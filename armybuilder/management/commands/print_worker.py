"""`manage.py print_worker`: print many lists, read uploaded games, call webhooks, mail of events.

Any number of workers may run, on any number of hosts; `armybuilder/serving.py` runs some next to
the web processes. One that loses the database waits for it. One that gets a signal to end stops at
once, and puts its job back; if one dies otherwise, the others do its job.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from threading import Event, Thread
from types import FrameType
from typing import Any

from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    close_old_connections,
    connections,
)
from django.utils import timezone
from django_tasks_db.management.commands import db_worker

from armybuilder.backup.state import check_start
from armybuilder.events.notifications import QUEUE as CALLS
from armybuilder.events.notifications import forget_sent
from armybuilder.events.reminding import send_due
from armybuilder.jobs.models import PrintWorker
from armybuilder.jobs.queue import QUEUES
from armybuilder.printing import tasks as _printing  # noqa: F401  # how its jobs are done
from armybuilder.uploads import tasks as _uploads  # noqa: F401

logger = logging.getLogger(__name__)

#: Seconds between two signs of life; and before the database is asked again once it was gone.
PULSE = 5.0
PAUSE = 1.0
#: Seconds between two checks for due mails of events.
MINUTE = 60.0
#: So long a worker that died is remembered.
REMEMBERED = timedelta(days=1)


class Worker(db_worker.Worker):
    """A worker that stops at once on a signal."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Exit at a signal: raise SystemExit, for which a job under way is put back."""
        self.running = False
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
            signal.signal(one, signal.SIG_IGN)
        sys.exit(0)

    def run(self) -> None:
        """Do the waiting jobs. If the database is gone, wait until it is back."""
        while self.running:
            try:
                for jobs in QUEUES:  # a job that was under way as the database went
                    jobs.put_back_of(self.worker_id)
                super().run()
                break
            except (OperationalError, InterfaceError) as error:
                if self.batch:
                    raise
                logger.warning("the worker waits for the database: %s", error)
                close_old_connections()
                time.sleep(PAUSE)


class Command(db_worker.Command):
    help = "Print many lists at once, and read uploaded games, as players ask for it."

    def handle(self, *, verbosity: int, queue_name: str, **options: Any) -> None:
        self.configure_logging(verbosity)
        check_start()
        os.nice(10)
        passed = ("interval", "batch", "backend_name", "startup_delay", "max_tasks")
        given: dict[str, Any] = {name: options[name] for name in passed}
        worker_id, queues = options["worker_id"], queue_name.split(",")
        calls = Worker(
            queue_names=[CALLS], excluded_queue_names=[], worker_id=f"{worker_id}-{CALLS}", **given
        )
        worker = Worker(queue_names=queues, excluded_queue_names=[], worker_id=worker_id, **given)
        worker.configure_signals()
        with _living(worker):
            # Calls wait for other hosts: nothing waits for them.
            calling = Thread(target=calls.run, daemon=True)
            calling.start()
            worker.run()
            if worker.batch:
                calling.join()


@contextmanager
def _living(worker: Worker) -> Iterator[None]:
    ended = Event()

    def live() -> None:
        sent = 0.0
        while not ended.wait(PULSE):
            _look_after(worker)
            if time.monotonic() > sent + MINUTE:
                sent = time.monotonic()
                _send_due()
        connections.close_all()

    _look_after(worker)
    living = Thread(target=live, daemon=True)
    living.start()
    try:
        yield
    finally:
        ended.set()
        living.join()
        with suppress(DatabaseError, InterfaceError):
            PrintWorker.objects.filter(pk=worker.worker_id).delete()


def _send_due() -> None:
    try:
        send_due(timezone.now())
        forget_sent(timezone.now())
    except (DatabaseError, InterfaceError) as error:
        logger.warning("reminders of events wait: %s", error)


def _look_after(worker: Worker) -> None:
    close_old_connections()
    now = timezone.now()
    try:
        PrintWorker.objects.update_or_create(pk=worker.worker_id, defaults={"seen": now})
        PrintWorker.objects.filter(seen__lt=now - REMEMBERED).delete()
        for jobs in QUEUES:
            for job in jobs.revive(now):
                logger.warning("%s begins again: its worker has died", job)
        for jobs in QUEUES if not worker.running_task else ():
            # A job waits though nobody has anything to do: its own task was lost.
            late = jobs.overlooked(now - timedelta(seconds=PULSE))
            if late is not None:
                jobs.enqueue(late)
    except Exception as error:  # database or files are gone; they are asked again
        logger.warning("the worker cannot look after the queue: %s", error)
