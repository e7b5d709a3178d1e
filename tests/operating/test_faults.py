"""What the site does while something that it needs is gone, and when it is back."""

from pathlib import Path

import pytest
import requests

from tests.operating.servers import postgresql, site

pytestmark = [pytest.mark.long, pytest.mark.slow]


def test_while_the_database_is_gone_pages_fail_and_then_go_on_at_once(tmp_path: Path) -> None:
    """The first click on the restarted database finds a connection that works (M5)."""
    with postgresql() as server:
        variables = {"DATABASE_URL": server.make("armies")}
        with site(tmp_path, "--workers", "2", **variables) as address, requests.Session() as one:
            fields = {"name": "Mine", "limit": 300, "books": ["profiles"]}
            page = one.get(f"{address}/new/sbh/", timeout=30).text
            fields["csrfmiddlewaretoken"] = page.partition('csrfmiddlewaretoken" value="')[2][:64]
            made = one.post(f"{address}/new/sbh/", fields, timeout=30)
            assert made.status_code == 200
            for _again in range(8):  # a connection for each process
                assert one.get(made.url, timeout=30).status_code == 200
            server.stop()
            gone = one.get(made.url, timeout=30)
            assert gone.status_code == 500
            assert gone.headers["X-Request-ID"] in gone.text
            ready = requests.get(f"{address}/readyz?exclude=worker", timeout=30)
            assert ready.status_code == 503
            assert ready.json()["parts"]["database"] == "failed: OperationalError"
            assert requests.get(f"{address}/healthz", timeout=30).status_code == 200
            server.start()
            answers = [one.get(made.url, timeout=30) for _again in range(8)]
            assert [answer.status_code for answer in answers] == [200] * 8
            server.stop()
            server.start()
            answers = [one.get(made.url, timeout=30) for _again in range(8)]
            assert [answer.status_code for answer in answers] == [200] * 8
            assert "Mine" in answers[0].text
