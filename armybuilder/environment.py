"""Environment variables of the settings, and their checks.

Called while the settings are made, so it needs none. Invalid or contradictory values raise
ImproperlyConfigured with one sentence for the operator.
"""

import os
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

#: Letters that a secret key has at least, as Django's own check asks for.
KEY_LENGTH = 50


def text(name: str, default: str = "") -> str:
    """Return a variable, or the default if it is empty or not there."""
    return os.environ.get(name, "").strip() or default


def on(name: str) -> bool:
    """Return whether a variable says yes."""
    return text(name).lower() in ("1", "true", "yes", "on")


def number(name: str, default: int) -> int:
    """Return a whole number, 0 or more."""
    given = text(name, str(default))
    if not given.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not “{given}”.")
    return int(given)


def seconds(name: str, default: float) -> float:
    """Return a number of seconds, 0 or more."""
    given = text(name, str(default))
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} must be a number of seconds, not “{given}”.")
    return value


def names(name: str, default: str = "") -> list[str]:
    """Return the parts of a text separated by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def secret_key(file: Path) -> str:
    """Return SECRET_KEY, or the key in the file; made on the first run, for its owner alone."""
    given = text("SECRET_KEY")
    if given:
        return given
    if not file.exists():
        # Whole at once: another process that starts now never reads half of it.
        handle, part = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(secrets.token_urlsafe(KEY_LENGTH))
        with suppress(FileExistsError):
            os.link(part, file)
        os.unlink(part)
    return file.read_text(encoding="ascii").strip()


def database(file: Path) -> Any:
    """Return the database of DATABASE_URL, or SQLite in the file."""
    try:
        settings: Any = dj_database_url.parse(
            text("DATABASE_URL", f"sqlite:///{file}"), conn_max_age=600, conn_health_checks=True
        )
    except ValueError as error:
        raise ImproperlyConfigured(
            "DATABASE_URL must be an address such as postgres://user:password@host/name."
        ) from error
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        # Readers do not wait for the writer, and a writer takes its lock before it reads.
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 10,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    elif settings["ENGINE"] == "django.db.backends.postgresql":
        # No page waits for a server that does not answer.
        settings.setdefault("OPTIONS", {}).setdefault("connect_timeout", 5)
    return settings


def shared_cache(url: str) -> dict[str, Any]:
    """Return the cache that all processes share: Redis, or a table of the database."""
    if not url:
        return {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "attempts",
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    if urlsplit(url).scheme not in ("redis", "rediss", "unix"):
        raise ImproperlyConfigured("CACHE_URL must be an address such as redis://host:6379/0.")
    return {
        "BACKEND": "armybuilder.caching.Redis",
        "LOCATION": url,
        "KEY_PREFIX": "armybuilder",
        # No page waits for a cache that does not answer.
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
    }


def file_storage(url: str, folder: Path, name: str) -> dict[str, Any]:
    """Return where files of one sort are kept: in a folder of that name, or by S3 under the name.

    An address of S3 is such as
    s3://bucket/prefix?endpoint_url=https://host&region_name=eu-central-1.
    """
    if not url:
        return {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": folder / name, "allow_overwrite": True},
        }
    where = urlsplit(url)
    if where.scheme != "s3" or not where.netloc:
        raise ImproperlyConfigured("STORAGE_URL must be an address such as s3://bucket/folder.")
    if not (find_spec("storages") and find_spec("boto3")):
        raise ImproperlyConfigured("STORAGE_URL=s3://… needs armybuilder[s3] to be installed.")
    options = {
        **dict(parse_qsl(where.query)),
        "bucket_name": where.hostname,
        "location": "/".join(filter(None, (where.path.strip("/"), name))),
        "default_acl": None,
        "file_overwrite": True,
    }
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}


def origins(hosts: Sequence[str]) -> list[str]:
    """Return the https origins of host names, for Django's list of trusted ones."""
    return [f"https://{'*' if host.startswith('.') else ''}{host}" for host in hosts]


def refuse_contradictions(hosts: Sequence[str], site: str, key: str) -> None:
    """Raise ImproperlyConfigured if settings contradict each other. `site` is SITE_URL."""
    for contradiction in _contradictions(hosts, site, key):
        raise ImproperlyConfigured(contradiction)


def _contradictions(hosts: Sequence[str], site: str, key: str) -> Iterator[str]:
    """Yield the contradictions, in sentences; the first may cause the others."""
    for host in hosts:
        bare = host.startswith("[") or ":" not in host
        if "/" in host or not bare or host.endswith(":"):
            yield f"ALLOWED_HOSTS holds names alone, without scheme and port: not “{host}”."
    if on("HTTPS") and "*" in hosts:
        yield "With HTTPS=1, ALLOWED_HOSTS must name the site's hosts: * lets anybody name one."
    if on("HTTPS") and not set(hosts) - {"localhost", "127.0.0.1", "[::1]"}:
        yield "With HTTPS=1, ALLOWED_HOSTS must name the host that the site is reached by."
    if site:
        where = urlsplit(site)
        has_more = where.path.strip("/") or where.query or where.fragment or where.username
        if where.scheme not in ("http", "https") or not where.hostname or has_more:
            yield "SITE_URL must be an address without a path, such as https://armies.example."
        if where.scheme == "https" and not on("HTTPS"):
            yield "SITE_URL is an address of https, so HTTPS must be 1."
        if where.scheme != "https" and on("HTTPS"):
            yield "SITE_URL is an address of http, but HTTPS is 1."
        from django.http.request import validate_host

        named = f"[{where.hostname}]" if ":" in str(where.hostname) else str(where.hostname)
        if not validate_host(named, hosts):
            yield f"ALLOWED_HOSTS does not name {named}, the host of SITE_URL."
    shared = [name for name in ("CACHE_URL", "STORAGE_URL") if text(name)]
    if shared and not text("SECRET_KEY"):
        yield (
            f"With {shared[0]}, several machines may serve the site: set SECRET_KEY, the same"
            " on each."
        )
    if len(key) < KEY_LENGTH:
        yield f"SECRET_KEY is too short: {KEY_LENGTH} letters at least."
    if on("HTTPS") and on("DEBUG"):
        yield "DEBUG=1 shows error pages with details to everybody: it does not go with HTTPS=1."
    if on("HTTPS") and number("PROXIES", 1) == 0:
        yield "With HTTPS=1 a proxy stands before the app: PROXIES cannot be 0."
