"""`manage.py print_worker`: print many lists at once, as players ask for them, until it is ended.

Any number of workers may run, on any number of hosts; `armybuilder/serving.py` runs some beside the
web. One that loses the database waits for it. One that is ended leaves off at once, and puts back
what it has under way; what dies otherwise leaves its job to the others.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
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

from armybuilder.printing import queue
from armybuilder.printing.jobs import State
from armybuilder.printing.models import PrintJob, PrintWorker
from armybuilder.printing.tasks import print_lists

logger = logging.getLogger(__name__)

#: Seconds between two signs of life; and before the database is asked again once it was gone.
PULSE = 5.0
PAUSE = 1.0
#: So long a worker that died is remembered.
REMEMBERED = timedelta(days=1)


class Worker(db_worker.Worker):
    """A worker that leaves off at once where it is told to end."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Called for a signal. Raises SystemExit, for which a job under way is put back."""
        self.running = False
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT):
            signal.signal(one, signal.SIG_IGN)
        sys.exit(0)

    def run(self) -> None:
        """Do what there is to do. Where the database is gone, wait until it is back."""
        while self.running:
            try:
                self._put_back()
                super().run()
                break
            except (OperationalError, InterfaceError) as error:
                if self.batch:
                    raise
                logger.warning("the worker waits for the database: %s", error)
                close_old_connections()
                time.sleep(PAUSE)

    def _put_back(self) -> None:
        """Let the job wait again that was under way as the database went."""
        for job in PrintJob.objects.filter(state=State.WORKING, worker=self.worker_id):
            queue.put_back(job)


class Command(db_worker.Command):
    help = "Print many lists at once, as players ask for them."

    def handle(
        self,
        *,
        verbosity: int,
        queue_name: str,
        interval: float,
        batch: bool,
        backend_name: str,
        startup_delay: bool,
        max_tasks: int | None,
        worker_id: str,
        **options: Any,
    ) -> None:
        self.configure_logging(verbosity)
        os.nice(10)
        worker = Worker(
            queue_names=queue_name.split(","),
            interval=interval,
            batch=batch,
            backend_name=backend_name,
            startup_delay=startup_delay,
            max_tasks=max_tasks,
            worker_id=worker_id,
            excluded_queue_names=[],
        )
        worker.configure_signals()
        with _living(worker):
            worker.run()


@contextmanager
def _living(worker: Worker) -> Iterator[None]:
    """Give signs of life, and look after the queue, until the end."""
    ended = Event()
    _look_after(worker)
    living = Thread(target=_live, args=(worker, ended), daemon=True)
    living.start()
    try:
        yield
    finally:
        ended.set()
        living.join()
        with suppress(DatabaseError, InterfaceError):
            PrintWorker.objects.filter(pk=worker.worker_id).delete()


def _live(worker: Worker, ended: Event) -> None:
    while not ended.wait(PULSE):
        _look_after(worker)
    connections.close_all()


def _look_after(worker: Worker) -> None:
    """Say that this worker lives, and let jobs go on that nobody has in hand."""
    close_old_connections()
    now = timezone.now()
    try:
        PrintWorker.objects.update_or_create(pk=worker.worker_id, defaults={"seen": now})
        PrintWorker.objects.filter(seen__lt=now - REMEMBERED).delete()
        for job in queue.revive(now):
            logger.warning("printing %s begins again: its worker has died", job.pk)
        if not worker.running_task:
            _wake(now)
    except Exception as error:  # database or files are gone; they are asked again
        logger.warning("the worker cannot look after the queue: %s", error)


def _wake(now: datetime) -> None:
    """Enqueue a task where a job waits though nobody has anything to do: its own was lost."""
    late = PrintJob.objects.filter(
        state=State.WAITING, moved__lt=now - timedelta(seconds=PULSE)
    ).first()
    if late is not None:
        print_lists.enqueue(str(late.pk))
