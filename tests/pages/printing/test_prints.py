"""Printing many lists into one file, outside of the request."""

import io
import os
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_tasks.base import Task
from django_tasks_db.management.commands.db_worker import Worker
from pypdf import PdfReader

from armybuilder.jobs import queue as working
from armybuilder.jobs.models import PrintWorker
from armybuilder.jobs.queue import MAX_TRIES, SILENCE
from armybuilder.management.commands import print_worker
from armybuilder.printing import jobs
from armybuilder.printing import tasks as work
from armybuilder.printing.jobs import prints as print_queue
from armybuilder.printing.models import PrintJob
from tests.markup import refused
from tests.pages.mine import Mine as Lists
from tests.pdfs import pages_of
from tests.printing.jobs import print_into, while_printing

pytestmark = [pytest.mark.django_db, pytest.mark.long]
State = PrintJob.State


class Mine(Lists):
    """A browser that prints some of its lists."""

    def plan(self, *names: str, **fields: str) -> str:
        """Tick lists and press Print: the address of the page that comes."""
        ids = [self.ids[name] for name in names]
        answer = self.client.post("/lists/chosen/", {"do": "print", "list": ids, **fields})
        assert answer.status_code == 302, answer.text
        return str(answer["Location"])

    def print(self, *names: str, **fields: Any) -> str:
        """The same, and start: the address of the job."""
        page = self.plan(*names)
        answer = self.client.post(f"{page}start/", {"kinds": "compact", **fields})
        assert answer["Location"] == page
        return page

    def file(self, page: str) -> bytes:
        response = self.client.get(f"{page}file/")
        assert response.status_code == 200
        return b"".join(response.streaming_content)

    def pdf(self, page: str) -> PdfReader:
        return PdfReader(io.BytesIO(self.file(page)), strict=True)

    def page(self, address: str) -> str:
        return self.client.get(address).text


def job_at(page: str) -> PrintJob:
    return PrintJob.objects.get(pk=page.partition("?")[0].strip("/").split("/")[-1])


def do_next() -> None:
    job = print_queue.take("worker")
    assert job is not None
    work.work(job)


@pytest.fixture(autouse=True)
def prints_dir(settings: Any, tmp_path: Path) -> Path:
    print_into(settings, tmp_path / "prints")
    return tmp_path / "prints"


@pytest.fixture
def mine(client: Client) -> Mine:
    """Two lists that are not legal, as nothing is on them."""
    mine = Mine(client)
    mine.start("Goblins")
    mine.start("Zealots")
    return mine


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[UUID]]:
    """Jobs that were handed over to a worker which has not come to them yet."""
    handed: list[UUID] = []
    monkeypatch.setattr(Task, "enqueue", lambda _task, job_id: handed.append(UUID(job_id)))
    return handed


def test_lists_are_printed_into_one_file_in_the_order_of_ticking(mine: Mine) -> None:
    legal = mine.example()
    page = mine.print("Zealots", legal)
    job = job_at(page)
    assert (job.state, job.done) == (State.DONE, 2)
    context = mine.client.get(page).context
    assert [row["name"] for row in context["not_legal"]] == ["Zealots"]
    assert context["left_out"] == []
    file = mine.pdf(page)
    assert len(file.pages) == job.pages
    outline = [entry for entry in file.outline if not isinstance(entry, list)]
    assert [entry.title for entry in outline] == ["Zealots", legal]
    starts = [file.get_destination_page_number(entry) for entry in outline]
    assert starts[0] == 0
    told = pages_of(mine.file(page))
    assert "Zealots" in told[0]
    assert legal in told[starts[1]]
    assert legal not in told[0]
    assert file.trailer["/Root"]["/Lang"] == "en"
    assert file.metadata is not None
    assert file.metadata.title == "2 lists"


def test_the_form_begins_with_the_default_preset(mine: Mine) -> None:
    page = f"/lists/{mine.ids['Goblins']}/print/setups/"
    fields = {"do": "save", "name": "Club", "usual": "1", "query": "kinds=compact&paper=A5"}
    mine.client.post(page, fields)
    shown = mine.client.get(mine.plan("Goblins")).context["page"]
    assert (shown["setup"].paper, shown["setup"].kinds) == ("A5", ("compact",))
    assert [saved.name for saved, _query, _current in shown["saved_rows"]] == ["Club"]


def test_files_are_printed_as_the_form_says(mine: Mine) -> None:
    # The set up of the form is printed and equal ones make equal files.
    file = mine.pdf(mine.print("Goblins", paper="letter", landscape="1"))
    box = file.pages[0].mediabox
    assert (round(box.width), round(box.height)) == (792, 612)
    # Equal lists and set ups make equal files.
    first, second = (mine.print("Goblins", "Zealots", paper="A5") for _time in range(2))
    assert mine.file(first) == mine.file(second)
    # A file for each list goes into a zip.
    mine.client.post(f"/lists/{mine.ids['Zealots']}/rename/", {"name": "goblins!"})
    page = mine.print("Goblins", "Zealots", file="zip")
    with zipfile.ZipFile(io.BytesIO(mine.file(page))) as archive:
        assert archive.namelist() == ["Goblins.pdf", "goblins-2.pdf", "report.txt"]
        text = pages_of(archive.read("goblins-2.pdf"))[0]
        assert "Goblins: Not legal" in archive.read("report.txt").decode()
    assert "goblins!" in text


