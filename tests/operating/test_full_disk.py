"""A disk that is full: changes fail with a page that says so, nothing is half stored, and all goes
on when there is room. Here files may not grow, which SQLite meets as it does a full disk.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operating.environments import ROOT, manage, world

#: Done by a process of its own: what it may write is limited.
CLICK = """
import json, re, resource, sys
import django
django.setup()
from django.conf import settings
from django.db import connection
from django.test import Client
settings.ALLOWED_HOSTS = ["testserver"]
settings.STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
client = Client(raise_request_exception=False)
page = client.post("/new/sbh/", {"name": "One", "limit": 300, "books": ["profiles"]})["Location"]
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

def click():
    shown = client.get(page)
    version = re.search(r'name="version" value="([0-9]+)"', shown.content.decode())[1]
    act = {"act": "add", "ref": "profiles/human-warrior", "version": version}
    done = client.post(f"{page}act/", act)
    return [shown.status_code, done.status_code, "safe" in done.content.decode()]

told = [click()]
client.get(page)  # what was done is told once, and then no longer kept
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
told.append(click())
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
told.append(click())
units = json.loads(client.get(f"{page}list.json").content)["units"]
with connection.cursor() as cursor:
    cursor.execute("PRAGMA integrity_check")
    whole = cursor.fetchone()[0]
json.dump([told, sum(unit["models"] for unit in units), whole], sys.stdout)
"""


@pytest.mark.long
def test_a_full_disk_keeps_what_is_there_and_what_is_acknowledged(tmp_path: Path) -> None:
    assert manage(tmp_path, "migrate", "--verbosity", "0").returncode == 0
    done = subprocess.run(
        [sys.executable, "-c", CLICK],
        cwd=ROOT,
        env=world(tmp_path),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    (before, full, after), models, whole = json.loads(done.stdout)
    assert before[:2] == after[:2] == [200, 302]
    assert full == [200, 500, True]
    assert models == 2
    assert whole == "ok"
