"""What stands in deploy/ can be read by the programs it is for, and names settings that there are.

The image itself is built by whoever has Docker: no test does.
"""

import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.exceptions import ImproperlyConfigured

from armybuilder import environment
from tests.operating.servers import ROOT, manage, managed, program

DEPLOY = ROOT / "deploy"
#: What is not the app's: Python's, the image's, the database's and the proxy's.
OTHERS = {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "POSTGRES_USER"}
OTHERS |= {"POSTGRES_PASSWORD", "SITE_HOST"}


def settings_asked() -> set[str]:
    """The settings that the app reads from its environment."""
    files = (ROOT / f"armybuilder/{name}.py" for name in ("settings", "serving", "environment"))
    code = "".join(file.read_text() for file in files)
    ask = r'\b(?:text|on|number|seconds|names|environ\.setdefault)\(\s*"([A-Z_]+)"'
    quotas = {f"{name}{who}" for name in ("QUOTA_LISTS", "QUOTA_MB") for who in ("", "_USER")}
    return set(re.findall(ask, code)) | quotas | {"EMAIL_URL"}  # asked by dj_email_url


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return read


def env_example() -> dict[str, str]:
    lines = (DEPLOY / "env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def named() -> set[str]:
    """Every variable that a file of deploy/ sets."""
    found = set(env_example())
    for service in compose()["services"].values():
        found |= set(service.get("environment", ()))
    image = (DEPLOY / "Dockerfile").read_text().partition("\nENV ")[2].partition("\nUSER ")[0]
    found |= set(re.findall(r"^\s*([A-Z_]+)=", image, re.M))
    for unit in DEPLOY.glob("systemd/*"):
        found |= set(re.findall(r"^Environment=([A-Z_]+)=", unit.read_text(), re.M))
    return found


def test_every_setting_that_is_named_is_one_and_in_the_table_of_the_operators_page() -> None:
    known = settings_asked()
    assert {"DATABASE_URL", "SECRET_KEY_FALLBACKS", "WORKERS"} <= known
    assert named() - OTHERS - known == set()
    page = (ROOT / "docs/operating.md").read_text()
    rows = set(re.findall(r"`([A-Z_]+)`", "".join(re.findall(r"^\|.*?\|", page, re.M))))
    assert rows == settings_asked()


def test_the_services_run_apart_and_write_to_one_place() -> None:
    services = compose()["services"]
    assert {"proxy", "migrate", "web", "worker", "database", "cache"} <= set(services)
    for name in ("migrate", "web", "worker", "tidy"):
        service = services[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["volumes"] == ["data:/data"]
    for name in ("web", "worker"):
        waits = services[name]["depends_on"]
        assert waits == {"migrate": {"condition": "service_completed_successfully"}}
    volumes = {
        volume.partition(":")[0]
        for service in services.values()
        for volume in service.get("volumes", ())
        if not volume.startswith(".")
    }
    assert volumes == set(compose()["volumes"])
    text = (DEPLOY / "Dockerfile").read_text()
    assert "\nUSER app\n" in text
    assert "--require-hashes" in text
    copied = re.findall(r"^COPY (?!--)(\S+) ", text, re.M)
    assert all((ROOT / path).exists() for path in copied)
    let_in = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert {line[1:] for line in let_in if line.startswith("!")} == set(copied)


def test_nginx_accepts_our_configuration(tmp_path: Path) -> None:
    nginx = program("nginx")
    subprocess.run(
        [
            *(program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=armies.example", "-keyout", tmp_path / "key", "-out", tmp_path / "crt"),
        ],
        check=True,
        capture_output=True,
    )
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"/etc/letsencrypt\S+/fullchain.pem", str(tmp_path / "crt"), text)
    text = re.sub(r"/etc/letsencrypt\S+/privkey.pem", str(tmp_path / "key"), text)
    text = text.replace("/run/nginx.pid", str(tmp_path / "pid"))
    (tmp_path / "nginx.conf").write_text(text)
    command = [nginx, "-t", "-c", tmp_path / "nginx.conf", "-e", tmp_path / "log"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_caddy_accepts_our_configuration(tmp_path: Path) -> None:
    """Debian's is older than the one of compose.yaml, and buffers by another word."""
    caddy = program("caddy")
    text = (DEPLOY / "Caddyfile").read_text().replace("request_buffers 4MiB", "buffer_requests")
    (tmp_path / "Caddyfile").write_text(text)
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"]
    world = {"SITE_HOST": "armies.example", "HOME": str(tmp_path), "PATH": "/usr/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=world)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("unit", sorted(DEPLOY.glob("systemd/*")), ids=lambda path: path.name)
def test_systemd_accepts_our_units(unit: Path, tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    here = tmp_path / "units"
    here.mkdir()
    for one in DEPLOY.glob("systemd/*"):  # programs that are here, in place of the app's
        text = one.read_text().replace("/srv/armybuilder/.venv/bin/gunicorn", "/bin/true")
        text = text.replace("/srv/armybuilder/.venv/bin/python", "/bin/true")
        (here / one.name).write_text(text)
    command = [analyze, "verify", "--man=no", here / unit.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    about = [line for line in done.stderr.splitlines() if str(here) in line]
    assert about == []


def test_an_upgrade_migrates_while_the_site_goes_on_and_restarts_it_without_migrating_again() -> (
    None
):
    site, migrate = (
        (DEPLOY / f"systemd/{name}.service").read_text().splitlines()
        for name in ("armybuilder", "armybuilder-migrate")
    )
    assert {"Wants=armybuilder-migrate.service", "After=armybuilder-migrate.service"} <= set(site)
    assert not [line for line in site if line.startswith("Requires=")]
    assert {"Type=oneshot", "RemainAfterExit=yes"} <= set(migrate)


def test_commands_of_the_manual_name_programs_as_systemd_wants_them() -> None:
    manual = (ROOT / "docs/operating.md").read_text()
    programs = re.findall(r"`systemd-run (?:--\S+\s+)+(\S+)", manual)
    assert programs
    assert [one for one in programs if not one.startswith("/")] == []


# With the documented settings of a server in the open, Django's checks find nothing.

KEY = "documented-" * 5
MACHINES = {
    "CACHE_URL": "redis://cache.example:6379/0",
    "STORAGE_URL": "s3://armies/site?region_name=eu-central-1",
    "DATABASE_URL": "postgres://ann:secret@db.example/armies",
    "METRICS_TOKEN": "let-me-read",
    "SENTRY_DSN": "https://key@sentry.example/1",
}


@pytest.mark.long
@pytest.mark.parametrize(
    "more", [pytest.param({}, marks=pytest.mark.slow), MACHINES], ids=["one machine", "several"]
)
def test_the_checks_for_a_server_find_nothing(tmp_path: Path, more: dict[str, str]) -> None:
    variables = {**env_example(), "SECRET_KEY": KEY, **more}
    output = managed(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **variables)
    assert "no issues" in output


@pytest.mark.long
def test_the_documented_settings_want_a_key(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", **{**env_example(), "CACHE_URL": "redis://cache.example"})
    assert done.returncode == 1
    assert done.stderr.startswith("Settings: With CACHE_URL")


# Settings come from the environment; what contradicts is refused with one sentence.

LONG_KEY = "k" * 25 + "y" * 25
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
        key = environment.text("SECRET_KEY", LONG_KEY)
        environment.refuse_contradictions(hosts, environment.text("SITE_URL"), key)
    except ImproperlyConfigured as error:
        return str(error)
    return ""


def test_contradicting_settings_are_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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
        {**SERVER, "CACHE_URL": "redis://cache/0", "SECRET_KEY": LONG_KEY},
        {"SITE_URL": "http://localhost:8000"},
        {"SITE_URL": "http://[::1]:8000"},
        {"DEBUG": "1", "ALLOWED_HOSTS": "*"},
    ):
        assert refused(monkeypatch, **variables) == "", variables


def test_an_unreadable_setting_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_bucket_is_recognised_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
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
    monkeypatch.setenv("SECRET_KEY", LONG_KEY)
    assert environment.secret_key(file) == LONG_KEY


def test_processes_that_start_together_get_one_whole_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with ThreadPoolExecutor(8) as pool:
        for start in range(50):
            file = tmp_path / f"key-{start}"
            keys = set(pool.map(environment.secret_key, [file] * 8))
            assert keys == {file.read_text(encoding="ascii")}
    assert len(list(tmp_path.iterdir())) == 50


@pytest.mark.long
def test_a_start_that_is_refused_says_the_sentence_and_nothing_else(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", HTTPS="1", ALLOWED_HOSTS="", SITE_URL="")
    assert done.returncode == 1
    said = "With HTTPS=1, ALLOWED_HOSTS must name the host that the site is reached by."
    assert done.stderr == f"Settings: {said}\n"
