"""Which job is next, who has it, and what earlier releases have stored."""

import io
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from armybuilder.jobs.models import PrintWorker
from armybuilder.jobs.queue import SERVED_FOR, SILENCE, worker_is_there
from armybuilder.printing import jobs
from armybuilder.printing import tasks as work
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from tests.printing.jobs import abandon, age, job_for, print_into, take, work_through

pytestmark = pytest.mark.django_db


State = PrintJob.State


@pytest.fixture(autouse=True)
def prints(settings: Any, tmp_path: Path) -> Path:
    print_into(settings, tmp_path)
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


def test_who_was_served_longest_ago_is_next() -> None:
    for holder in ("ann", "ann", "bob", "cid", "cid"):
        job_for(holder)
    assert taken(5) == ["ann", "bob", "cid", "ann", "cid"]
    for holder in ("cid", "bob", "ann", "bob"):
        job_for(holder)
    assert taken(4) == ["bob", "ann", "cid", "bob"]


def test_the_order_that_is_told_is_the_order_that_is_kept() -> None:
    made = [job_for(holder) for holder in ("ann", "ann", "bob", "cid", "cid")]
    told = {job.pk: queue.ahead_of(job) for job in made}
    order = [take().pk for _each in made]
    assert [told[job] for job in order] == [0, 1, 2, 3, 4]
    assert queue.ahead_of(made[0]) == 4, "those that are under way"


def test_what_was_served_long_ago_does_not_let_new_visitors_pass() -> None:
    served = job_for("ann")
    take()
    PrintJob.objects.filter(pk=served.pk).update(state=State.DONE)
    age(served, seconds=SERVED_FOR.total_seconds())
    job_for("ann")
    job_for("new")
    assert taken(2) == ["ann", "new"]


def test_a_job_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = job_for("ann")
    second = job_for("bob")
    stale = queue.in_order()
    assert take("one") == first
    monkeypatch.setattr(queue, "in_order", lambda: stale)  # as another saw it before
    assert take("two") == second
    assert queue.take("two") is None


def test_a_job_is_abandoned_when_its_worker_is_silent_and_not_while_it_lives(
    settings: Any,
) -> None:
    job = job_for("ann")
    take("worker")
    age(job, minutes=10)
    PrintWorker.objects.create(id="worker", seen=timezone.now())
    assert queue.revive(timezone.now()) == []
    assert state(job) == (State.WORKING, 1)
    PrintWorker.objects.update(seen=timezone.now() - SILENCE)
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
    assert not worker_is_there()
    assert queue.revive(timezone.now()) == [job]
    assert state(job) == (State.WAITING, 1)


def test_a_job_is_tried_three_times_and_does_not_keep_others_waiting() -> None:
    poisoned = job_for("ann")
    other = job_for("bob")
    assert take() == poisoned
    abandon(poisoned)
    work.work(take())
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
    work.work(slow)
    assert state(job) == (State.WORKING, 2)
    assert list(prints.iterdir()) == []
    work.work(quick)
    assert state(job) == (State.DONE, 2)
    work.work(slow)
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


def test_what_a_dead_try_wrote_goes_as_its_job_is_put_back(prints: Path) -> None:
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
