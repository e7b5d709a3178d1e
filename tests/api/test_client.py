"""The client that docs/api.md shows works against a real server, word for word."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from armybuilder.lists.models import Version
from tests.api.calls import DOCUMENT, Caller, make_user
from tests.guards.code import ROOT


def client() -> str:
    """The guide's Python, piece after piece."""
    pieces = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text("utf-8"), re.DOTALL
    )
    assert "/api/v1" in pieces[0]
    return "".join(pieces)


@pytest.mark.django_db(transaction=True)
def test_the_client_judges_stores_replaces_and_prints_a_list(
    live_server: Any, tmp_path: Path
) -> None:
    token = Caller(make_user()).headers["Authorization"].removeprefix("Bearer ")
    program = client().replace("http://127.0.0.1:8000", live_server.url).replace("ab_…", token)
    assert live_server.url in program
    (tmp_path / "list.json").write_text(json.dumps({**DOCUMENT, "limit": 299}), "utf-8")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Not legal: 300 of 299 points\n")
    assert "Human Warrior: 2 fewer (−60 points) 240 points\n" in done.stdout
    assert (tmp_path / "list.pdf").read_bytes().startswith(b"%PDF-")
    names = [version.document.to_dict()["name"] for version in Version.objects.order_by("number")]
    assert names == ["Ten men", "Ten men, checked"]
