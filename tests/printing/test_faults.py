"""What becomes of a print where something fails on the way."""

import errno
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage
from django.db import OperationalError, connections
from django_tasks import TaskContext

from armybuilder.jobs.queue import MAX_TRIES
from armybuilder.loading import deadline
from armybuilder.printing import tasks as work
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob
from armybuilder.printing.tasks import print_lists
from tests.printing.jobs import job_for, print_into, take

pytestmark = pytest.mark.django_db
State = PrintJob.State
CONTEXT = TaskContext(task_result=SimpleNamespace(worker_ids=["worker"]))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def prints(settings: Any, tmp_path: Path) -> Path:
    print_into(settings, tmp_path)
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    return tmp_path


def fails_for(name: str, fail: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something happen as the list of that name is printed."""
    draw = work.print_list

    def drawn(material: Any, setup: Any, tagged: bool) -> bytes:
        if material.sheet.title == name:
            fail()
        return draw(material, setup, tagged)

    monkeypatch.setattr(work, "print_list", drawn)


def run(job: PrintJob) -> PrintJob:
    """Do a job as a worker does."""
    work.work(take())
    job.refresh_from_db()
    return job


def left_out(job: PrintJob) -> list[tuple[str, str]]:
    """The lists that were not printed, with the reasons."""
    return [(name, reason) for _id, name, printed, reason in job.troubles if not printed]


def asks_for_ever() -> None:
    while True:
        deadline.check()


def never_asks() -> None:
    while True:
        pass


@pytest.mark.one_in(3)
@pytest.mark.parametrize("loop", [asks_for_ever, never_asks])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_list_that_takes_too_long_is_left_out_and_the_rest_is_printed(
    loop: Callable[[], None], zipped: bool, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PRINT_SECONDS = {"list": 0.5, "job": 60.0}
    fails_for("Slow", loop, monkeypatch)
    job = run(job_for("ann", ["One", "Slow", "Two"], zipped))
    assert (job.state, job.done) == (State.DONE, 3)
    assert left_out(job) == [("Slow", "It takes too long to print.")]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_outside_of_the_main_thread_what_asks_is_ended_too(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """As where the request itself does the work."""
    settings.PRINT_SECONDS = {"list": 0.2, "job": 60.0}
    fails_for("Slow", asks_for_ever, monkeypatch)
    job = job_for("ann", ["One", "Slow"])

    def work_in_thread() -> None:
        work.work(take())
        connections.close_all()

    thread = Thread(target=work_in_thread)
    thread.start()
    thread.join()
    job.refresh_from_db()
    assert job.state == State.DONE


def test_a_job_that_takes_too_long_holds_what_was_printed_till_then(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PRINT_SECONDS = {"list": 0.5, "job": 0.5}
    fails_for("Slow", asks_for_ever, monkeypatch)
    job = run(job_for("ann", ["One", "Slow", "Two"]))
    assert left_out(job) == [
        ("Slow", "It takes too long to print."),
        ("Two", "The lists before it took all the time."),
    ]
    assert job.state == State.DONE


def test_where_the_disk_is_full_the_job_says_so_and_no_file_is_left(
    prints: Path, monkeypatch: pytest.MonkeyPatch, client: Any
) -> None:
    def no_room(**_options: Any) -> Any:
        return Path("/dev/full").open("r+b")

    monkeypatch.setattr(work, "TemporaryFile", no_room)
    client.get("/lists/")
    session = client.session
    session["holder"] = "ann"
    session.save()
    job = run(job_for("ann"))
    assert (job.state, job.fault) == (State.FAILED, "disk")
    assert list(prints.iterdir()) == []
    page = client.get(f"/lists/prints/{job.pk}/").content.decode()
    assert "There is no room for the file on this server now. Try again later." in page
    assert f"/lists/prints/{job.pk}/again/" in page


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_where_the_storage_is_full_no_half_file_is_left(
    reason: int, prints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_storage: Any, name: str, content: Any) -> str:
        (prints / name).write_bytes(content.read(100))
        raise OSError(reason, "no")

    monkeypatch.setattr(FileSystemStorage, "_save", half)
    job = run(job_for("ann"))
    assert (job.state, job.fault) == (State.FAILED, "disk")
    assert list(prints.iterdir()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fault", [SystemExit, KeyboardInterrupt, OperationalError])
def test_a_job_that_is_broken_off_begins_again_and_is_parked_in_the_end(
    fault: type[BaseException], prints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks_off() -> None:
        raise fault

    job = job_for("ann")
    with monkeypatch.context() as patched:
        fails_for("One", breaks_off, patched)
        for number in range(1, MAX_TRIES):
            with pytest.raises(fault):
                print_lists.call(CONTEXT, str(job.pk))
            job.refresh_from_db()
            assert (job.state, job.tries) == (State.WAITING, number)
            assert list(prints.iterdir()) == []
        again = job_for("bob", ["Fine"])
        print_lists.call(CONTEXT, str(job.pk))
        again.refresh_from_db()
        assert again.state == State.DONE, "whoever waits is not kept"
        with pytest.raises(fault):
            print_lists.call(CONTEXT, str(job.pk))
    print_lists.call(CONTEXT, str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.fault) == (State.FAILED, "ended")


def test_a_signal_between_the_last_word_and_the_end_keeps_the_file(
    prints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = queue.tell

    def tells_and_is_ended(job: PrintJob, **values: Any) -> None:
        tell(job, **values)
        raise SystemExit

    job = job_for("ann")
    monkeypatch.setattr(queue, "tell", tells_and_is_ended)
    with pytest.raises(SystemExit):
        print_lists.call(CONTEXT, str(job.pk))
    job.refresh_from_db()
    assert (job.state, len(list(prints.iterdir()))) == (State.DONE, 1)
