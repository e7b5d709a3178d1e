"""Lists and jobs of any holder, made without the site; and where a test has its prints."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from armybuilder.jobs.queue import SILENCE
from armybuilder.lists.services import create_list
from armybuilder.printing import jobs
from armybuilder.printing.jobs import prints
from armybuilder.printing.models import PrintJob
from armybuilder.printing.tasks import work
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.printing import printouts
from tests.building.documents import skirmish, value_of


def job_for(holder: str, names: Sequence[str] = ("One",), zipped: bool = False) -> PrintJob:
    """A job that waits, for new lists of these names."""
    documents = [value_of({**skirmish("sbh"), "name": name}) for name in names]
    ids = [create_list(holder, one, "Made.").army_list_id for one in documents]
    job = jobs.plan(holder, ids)
    jobs.start(job, Setup(kinds=("compact",)), zipped)
    job.refresh_from_db()
    return job


def while_printing(monkeypatch: pytest.MonkeyPatch, do: Callable[[str], Any]) -> None:
    """Do something before each list is printed, with its name."""
    draw = printouts.print_list

    def drawn(material: Any, *rest: Any) -> bytes:
        do(material.sheet.title)
        return draw(material, *rest)

    monkeypatch.setattr(printouts, "print_list", drawn)


def take(worker: str = "worker") -> PrintJob:
    """The job that is next, given to a worker."""
    job = prints.take(worker)
    assert job is not None
    return job


def work_through() -> None:
    """Do all that waits."""
    while job := prints.take("worker"):
        work(job)


def age(job: PrintJob, **by: float) -> None:
    """Let a job be that much older, as `timedelta` counts."""
    job.refresh_from_db()
    for field in ("moved", "begun", "due"):
        then = getattr(job, field)
        setattr(job, field, then and then - timedelta(**by))
    job.save()


def abandon(job: PrintJob) -> None:
    """Let the worker that has it be dead, and the job be put back."""
    age(job, seconds=SILENCE.total_seconds())
    prints.revive(timezone.now())


def print_into(settings: Any, folder: Path) -> None:
    """Make and keep printed files there; `settings` is the fixture."""
    settings.PRINTS_DIR = folder
    options = {"location": folder, "allow_overwrite": True}
    backend = "django.core.files.storage.FileSystemStorage"
    settings.STORAGES = {**settings.STORAGES, "prints": {"BACKEND": backend, "OPTIONS": options}}