def test_a_list_that_cannot_be_printed_is_named_and_the_others_are_printed(mine: Mine) -> None:
    page = mine.plan("Goblins", "Zealots")
    mine.lose("Goblins")
    mine.client.post(f"{page}start/", {"kinds": "compact"})
    response = mine.client.get(page)
    assert [row["name"] for row in response.context["left_out"]] == ["Goblins"]
    assert response.context["printed"] == 1
    assert [entry.title for entry in mine.pdf(page).outline if not isinstance(entry, list)] == [
        "Zealots"
    ]


def test_a_list_that_was_deleted_meanwhile_is_named(mine: Mine) -> None:
    page = mine.plan("Goblins", "Zealots")
    mine.client.post(f"/lists/{mine.ids['Zealots']}/delete/")
    mine.client.post(f"{page}start/", {})
    assert [row["name"] for row in mine.client.get(page).context["left_out"]] == ["Zealots"]


def test_a_mistake_of_ours_in_one_list_does_not_stop_the_others(
    mine: Mine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    while_printing(monkeypatch, lambda name: name == "Goblins" and 1 / 0)
    page = mine.print("Goblins", "Zealots")
    assert mine.client.get(page).context["printed"] == 1
    assert "ZeroDivisionError" in caplog.text


def test_where_nothing_can_be_printed_there_is_no_file(mine: Mine, prints_dir: Path) -> None:
    page = mine.plan("Goblins")
    mine.lose("Goblins")
    mine.client.post(f"{page}start/", {})
    assert job_at(page).state == State.FAILED
    assert "None of these lists could be printed" in mine.page(page)
    assert mine.client.get(f"{page}file/").status_code == 404
    assert list(prints_dir.iterdir()) == []


def test_a_job_is_cancelled_before_its_next_list(
    mine: Mine, prints_dir: Path, queue: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = mine.print("Goblins", "Zealots")
    drawn: list[str] = []

    def cancel(name: str) -> None:
        drawn.append(name)
        mine.client.post(f"{page}cancel/")

    while_printing(monkeypatch, cancel)
    do_next()
    assert (job_at(page).state, drawn) == (State.CANCELLED, ["Goblins"])
    assert list(prints_dir.iterdir()) == []
    assert "Cancelled" in mine.page(page)


def test_the_page_tells_how_far_a_job_is(mine: Mine, queue: list[UUID]) -> None:
    # A job that was cancelled while it waited is not begun.
    page = mine.print("Goblins")
    mine.client.post(f"{page}cancel/")
    assert print_queue.take("worker") is None
    assert job_at(page).state == State.CANCELLED
    # The page tells how far it is and is loaded anew once done.
    page = mine.print("Goblins", "Zealots")
    PrintJob.objects.update(state=State.WORKING, done=1, worker="worker")
    assert "1 of 2 printed" in mine.page(page)
    asked = mine.client.get(f"{page}?seen=working", headers={"HX-Request": "true"})
    assert 'value="1" max="2"' in asked.text
    assert "<html" not in asked.text
    PrintJob.objects.update(state=State.DONE)
    asked = mine.client.get(f"{page}?seen=working", headers={"HX-Request": "true"})
    assert asked["HX-Refresh"] == "true"


def test_the_worker_tells_how_far_it_is(
    mine: Mine, queue: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "PACE", 0)
    page = mine.print("Goblins", "Zealots")
    done: list[int] = []
    while_printing(monkeypatch, lambda _name: done.append(job_at(page).done))
    do_next()
    assert done == [0, 1]


def test_who_waits_is_told_how_many_are_before(mine: Mine, queue: list[UUID]) -> None:
    other = Mine(Client())
    other.start("Theirs")
    other.print("Theirs")
    page = mine.print("Goblins")
    assert mine.client.get(page).context["ahead"] == 1
    do_next()
    assert mine.client.get(page).context["ahead"] == 0


def test_where_no_worker_runs_the_page_says_so(
    mine: Mine, queue: list[UUID], settings: Any
) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
    said = "Printing is paused on this server"
    assert said in mine.page(mine.plan("Goblins"))
    page = mine.print("Goblins")
    assert said in mine.page(page)
    worker = PrintWorker.objects.create(id="worker", seen=timezone.now())
    assert said not in mine.page(page)
    worker.seen -= SILENCE
    worker.save()
    assert said in mine.page(page)


def test_a_job_that_ends_its_worker_each_time_is_parked_and_says_so(
    mine: Mine, queue: list[UUID]
) -> None:
    page = mine.print("Goblins", paper="A5", file="zip")
    for _try in range(MAX_TRIES):
        # A worker takes the job, and was killed some time ago.
        job = print_queue.take("worker")
        assert job == job_at(page)
        PrintJob.objects.filter(pk=job.pk).update(moved=timezone.now() - SILENCE)
        assert "It starts in a moment." in mine.page(page)
        assert "waiting" in mine.page("/lists/prints/")
        print_queue.revive(timezone.now())
    assert print_queue.take("worker") is None
    assert "This was tried 3 times, and failed each time." in mine.page(page)
    anew = mine.client.post(f"{page}again/")["Location"]
    shown = mine.client.get(anew).context
    assert (shown["page"]["setup"].paper, shown["zipped"]) == ("A5", True)
    assert job_at(anew).lists == job_at(page).lists


def test_two_of_one_browser_may_be_under_way_and_no_more(mine: Mine, queue: list[UUID]) -> None:
    for _time in range(jobs.MAX_AT_ONCE):
        mine.print("Goblins")
    third = mine.plan("Goblins")
    assert mine.client.post(f"{third}start/", {}).status_code == 422
    do_next()
    assert mine.client.post(f"{third}start/", {}).status_code == 302


def test_a_button_puts_the_sheets_into_another_order_first(mine: Mine) -> None:
    page = mine.plan("Goblins")
    fields = {"kinds": ["full", "compact"], "up": "compact", "file": "zip"}
    address = mine.client.post(f"{page}start/", fields)["Location"]
    shown = mine.client.get(address).context
    assert (shown["page"]["setup"].kinds, shown["zipped"]) == (("compact", "full"), True)
    # A job is started as it is offered.
    for fields in ({"paper": "napkin"}, {"kinds": "poem"}, {"kinds": ""}):
        assert mine.client.post(f"{page}start/", fields).status_code == 422
    assert mine.client.get(f"{page}?paper=napkin").status_code == 422
    assert job_at(page).state == State.PLANNED
    # A job is started once.
    page = mine.print("Goblins")
    assert mine.client.post(f"{page}start/", {}).status_code == 422


def test_more_lists_than_one_file_holds_are_refused_with_the_number(
    mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_PRINTED", 1)
    answer = mine.client.post("/lists/chosen/", {"do": "print", "list": list(mine.ids.values())})
    assert "At most 1 lists fit into one file; 2 were selected." in refused(answer)


def test_all_lists_that_were_found_are_printed_from_all_pages(
    mine: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armybuilder.pages.my_lists.search.PER_PAGE", 1)
    mine.start("Goblins of the marsh")
    assert "Print all 2" in mine.page("/lists/?q=goblins&sort=name")
    fields = {"do": "print-all", "next": "q=goblins&sort=name"}
    page = mine.client.post("/lists/chosen/", fields)["Location"]
    assert [name for _one, name in job_at(page).lists] == ["Goblins", "Goblins of the marsh"]


def test_the_oldest_files_of_a_browser_go_when_it_prints_more(
    mine: Mine, prints_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_KEPT", 2)
    first, *others = [mine.print("Goblins") for _time in range(3)]
    assert len(list(prints_dir.iterdir())) == 3
    for _time in range(jobs.MAX_PLANNED + 2):
        mine.plan("Goblins")
    assert mine.client.get(first).status_code == 404
    assert {path.stem for path in prints_dir.iterdir()} == {str(job_at(one).pk) for one in others}
    assert PrintJob.objects.filter(state=State.PLANNED).count() == jobs.MAX_PLANNED


def test_old_prints_are_tidied_away_with_their_files(mine: Mine, prints_dir: Path) -> None:
    old, new = mine.print("Goblins"), mine.print("Zealots")
    then = timezone.now() - print_queue.kept_for - timedelta(hours=1)
    PrintJob.objects.filter(pk=job_at(old).pk).update(created=then)
    stray = prints_dir / "half.part"
    stray.touch()
    os.utime(stray, (then.timestamp(), then.timestamp()))
    said = io.StringIO()
    call_command("tidy", stdout=said)
    assert "Prints made more than 7 days ago: 1." in said.getvalue()
    assert len(list(prints_dir.iterdir())) == 3
    call_command("tidy", "--remove", stdout=said)
    assert [path.stem for path in prints_dir.iterdir()] == [str(job_at(new).pk)]
    assert mine.client.get(old).status_code == 404


def test_the_file_is_in_the_language_of_who_asked_for_it(mine: Mine) -> None:
    mine.client.cookies["django_language"] = "de"
    page = mine.print("Goblins")
    file = mine.pdf(page)
    assert file.trailer["/Root"]["/Lang"] == "de"
    assert "Noch nicht regelkonform" in pages_of(mine.file(page))[0]


@pytest.mark.django_db(transaction=True)
def test_the_worker_takes_jobs_from_the_database(
    mine: Mine, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
    monkeypatch.setattr("os.nice", lambda by: None)
    monkeypatch.setattr(Worker, "configure_signals", lambda worker: None)
    monkeypatch.setattr(print_worker, "PULSE", 0.01)
    page = mine.print("Goblins")
    assert job_at(page).state == State.WAITING
    call_command("print_worker", "--batch", "--no-startup-delay", "--verbosity", "0")
    assert job_at(page).state == State.DONE
    assert not PrintWorker.objects.exists()
