"""The programs that docs/api.md shows work against a real server, word for word."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.lists.models import Version
from tests.api.calls import DOCUMENT, Caller, make_user
from tests.guards.code import ROOT

GUIDE = (ROOT / "docs" / "api.md").read_text("utf-8")
#: The guide's own program, which stands there in pieces.
CLIENT = "\n".join(re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL))
BUILDER = (ROOT / "docs" / "examples" / "build_army.py").read_text("utf-8")


@pytest.mark.django_db(transaction=True)
def test_the_first_request_of_the_guide_has_the_answer_that_it_shows(client: Client) -> None:
    shown = json.loads(re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)[0])
    answer = client.post(
        "/api/v1/validate/", {**DOCUMENT, "limit": 299}, content_type="application/json"
    ).json()
    (finding,), (shown_finding,) = answer["findings"], shown.pop("findings")
    assert {key: answer[key] for key in shown} == shown
    assert {key: finding[key] for key in shown_finding} == shown_finding


@pytest.mark.django_db(transaction=True)
def test_the_client_judges_stores_replaces_and_prints_a_list(
    live_server: Any, tmp_path: Path
) -> None:
    token = Caller(make_user()).headers["Authorization"].removeprefix("Bearer ")
    program = CLIENT.replace("http://127.0.0.1:8000", live_server.url).replace("ab_…", token)
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "book"),
    [
        ("sbh", "profiles"),
        ("ddm-2008", "practice"),
        ("chainmail-2002", "practice"),
        ("t9a-2023", "highborn-elves"),
        ("t9a-2023", "undying-dynasties"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_the_client_builds_a_legal_army_out_of_nothing(
    live_server: Any, system: str, book: str
) -> None:
    program = BUILDER.replace("http://127.0.0.1:8000", live_server.url)
    program = program.replace('"t9a-2023", "highborn-elves"', f'"{system}", "{book}"')
    assert live_server.url in program
    assert book in program
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    said = re.fullmatch(r"Legal: (\d+) of (\d+) points\n", done.stdout)
    assert said is not None, done.stdout
    spent, limit = map(int, said.groups())
    assert limit - 40 <= spent <= limit
