"""What a list is called that nobody has named: "Highborn Elves 4500", "Warband 300"."""

import re
from collections.abc import Iterable, Mapping

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.nouns import known
from armybuilder.engine.roster import SettingValue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.limits import MAX_NAME


def list_name(
    system: System,
    books: Iterable[str],
    limit: int,
    settings: Mapping[str, SettingValue] | None = None,
) -> str:
    """Return a name of what the list is and its size in points. `books` are names.

    It is the book where lists draw from one, the faction where one is chosen, else what the game
    calls a list.
    """
    first = next(iter(books), "") if system.sized else ""
    title = first or _faction(system, settings or {}) or known(system.warband_word)
    title = title[:1].upper() + title[1:]
    return f"{title[: MAX_NAME - 8].rstrip()} {limit}"


def named_after(document: ArmyList, catalogue: Catalogue) -> str:
    """Return the name that a list has of its own accord, as it is now."""
    books = (book.name for book in catalogue.books)
    return list_name(catalogue.system, books, document.limit, document.settings)


def named_at(document: ArmyList, catalogue: Catalogue, limit: int) -> str:
    """Return what a list is called at another size.

    That is its name, but for one that it has of its own accord, as it is now or as it was begun;
    the number in brackets that tells it apart stays.
    """
    books = [book.name for book in catalogue.books]
    for settings in (document.settings, None):
        now, then = (
            list_name(catalogue.system, books, size, settings) for size in (document.limit, limit)
        )
        if re.fullmatch(re.escape(now) + r"( \(\d+\))?", document.name):
            return f"{then}{document.name[len(now) :]}"
    return document.name


def _faction(system: System, settings: Mapping[str, SettingValue]) -> str:
    for setting in system.settings.values():
        chosen = settings.get(setting.id)
        if setting.kind == "attribute" and isinstance(chosen, str):
            return system.attributes[setting.attribute].values.get(chosen, "")
    return ""
