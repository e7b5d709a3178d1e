"""Addresses that programs look for at every site, and what every page says of itself."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client


def test_robots_and_icons_have_their_usual_addresses(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    lines = b"".join(answer).decode().splitlines()
    assert {"Disallow: /lists/", "Disallow: /shared/", "Disallow: /api/"} <= set(lines)
    assert "Disallow: /library/" not in lines
    # There is an icon for whoever asks by its old name.
    answer = client.get("/favicon.ico")
    assert answer.status_code == 200
    assert b"".join(answer)[:4] == b"\0\0\1\0"


@pytest.mark.django_db
def test_who_finds_a_weakness_reads_where_to_report_it(client: Client, settings: Any) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:safe@armies.example"
    settings.SITE_URL = "https://armies.example"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    told = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert told["Contact"] == "mailto:safe@armies.example"
    assert told["Canonical"] == "https://armies.example/.well-known/security.txt"
    until = datetime.strptime(told["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=30) < until - datetime.now(UTC) < timedelta(days=365)


@pytest.mark.django_db
def test_no_answer_lets_a_page_use_camera_or_place(client: Client) -> None:
    for path in ("/", "/api/v1/systems/", "/nothing/"):
        policy = client.get(path)["Permissions-Policy"]
        assert {"camera=()", "geolocation=()", "microphone=()"} <= set(policy.split(", ")), path
        assert "clipboard" not in policy, path  # a button copies a list as text
