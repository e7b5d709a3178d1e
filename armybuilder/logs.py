"""Format of the log: a line for each event, as text or as JSON.

Each has the time, the level and the request's id. Contents of lists are never logged, nor secret
URLs.
"""

import logging
import re
import time
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from armybuilder.incoming import request_id

_TEXT = "%(asctime)s %(levelname)s [%(request_id)s] %(name)s: %(message)s"
#: The parts of addresses that are keys, as routes name them; and how long a part is that may be
#: one, where no route knows the address.
KEYS = {"token", "key", "frozen_id", "secret", "pack_id", "event_id"}
_LONG = re.compile(r"[^/]{20,}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def configuration(as_json: bool) -> dict[str, Any]:
    """Return the setting LOGGING: warnings and errors of all packages, and our own messages."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "armybuilder.logs.formatter", "as_json": as_json}},
        "filters": {
            "marked": {"()": "django.utils.log.CallbackFilter", "callback": mark},
            "one_line": {"()": "django.utils.log.CallbackFilter", "callback": without_trace},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["marked"],
            }
        },
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "armybuilder": {"level": "INFO"},
            # Refusals are in the access log; a request for a foreign host is no fault of ours.
            "django": {"handlers": [], "level": "WARNING"},
            "django.request": {"level": "ERROR"},
            "django.security.DisallowedHost": {"filters": ["one_line"]},
        },
    }


def formatter(as_json: bool) -> logging.Formatter:
    """Return the formatter of a marked record's line; times as 2026-11-22T17:21:03.123Z."""
    lines: logging.Formatter = _OneLine(_TEXT)
    if as_json:
        from pythonjsonlogger.core import RESERVED_ATTRS
        from pythonjsonlogger.json import JsonFormatter

        lines = JsonFormatter(
            ["asctime", "levelname", "request_id", "name", "message"],
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
            # What Python and Django put on a record that is of no use as a field.
            reserved_attrs=[*RESERVED_ATTRS, "taskName", "request", "server_time"],
        )
    lines.converter = time.gmtime
    lines.default_time_format = "%Y-%m-%dT%H:%M:%S"
    lines.default_msec_format = "%s.%03dZ"
    return lines


class _OneLine(logging.Formatter):
    """Escapes control characters in messages, so that input can't begin or hide a line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's name
        return _CONTROL.sub(lambda control: ascii(control[0])[1:-1], super().formatMessage(record))


def mark(record: logging.LogRecord) -> bool:
    """Put the request's name on a record, and take keys out of Django's line on a failure."""
    record.request_id = request_id() or "-"
    request = getattr(record, "request", None)
    if record.name == "django.request" and isinstance(request, HttpRequest):
        args = record.args if isinstance(record.args, tuple) else ()
        shown = shown_path(request)
        record.args = tuple(shown if arg == request.path else arg for arg in args)
    return True


def without_trace(record: logging.LogRecord) -> bool:
    """Make it one line, a warning."""
    record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
    return True


def shown_path(request: HttpRequest) -> str:
    """Return the address without its query, and with "…" for parts of it that are keys."""
    match = getattr(request, "resolver_match", None)
    if match is None:
        return _LONG.sub(_hidden, request.path)
    path = request.path
    for name in KEYS & match.kwargs.keys():
        path = path.replace(str(match.kwargs[name]), "…")
    return path


def _hidden(part: re.Match[str]) -> str:
    """Hide a long part of a URL, except ids of lists, which open nothing by themselves."""
    try:
        UUID(part[0])
    except ValueError:
        return "…"
    return part[0]
