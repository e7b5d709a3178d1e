"""Configuration of gunicorn: `gunicorn armybuilder.wsgi --config python:armybuilder.serving`.

One server, four kinds of processes, all copies of one that has loaded all code and checked all
catalogues (each makes books on demand), and each restarted when it ends: *web* processes answer
with threads, so that a slow client blocks nobody; heavy ones answer longer requests, a *short* one
within seconds and *long* ones the rest (`armybuilder.admission.dispatch`); *print* ones do
background jobs. All but the first give way to other work of the machine. docs/operating.md lists
the settings.
"""

import gc
import os
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal

from gunicorn import util
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import TConn, ThreadWorker

from armybuilder.environment import number, on, text

Role = Literal["web", "short", "long", "print"]

#: Seconds in which a client has to send the head of its request, and in which all of it has to be
#: answered: then its connection is cut. A proxy that buffers requests needs neither.
HEAD = 10
LONGEST = 120
#: Seconds in which a client may close a connection that was answered, before it is cut.
LINGER = 0.05
#: How much heavy processes give way to others, as `nice` counts: short work to clicks, and long
#: work, as printing, to both.
NICENESS: dict[Role, int] = {"short": 4, "long": 10}
#: After how many new objects garbage is looked for, and how often among older ones: some twenty
#: clicks make as many, and Python's own numbers take a millisecond of each.
GARBAGE = (20_000, 10, 10)
#: Seconds before a process that ended with an error is started again.
PAUSE = 1.0

_HEAVY = number("HEAVY_WORKERS", 2)
PROCESSES: dict[Role, int] = {
    "print": 0 if on("DEBUG") else number("PRINT_WORKERS", 1),
    "short": int(_HEAVY > 1),  # one alone does all heavy work
    "long": _HEAVY - int(_HEAVY > 1),
    "web": number("WORKERS", 2),
}
PROXIES = number("PROXIES", int(on("HTTPS")))
_FOLDER = Path(tempfile.gettempdir()) / f"armybuilder-{secrets.token_hex(12)}"
#: The sockets of heavy processes, those for short work first.
LANES: dict[Role, str] = {
    role: str(_FOLDER / f"{role}.sock") for role in PROCESSES if role in ("short", "long")
}

bind = [text("ADDRESS", "127.0.0.1:8000")]
bind += [f"unix:{path}" for role, path in LANES.items() if PROCESSES[role]]
workers = sum(PROCESSES.values())
worker_class = "armybuilder.serving.Process"
logger_class = "armybuilder.serving.Log"
threads = number("THREADS", 64)
preload_app = True
control_socket_disable = True
keepalive = 5
timeout = 30
graceful_timeout = 10


def on_starting(server: Any) -> None:
    """Check the secret key, prepare folder and metrics; gunicorn calls it before it listens."""
    from django.db import connections

    from armybuilder.backup.state import check_start
    from armybuilder.watching import metrics

    check_start()
    connections.close_all()  # processes open their own
    _FOLDER.mkdir(mode=0o700)
    metrics.forget()


def pre_fork(server: Any, worker: "Process") -> None:
    """Give a new process the role that there are too few of; gunicorn calls it before it forks."""
    there = Counter(other.role for other in server.WORKERS.values() if other is not worker)
    worker.role = next((role for role in PROCESSES if there[role] < PROCESSES[role]), "web")
    roles = {path: role for role, path in LANES.items()}
    lane = worker.role if worker.role in LANES else None
    worker.sockets = [sock for sock in worker.sockets if roles.get(sock.getsockname()) == lane]


def on_exit(server: Any) -> None:
    """Remove the folder; gunicorn calls it as it ends."""
    shutil.rmtree(_FOLDER, ignore_errors=True)


# The one thread that accepts connections waits for a client to close its own: not long.
util.close_graceful = partial(util.close_graceful, timeout=LINGER)


class Log(Logger):
    """gunicorn's own lines, in the form that the site's have."""

    def setup(self, cfg: Any) -> None:
        """Format gunicorn's lines; called first, and when it reads its configuration anew."""
        from armybuilder import logs

        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.addFilter(logs.mark)
            handler.setFormatter(logs.formatter(text("LOG_FORMAT") == "json"))


class Process(ThreadWorker):
    """One process of the server; its role defines its work."""

    role: Role = "web"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: When the connections that threads wait on or work for are cut.
        self.cut_at: dict[TConn, float] = {}

    def get_thread_pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1 if self.role in LANES else self.cfg.threads)

    def load_wsgi(self) -> None:
        """Load the site when gunicorn has begun the process."""
        from armybuilder.admission.dispatch import Dispatcher, passing_on
        from armybuilder.admission.upstream import taking_over

        super().load_wsgi()
        gc.set_threshold(*GARBAGE)
        os.nice(NICENESS.get(self.role, 0))
        site: Any = self.wsgi
        if self.role in LANES:
            self.worker_connections = 1  # the next waits for whichever process is free first
            site = taking_over(passing_on(site) if self.role == "short" else site)
        else:
            lanes = [(path, PROCESSES[role]) for role, path in LANES.items() if PROCESSES[role]]
            site = Dispatcher(site, lanes)
        self.wsgi = site

    def handle(self, conn: TConn) -> Any:
        """Answer a request, in a thread; one address has half of the threads at most."""
        if self._has_enough(conn):
            raise ConnectionAbortedError  # gunicorn closes it at once
        self.cut_at[conn] = time.monotonic() + HEAD
        if self.role in LANES:
            signal.alarm(LONGEST)  # ends the process; gunicorn starts another
        try:
            return super().handle(conn)
        finally:
            signal.alarm(0)
            del self.cut_at[conn]

    def _has_enough(self, conn: TConn) -> bool:
        # Behind a proxy, all requests come from its address, and it limits them itself.
        if PROXIES or self.role != "web" or not isinstance(conn.client, tuple):
            return False
        others = [other.client for other in list(self.cut_at)]
        here = sum(isinstance(one, tuple) and one[0] == conn.client[0] for one in others)
        return here >= int(self.cfg.threads) // 2

    def handle_request(self, req: Any, conn: TConn) -> Any:
        """Answer a request whose head has been read."""
        self.cut_at[conn] = time.monotonic() + LONGEST
        return super().handle_request(req, conn)

    def notify(self) -> None:
        """Cut connections that take too long; gunicorn calls it about once a second."""
        super().notify()
        now = time.monotonic()
        for conn, ends in list(self.cut_at.items()):
            if now > ends:
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RDWR)

    def run(self) -> None:
        from django.core.management import call_command

        if self.role != "print":
            super().run()
            return
        threading.Thread(target=self._tell_of_life, daemon=True).start()
        try:
            call_command("print_worker", verbosity=0)
        except Exception:
            self.log.exception("the process that prints has ended; another is started")
            time.sleep(PAUSE)
            raise

    def _tell_of_life(self) -> None:
        """Let gunicorn know that the process lives, and end it with its server."""
        while os.getppid() == self.ppid:
            self.notify()
            time.sleep(PAUSE)
        os.kill(os.getpid(), signal.SIGKILL)
