"""Webhooks: what is told, how it is signed, and where nothing is sent."""

import base64
import hashlib
import hmac
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import import_module
from ipaddress import IPv4Address
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.apps import apps
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from armybuilder import outgoing
from armybuilder.events import deciding
from armybuilder.events.models import Decision, Event, Webhook
from armybuilder.events.webhooks import QUEUE, WAITS, is_given_up, shown_secret, try_again
from armybuilder.loading.problems import Refusal
from tests.events.builders import NOW, entered, legal_list, open_event, owner_of, submitted

pytestmark = pytest.mark.django_db


#: A worker does what is enqueued.
QUEUED = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}


class Listener(HTTPServer):
    """A program of an organiser that remembers what it is told, and answers with `status`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.status = 200

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}/hook?for=me"


class Handler(BaseHTTPRequestHandler):
    """Answers posts."""

    server: Listener

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        assert self.path == "/hook?for=me"
        named = {name.lower(): value for name, value in self.headers.items()}
        self.server.heard.append((named, body))
        self.send_response(self.server.status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_said: Any) -> None:
        """Nothing goes to the console."""


@pytest.fixture
def listener(settings: Settings) -> Iterator[Listener]:
    settings.CALLS_ANYWHERE = True
    with Listener() as made:
        thread = Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def hooked(url: str) -> Event:
    """An event that tells this address."""
    event = open_event()
    Webhook.objects.create(event=event, url=url)
    return event


def test_webhooks_report_submissions_and_decisions_signed_and_without_the_list(
    listener: Listener, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    event = hooked(listener.url)
    entry = entered(event, "Zilpzalp")
    with django_capture_on_commit_callbacks(execute=True):
        submitted(event, entry, legal_list("Wendehals"))
        deciding.decide(event.pk, 1, 1, Decision.What.ACCEPTED, owner_of(event), NOW)
    told = [json.loads(body) for _headers, body in listener.heard]
    received = {"entry": 1, "submission": 1, "legal": True, "late": False}
    accepted = {"entry": 1, "submission": 1, "decision": "accepted"}
    assert told == [
        {"type": f"submission.{kind}", "timestamp": NOW.isoformat()}
        | {"data": {"event": str(event.pk), **data}}
        for kind, data in (("received", received), ("decided", accepted))
    ]
    assert Webhook.objects.get().said == "200"
    # As Standard Webhooks are.
    headers, body = listener.heard[0]
    secret = base64.b64decode(shown_secret(Webhook.objects.get()).removeprefix("whsec_"))
    assert len(secret) == 32
    what = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mark = base64.b64encode(hmac.new(secret, what, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mark}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60


def test_a_call_that_is_not_taken_is_made_again_and_leads_nowhere_else(
    listener: Listener,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.TASKS = QUEUED
    listener.status = 302
    event = hooked(listener.url)
    with django_capture_on_commit_callbacks(execute=True):
        submitted(event, entered(event))
    assert listener.heard == []  # a worker does it
    for number in range(1, len(WAITS) + 2):
        work_off()
        work_off()  # what waits for its time is not made before
        hook = Webhook.objects.get()
        assert (len(listener.heard), hook.failures, hook.said) == (number, number, "302")
        an_age_passes()
    assert len({headers["webhook-id"] for headers, _body in listener.heard}) == 1
    # Then it is given up, whatever happens, until it is tried.
    assert is_given_up(hook)
    assert not work_off()
    with django_capture_on_commit_callbacks(execute=True):
        submitted(event, entered(event, "Wendehals"))
    work_off()
    assert len(listener.heard) == len(WAITS) + 1
    listener.status = 204
    with django_capture_on_commit_callbacks(execute=True):
        try_again(event, timezone.now())
        with pytest.raises(Refusal, match="a moment ago"):
            try_again(event, timezone.now())
    work_off()
    hook = Webhook.objects.get()
    assert (len(listener.heard), hook.failures, hook.said) == (len(WAITS) + 2, 0, "204")


def work_off() -> int:
    """Do what is due; return how many calls of the queue there were."""
    due = list(DBTaskResult.objects.ready().order_by("enqueued_at"))
    for row in due:
        DBTaskResult.objects.filter(pk=row.pk).delete()
        assert row.queue_name == QUEUE
        row.task.call(*row.args_kwargs["args"])
    return len(due)


def an_age_passes() -> None:
    """Let all that waits be due."""
    long_ago = timezone.now() - timedelta(days=2)
    Webhook.objects.update(called=long_ago)
    DBTaskResult.objects.update(run_after=long_ago)


@pytest.mark.slow
def test_what_happens_while_nobody_answers_waits_and_is_told_then(
    listener: Listener,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.TASKS = QUEUED
    listener.status = 500
    event = hooked(listener.url)
    with django_capture_on_commit_callbacks(execute=True):
        for name in ("Zilpzalp", "Wendehals", "Pirol"):
            submitted(event, entered(event, name))
    assert work_off() == 3
    assert len(listener.heard) == 1, "the others wait for its next time"
    listener.status = 200
    an_age_passes()
    work_off()
    assert len({headers["webhook-id"] for headers, _body in listener.heard}) == 3


@pytest.mark.slow
def test_a_call_ends_though_the_other_side_drips_or_its_name_is_never_found(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CALLS_ANYWHERE = True
    monkeypatch.setattr(outgoing, "PATIENCE", 0.3)
    over = Signal()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            client, _address = server.accept()
            with client, suppress(OSError):
                while not over.wait(0.05):
                    client.sendall(b"H")

        dripping = Thread(target=drip)
        dripping.start()
        with pytest.raises(TimeoutError):
            outgoing.post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", {})
        over.set()
        dripping.join()
    looking = Signal()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_host, **_more: looking.wait(30))
    with pytest.raises(TimeoutError):
        outgoing.post("http://armies.example/", b"", {})
    looking.set()


@pytest.mark.slow
def test_a_call_queued_before_the_task_moved_is_still_made(
    listener: Listener,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.TASKS = QUEUED
    event = hooked(listener.url)
    with django_capture_on_commit_callbacks(execute=True):
        submitted(event, entered(event))
    DBTaskResult.objects.update(task_path="armybuilder.events.tasks.call")
    migration = import_module("armybuilder.events.migrations.0005_path_of_webhook_calls")
    migration.name_the_task_anew(apps, None)
    queued = DBTaskResult.objects.get()
    queued.task.call(*queued.args_kwargs["args"])
    assert len(listener.heard) == 1


#: The second and third are of private networks.
BEHIND = (
    *("127.0.0.1", str(IPv4Address(0x0A010203)), str(IPv4Address(0xC0A80009)), "169.254.169.254"),
    *("[64:ff9b::7f00:1]", "[fec0::1]", "[::7f00:1]", "[2002:7f00:1::]", "[::ffff:0:7f00:1]"),
    *("[::1]", "[::ffff:127.0.0.1]", "[fd00::1]", "224.0.0.1", "100.64.0.1", "localhost"),
    "0.0.0.0",  # noqa: S104  # nothing is bound
)
WRONG = (
    *("", "x", "http://armies.example/", "ftp://armies.example/", "javascript:alert(1)"),
    *("https://", "https://a:b@armies.example/"),
    *("https://armies.example:0/", "https://armies.example:99999/"),
    *("https://armies.example/\u00fc", f"https://{'a' * 70}.example/", "https://a..example/"),
)


def test_nothing_behind_this_host_is_called_nor_a_name_there_nor_what_is_no_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for host in BEHIND:
        with pytest.raises(Refusal, match="not on the public internet"):
            outgoing.post(f"https://{host}/", b"", {})

    def found(_host: str, port: int, **_more: Any) -> list[Any]:
        return [(0, 0, 0, "", (one, port)) for one in ("93.184.216.34", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with pytest.raises(Refusal, match="public internet"):
        outgoing.post("https://rebound.example/", b"", {})
    for url in WRONG:
        with pytest.raises(Refusal):
            outgoing.check_address(url)


@pytest.mark.slow
def test_the_other_side_must_have_the_certificate_of_its_host(
    listener: Listener,
    tmp_path: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed(tmp_path))
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    event = hooked(listener.url.replace("http://", "https://"))
    with django_capture_on_commit_callbacks(execute=True):
        submitted(event, entered(event))
    assert listener.heard == []
    assert Webhook.objects.get().said == "SSLCertVerificationError"


def self_signed(folder: Path) -> Path:
    """A certificate with its key that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now).not_valid_after(now + timedelta(days=1))
    own = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = key.private_bytes(serialization.Encoding.PEM, *own)
    file = folder / "server.pem"
    signed = made.sign(key, hashes.SHA256())
    file.write_bytes(pem + signed.public_bytes(serialization.Encoding.PEM))
    return file
