"""Reading of a zip from anyone: JSON within limits, and checked facts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from zipfile import ZipInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.loading.archives import Archive, ZipLimits
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.problems import Refusal

#: Bytes of the zip, of its table of contents, most files in it, and bytes of all that is in it.
LIMITS: Final = ZipLimits(64 * 1024 * 1024, 2 * 1024 * 1024, 10_000, 1024 * 1024 * 1024)


def read_json(archive: Archive, info: ZipInfo, most: int, depth: int) -> Any:
    """Return the JSON in a file of limited bytes and depth."""
    return parse_json(archive.read(info, most), most, depth)


Facts = Mapping[str, Any]


def as_facts(value: Any) -> Facts:
    """Return a JSON object. Raises Refusal where it is none."""
    if not isinstance(value, dict):
        raise Refusal(_("The file is not in the right format: an object is missing."))
    return value


def wrong(key: str) -> Refusal:
    return Refusal(_("Its “{key}” cannot be read.").format(key=key))


def text(facts: Facts, key: str, most: int) -> str:
    """Return a text of limited length; "" if there is none."""
    value = facts.get(key, "")
    if not isinstance(value, str) or len(value) > most:
        raise wrong(key)
    return value


def number(facts: Facts, key: str) -> int:
    value = facts.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(key)
    return value


def switch(facts: Facts, key: str) -> bool:
    """Return yes or no; no if nothing is said."""
    value = facts.get(key, False)
    if not isinstance(value, bool):
        raise wrong(key)
    return value


def time(facts: Facts, key: str) -> datetime:
    """Return a point in time; nothing happened later than now."""
    try:
        value = datetime.fromisoformat(text(facts, key, 40))
    except ValueError as error:
        raise wrong(key) from error
    if value.tzinfo is None:
        raise wrong(key)
    try:
        return min(value.astimezone(timezone.get_default_timezone()), timezone.now())
    except OverflowError as error:
        raise wrong(key) from error


def time_or_none(facts: Facts, key: str) -> datetime | None:
    return time(facts, key) if facts.get(key) is not None else None
