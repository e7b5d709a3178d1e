"""Which job is next, who has it, what earlier releases have stored, and what fails on the way."""

import errno
import io
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.files.storage import FileSystemStorage
from django.db import OperationalError, connection, connections
from django.utils import timezone
from django_tasks import TaskContext

from armybuilder.jobs import queue as module
from armybuilder.jobs.models import PrintWorker
from armybuilder.jobs.queue import MAX_TRIES, SILENCE, ahead_of, due_for, worker_is_there
from armybuilder.loading import deadline
from armybuilder.printing import jobs, tasks
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.tasks import print_lists
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload
from tests.printing.jobs import (
    abandon,
    age,
    job_for,
    print_into,
    take,
    while_printing,
    work_through,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long]
State = PrintJob.State
CONTEXT = TaskContext(task_result=SimpleNamespace(worker_ids=["worker"]))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def prints(settings: Any, tmp_path: Path) -> Path:
    print_into(settings, tmp_path)
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    return tmp_path


def taken(number: int) -> list[str]:
    """The holders of the next jobs, which are done one after the other."""
    holders = []
    for _each in range(number):
        job = take()
        holders.append(job.holder)
        PrintJob.objects.filter(pk=job.pk).update(state=State.DONE)
    return holders


def state(job: PrintJob) -> tuple[str, int]:
    job.refresh_from_db()
    return job.state, job.tries


def asked(*jobs: tuple[str, float]) -> None:
    """Let holders ask for jobs of so many seconds, all at one moment."""
    moment = timezone.now()
    for holder, seconds in jobs:
        job = job_for(holder)
        PrintJob.objects.filter(pk=job.pk).update(due=None)
        with patch.object(module, "timezone", SimpleNamespace(now=lambda: moment)):
            due = due_for(holder, seconds)
        PrintJob.objects.filter(pk=job.pk).update(seconds=seconds, due=due)


def test_the_holder_served_least_lately_is_next() -> None:
    asked(*((holder, 60.0) for holder in ("ann", "ann", "bob", "cid", "cid")))
    assert taken(5) == ["ann", "bob", "cid", "ann", "cid"]
    asked(*((holder, 60.0) for holder in ("cid", "bob", "ann", "bob")))
    assert taken(1) == ["bob"], "who had less"


def test_short_jobs_go_before_long_ones_which_do_not_wait_for_ever() -> None:
    asked(("ann", 60.0), ("bob", 9.0), ("cid", 5.0), ("bob", 0.2), ("dan", 9.1))
    assert taken(5) == ["cid", "bob", "dan", "bob", "ann"]
    asked(("eve", 60.0))
    old = PrintJob.objects.get(holder="eve")
    age(old, minutes=11)
    asked(("fay", 0.2))
    assert taken(2) == ["eve", "fay"]


def test_a_job_cancelled_before_it_began_does_not_count() -> None:
    asked(("ann", 60.0))
    jobs.cancel(PrintJob.objects.get())
    asked(("ann", 0.2), ("bob", 9.0))
    assert taken(2) == ["ann", "bob"]


