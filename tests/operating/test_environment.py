"""Settings come from the environment; what contradicts is refused with one sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from armybuilder import environment
from tests.operating.environments import manage

KEY = "k" * 25 + "y" * 25
SERVER = {"HTTPS": "1", "ALLOWED_HOSTS": "armies.example", "SITE_URL": "https://armies.example"}


def refused(monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    """The sentence with which these variables are refused; "" where they are not."""
    names = "HTTPS ALLOWED_HOSTS SITE_URL SECRET_KEY CACHE_URL STORAGE_URL DEBUG PROXIES"
    for name in names.split():
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    hosts = environment.names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
    try:
        key = environment.text("SECRET_KEY", KEY)
        environment.refuse_contradictions(hosts, environment.text("SITE_URL"), key)
    except ImproperlyConfigured as error:
        return str(error)
    return ""


def test_what_contradicts_is_refused_with_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[tuple[dict[str, str], str]] = [
        ({"HTTPS": "1"}, "must name the host that the site is reached by"),
        ({"HTTPS": "1", "ALLOWED_HOSTS": "*"}, "* lets anybody name one"),
        ({"ALLOWED_HOSTS": "https://armies.example"}, "not “https://armies.example”"),
        ({"ALLOWED_HOSTS": "armies.example:443"}, "not “armies.example:443”"),
        ({**SERVER, "SITE_URL": "https://other.example"}, "does not name other.example"),
        ({**SERVER, "SITE_URL": "http://armies.example"}, "but HTTPS is 1"),
        ({**SERVER, "HTTPS": ""}, "so HTTPS must be 1"),
        ({**SERVER, "SITE_URL": "https://armies.example/sub"}, "without a path"),
        ({**SERVER, "SITE_URL": "armies.example"}, "without a path"),
        ({**SERVER, "CACHE_URL": "redis://cache/0"}, "With CACHE_URL, several machines"),
        ({"STORAGE_URL": "s3://prints"}, "With STORAGE_URL, several machines"),
        ({"SECRET_KEY": "short"}, "too short: 50"),
        ({**SERVER, "DEBUG": "1"}, "does not go with HTTPS=1"),
        ({**SERVER, "PROXIES": "0"}, "PROXIES cannot be 0"),
    ]
    for variables, sentence in cases:
        refusal = refused(monkeypatch, **variables)
        assert sentence in refusal, variables
        assert refusal.endswith("."), variables
        assert "\n" not in refusal, variables
    for variables in (
        {},
        SERVER,
        {**SERVER, "ALLOWED_HOSTS": ".armies.example, other.example"},
        {**SERVER, "CACHE_URL": "redis://cache/0", "SECRET_KEY": KEY},
        {"SITE_URL": "http://localhost:8000"},
        {"SITE_URL": "http://[::1]:8000"},
        {"DEBUG": "1", "ALLOWED_HOSTS": "*"},
    ):
        assert refused(monkeypatch, **variables) == "", variables


def test_what_cannot_be_read_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[tuple[str, str, Callable[[], Any]]] = [
        ("API_CALLS", "many", lambda: environment.number("API_CALLS", 1)),
        ("API_CALLS", "-1", lambda: environment.number("API_CALLS", 1)),
        ("SLOW_SECONDS", "nan", lambda: environment.seconds("SLOW_SECONDS", 1)),
        ("SLOW_SECONDS", "-1", lambda: environment.seconds("SLOW_SECONDS", 1)),
        ("DATABASE_URL", "nowhere", lambda: environment.database(Path("x"))),
        ("CACHE_URL", "http://x", lambda: environment.shared_cache("http://x")),
        ("STORAGE_URL", "ftp://x", lambda: environment.file_storage("ftp://x", Path(), "x")),
    ]
    for name, value, ask in cases:
        monkeypatch.setenv(name, value)
        with pytest.raises(ImproperlyConfigured, match=name):
            ask()
    monkeypatch.setenv("DATABASE_URL", "")
    assert environment.database(Path("x"))["NAME"] == "x", "named empty it is none"


def test_a_bucket_is_told_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "s3://armies/site?endpoint_url=https://s3.example&region_name=here"
    found = environment.file_storage(url, Path(), "prints")
    assert found["OPTIONS"] == {
        "endpoint_url": "https://s3.example",
        "region_name": "here",
        "bucket_name": "armies",
        "location": "site/prints",
        "default_acl": None,
        "file_overwrite": True,
    }
    assert environment.file_storage("s3://armies", Path(), "x")["OPTIONS"]["location"] == "x"
    monkeypatch.setattr(environment, "find_spec", lambda _name: None)
    with pytest.raises(ImproperlyConfigured, match=r"needs armybuilder\[s3\]"):
        environment.file_storage("s3://armies", Path(), "x")


def test_the_key_is_made_once_and_read_by_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    file = tmp_path / "secret_key"
    key = environment.secret_key(file)
    assert len(key) >= environment.KEY_LENGTH
    assert file.stat().st_mode & 0o777 == 0o600
    assert environment.secret_key(file) == key
    monkeypatch.setenv("SECRET_KEY", KEY)
    assert environment.secret_key(file) == KEY


@pytest.mark.long
def test_a_start_that_is_refused_says_the_sentence_and_nothing_else(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", HTTPS="1", ALLOWED_HOSTS="", SITE_URL="")
    assert done.returncode == 1
    said = "With HTTPS=1, ALLOWED_HOSTS must name the host that the site is reached by."
    assert done.stderr == f"Settings: {said}\n"
