"""Settings of the test run: the app's own, with quick storage and a folder of its own."""

import atexit
import os
import shutil
import tempfile

if "ARMYBUILDER_VAR" not in os.environ:
    os.environ["ARMYBUILDER_VAR"] = tempfile.mkdtemp(prefix="armybuilder-test-")
    atexit.register(shutil.rmtree, os.environ["ARMYBUILDER_VAR"], ignore_errors=True)
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright runs its own event loop

from typing import Any

from armybuilder.settings import *  # noqa: F403
from armybuilder.settings import DATABASES, STORAGES, VAR_DIR

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": STORAGES["default"],
    "prints": STORAGES["prints"],
    "uploads": STORAGES["uploads"],
    "games": STORAGES["games"],
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
TASKS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend", "QUEUES": []}
}
# Nobody's requests are counted unless a test wants it.
PROCESSOR_SECONDS_PER_MINUTE = {"anonymous": 0.0, "user": 0.0}
NETWORK_BYTES = 0
WHITENOISE_AUTOREFRESH = True
WHITENOISE_MAX_AGE = 3600  # no browser of a run asks twice for a file
WHITENOISE_USE_FINDERS = True
# A file, as it is served: a database in memory locks whole tables, so that nobody could read while
# another writes.
DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}
