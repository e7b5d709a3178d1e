"""A disk that is full: changes fail with a page that says so, nothing is half stored, and all goes
on when there is room. Here files may not grow, which SQLite meets as it does a full disk.
"""

from pathlib import Path

import pytest

from tests.operating.environments import make_database, told_by

#: Done by a process of its own: what it may write is limited.
CLICK = """
import re, resource
from django.db import connection
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
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
told.append(click())
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
told.append(click())
units = json.loads(client.get(f"{page}list.json").content)["units"]
with connection.cursor() as cursor:
    cursor.execute("PRAGMA integrity_check")
    whole = cursor.fetchone()[0]
tell([told, sum(unit["models"] for unit in units), whole])
"""


@pytest.mark.slow
@pytest.mark.long
def test_a_full_disk_keeps_what_is_there_and_what_is_acknowledged(tmp_path: Path) -> None:
    make_database(tmp_path)
    (before, full, after), models, whole = told_by(CLICK, tmp_path)
    assert before[:2] == after[:2] == [200, 302]
    assert full == [200, 500, True]
    assert models == 2
    assert whole == "ok"
