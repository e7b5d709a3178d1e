"""With the documented settings of a server in the open, Django's checks find nothing."""

from pathlib import Path

import pytest

from tests.operating.environments import manage, managed
from tests.operating.test_deploy_files import env_example

pytestmark = pytest.mark.long

KEY = "documented-" * 5
MACHINES = {
    "CACHE_URL": "redis://cache.example:6379/0",
    "STORAGE_URL": "s3://armies/site?region_name=eu-central-1",
    "DATABASE_URL": "postgres://ann:secret@db.example/armies",
    "METRICS_TOKEN": "let-me-read",
    "SENTRY_DSN": "https://key@sentry.example/1",
}


@pytest.mark.parametrize(
    "more",
    [pytest.param({}, marks=pytest.mark.slow), MACHINES],
    ids=["one machine", "several"],
)
def test_the_checks_for_a_server_find_nothing(tmp_path: Path, more: dict[str, str]) -> None:
    variables = {**env_example(), "SECRET_KEY": KEY, **more}
    output = managed(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **variables)
    assert "no issues" in output


def test_the_documented_settings_want_a_key(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", **{**env_example(), "CACHE_URL": "redis://cache.example"})
    assert done.returncode == 1
    assert done.stderr.startswith("Settings: With CACHE_URL")
