"""How gunicorn serves the site: beside its workers runs one process that prints many lists.

Used by `gunicorn --config python:armybuilder.serving`. The printing process starts once the server
answers, and ends with it.
"""

import subprocess
import sys
import time
from typing import Any

_COMMANDS = [sys.executable, "-m", "armybuilder"]
_WORKER = ("print_worker", "--with-parent", "--no-reload", "--verbosity", "0")
#: Seconds until the process that prints is ended by force.
_PATIENCE = 5
_printing: list[subprocess.Popen[bytes]] = []


def when_ready(server: Any) -> None:
    """Called by gunicorn in its first process, once."""
    command = [*_COMMANDS, *_WORKER]
    # A session of its own: a key pressed at the terminal ends the server, which then ends it.
    _printing.append(subprocess.Popen(command, start_new_session=True))  # noqa: S603


def on_exit(server: Any) -> None:
    """Called by gunicorn as it ends. What is being printed waits for the next start."""
    for process in _printing:
        process.terminate()
        time.sleep(0.2)
        process.terminate()  # a second time: do not finish what is under way
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