@pytest.mark.django_db(transaction=True)
def test_a_long_job_gives_way_to_a_short_one_of_any_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And their time is not its own."""
    clock = [0.0]
    stopped = SimpleNamespace(monotonic=lambda: clock[0], thread_time=lambda: clock[0])
    monkeypatch.setattr(module, "time", stopped)
    monkeypatch.setattr(module, "PACE", -1.0)
    order: list[str] = []

    def prints_one(title: str) -> None:
        order.append(title)
        if title == "Long 1":
            asked(("bob", 0.2), ("cid", 600.0))
            Upload.objects.create(holder="dan", state=State.WAITING, due=timezone.now())

    def reads(upload: Upload) -> None:
        order.append("upload")
        clock[0] += 10_000.0
        Upload.objects.filter(pk=upload.pk).update(state=State.DONE)

    while_printing(monkeypatch, prints_one)
    monkeypatch.setattr(uploads, "work", reads)
    long = job_for("ann", ["Long 1", "Long 2", "Long 3"])
    PrintJob.objects.update(due=timezone.now() + timedelta(minutes=5))
    print_lists.call(CONTEXT, "")
    assert order == ["Long 1", "upload", "One", "Long 2", "Long 3"]
    assert state(long) == (State.DONE, 1)
    print_lists.call(CONTEXT, "")
    assert order[5:] == ["One"]


def test_the_cost_of_a_job_grows_with_its_lists() -> None:
    (one, three) = (job_for("ann", names) for names in (["A"], ["A", "B", "C"]))
    one.refresh_from_db()
    three.refresh_from_db()
    assert three.seconds == pytest.approx(3 * one.seconds) != 0


def test_jobs_are_done_in_the_order_shown() -> None:
    made = [job_for(holder) for holder in ("ann", "ann", "bob", "cid", "cid")]
    told = {job.pk: ahead_of(job) for job in made}
    order = [take().pk for _each in made]
    assert [told[job] for job in order] == [0, 1, 2, 3, 4]
    assert ahead_of(PrintJob.objects.get(pk=order[4])) == 4, "those that are under way"


def test_a_job_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = job_for("ann")
    second = job_for("bob")
    stale = [first.pk, second.pk]
    assert take("one") == first
    seen = SimpleNamespace(values_list=lambda *_columns, flat: stale)  # as another saw it before
    monkeypatch.setattr(queue, "waiting", lambda: seen)
    assert take("two") == second
    assert queue.take("two") is None


def test_a_job_is_abandoned_when_its_worker_is_silent_and_not_while_it_lives(settings: Any) -> None:
    job = job_for("ann")
    take("worker")
    age(job, minutes=10)
    PrintWorker.objects.create(id="worker", seen=timezone.now())
    assert queue.revive(timezone.now()) == []
    assert state(job) == (State.WORKING, 1)
    PrintWorker.objects.update(seen=timezone.now() - SILENCE)
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
    assert not worker_is_there()
    assert queue.revive(timezone.now()) == [job]
    assert state(job) == (State.WAITING, 1)


def test_a_job_is_tried_three_times_and_does_not_keep_others_waiting() -> None:
    poisoned = job_for("ann")
    other = job_for("bob")
    assert take() == poisoned
    abandon(poisoned)
    tasks.work(take())
    assert state(other) == (State.DONE, 1)
    for _try in range(2):
        assert take() == poisoned
        abandon(poisoned)
    assert queue.take("worker") is None
    assert (state(poisoned), poisoned.fault) == ((State.FAILED, 3), "ended")


def test_a_worker_that_was_only_slow_does_not_end_the_job_of_the_next(prints: Path) -> None:
    job = job_for("ann")
    slow = take("slow")
    abandon(job)
    quick = take("quick")
    tasks.work(slow)
    assert state(job) == (State.WORKING, 2)
    assert list(prints.iterdir()) == []
    tasks.work(quick)
    assert state(job) == (State.DONE, 2)
    tasks.work(slow)
    job.refresh_from_db()
    assert [path.name for path in prints.iterdir()] == [queue.file_of(job)]
    with queue.files().open(queue.file_of(job)) as file:
        assert file.read(4) == b"%PDF"


def test_files_that_no_job_has_are_removed(prints: Path) -> None:
    kept = job_for("ann")
    work_through()
    under_way = job_for("ann")
    take()
    gone = job_for("bob")
    failed = job_for("cid")
    for job in (under_way, gone, failed):
        job.refresh_from_db()
        queue.files().save(queue.file_of(job), io.BytesIO(b"half"))
    (prints / f"{kept.pk}.part").write_bytes(b"of an earlier release")
    PrintJob.objects.filter(pk=gone.pk).delete()
    PrintJob.objects.filter(pk=failed.pk).update(state=State.FAILED)
    jobs.remove_strays(timezone.now())
    there = {path.name for path in prints.iterdir()}
    assert there == {f"{kept.pk}.pdf", f"{under_way.pk}.pdf"}


def test_an_earlier_release_goes_on_beside_this_one() -> None:
    """It does not know the newer fields."""
    statement = """
        INSERT INTO printing_printjob
        (id, holder, lists, setup, zipped, language, state, done, pages, size, troubles, created,
        moved) VALUES (%s, 'ann', '[]', '{}', %s, 'en', 'waiting', 0, 0, 0, '[]', %s, %s)
    """
    now = str(timezone.now().replace(tzinfo=None))
    with connection.cursor() as cursor:
        cursor.execute(statement, [uuid4().hex, False, now, now])
    assert take().tries == 1


def test_files_of_a_failed_try_are_removed_when_its_job_is_put_back(prints: Path) -> None:
    job = job_for("ann")
    (prints / queue.file_of(take())).write_bytes(b"half")
    abandon(job)
    assert list(prints.iterdir()) == []


def test_both_of_one_holder_wait_and_a_third_is_refused_while_one_is_abandoned() -> None:
    job = job_for("ann")
    take()
    age(job, minutes=10)
    job_for("ann")
    with pytest.raises(jobs.Refusal):
        job_for("ann")


# Saved set-ups that hid special items go on hiding them under the kind's new name.


rename = import_module("armybuilder.printing.migrations.0003_hidden_lists").rename


def test_the_old_opponents_sheet_is_the_hidden_list():
    setup = PrintSetup.objects.create(holder="one", name="Club", fields={"kinds": "full,opponent"})
    other = PrintSetup.objects.create(holder="one", name="Home", fields={"paper": "A5"})
    job = PrintJob.objects.create(holder="one", setup={"kinds": "opponent", "size": "large"})
    rename(apps, None)
    for row in (setup, other, job):
        row.refresh_from_db()
    assert setup.fields == {"kinds": "full,hidden"}
    assert other.fields == {"paper": "A5"}
    assert job.setup == {"kinds": "hidden", "size": "large"}


# What becomes of a print where something fails on the way.


def fails_for(name: str, fail: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something happen as the list of that name is printed."""
    while_printing(monkeypatch, lambda title: title == name and fail())


