"""Plain forms: compact, one line for each unit, and one that keeps points and items back."""

from collections.abc import Iterable, Iterator

from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.lines import TextGroup


def draw_compact(sheet: Sheet) -> str:
    """Units by category, with statistics and the names of their special rules."""
    return _text(_head(sheet), _compact(sheet))


def draw_lines(sheet: Sheet) -> str:
    """One line for each unit, as tournaments of army games ask for."""
    units = (unit.said() for group in lines.groups(sheet) for unit in group.units)
    return _text(_head(sheet), units)


def draw_secret(sheet: Sheet) -> str:
    """What an opponent may know without its price: no points, items, settings or notes.

    Raises ValueError for an army's full sheet, which tells in other places what its items do.
    """
    if sheet.army and sheet.kind != "open":
        raise ValueError("an army keeps its items back on its open sheet only")
    units = (unit.said(points=False) for group in lines.groups(sheet) for unit in group.units)
    return _text(lines.head(sheet, points=False), units)


def _head(sheet: Sheet) -> Iterator[str]:
    yield from lines.head(sheet)
    yield from lines.settings(sheet)
    yield from lines.findings(sheet)


def _compact(sheet: Sheet) -> Iterator[str]:
    for number, group in enumerate(lines.groups(sheet)):
        if number:
            yield ""
        yield from _group(group)


def _group(group: TextGroup) -> Iterator[str]:
    if group.title:
        yield f"{group.title}:"
    for unit in group.units:
        yield unit.said()
        yield from (f"  {detail.said}" for detail in unit.details)


def _text(head: Iterable[str], body: Iterable[str]) -> str:
    return "\n".join([*head, "", *body]).rstrip("\n") + "\n"