def run(job: PrintJob) -> PrintJob:
    """Do a job as a worker does."""
    tasks.work(take())
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


@pytest.mark.one_in(4)
@pytest.mark.parametrize("loop", [asks_for_ever, never_asks])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_list_that_takes_too_long_is_left_out_and_the_rest_is_printed(
    loop: Callable[[], None], zipped: bool, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PRINT_SECONDS = {"list": 0.5, "job": 60.0}
    fails_for("Slow", loop, monkeypatch)
    job = run(job_for("ann", ["One", "Slow", "Two"], zipped))
    assert (job.state, job.done) == (State.DONE, 3)
    assert left_out(job) == [("Slow", "This list takes too long to print.")]


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
        tasks.work(take())
        connections.close_all()

    thread = Thread(target=work_in_thread)
    thread.start()
    thread.join()
    job.refresh_from_db()
    assert job.state == State.DONE


@pytest.mark.slow
def test_a_job_that_takes_too_long_holds_what_was_printed_till_then(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PRINT_SECONDS = {"list": 0.5, "job": 0.5}
    fails_for("Slow", asks_for_ever, monkeypatch)
    job = run(job_for("ann", ["One", "Slow", "Two"]))
    assert left_out(job) == [
        ("Slow", "This list takes too long to print."),
        ("Two", "The lists before it used up the time."),
    ]
    assert job.state == State.DONE


def test_where_the_disk_is_full_the_job_says_so_and_no_file_is_left(
    prints: Path, monkeypatch: pytest.MonkeyPatch, client: Any
) -> None:
    def no_room(**_options: Any) -> Any:
        return Path("/dev/full").open("r+b")

    monkeypatch.setattr(tasks, "TemporaryFile", no_room)
    client.get("/lists/")
    session = client.session
    session["holder"] = "ann"
    session.save()
    job = run(job_for("ann"))
    assert (job.state, job.fault) == (State.FAILED, "disk")
    assert list(prints.iterdir()) == []
    page = client.get(f"/lists/prints/{job.pk}/").text
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

    begun = timezone.now()  # it stands still: turns hang on how long the tries took
    monkeypatch.setattr(timezone, "now", lambda: begun)
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
