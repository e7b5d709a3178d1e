"""Lists as other builders write them as text, with the names of our books: made for tests only."""

from collections.abc import Callable, Iterator

from armybuilder.sheets.content.structure import Sheet, SheetArmy
from armybuilder.sheets.content.unit_view import UnitView

NOTE = 'Created with "Old World Builder"'


def old_world_builder(sheet: Sheet) -> str:
    """The usual form: what a unit takes in lines below it."""
    lines = ["===", f"{sheet.title} [{sheet.spent} pts]", f"The Ninth Age, {sheet.books[0]}", "==="]
    for title, units in _divided(sheet.army):
        lines += ["", f"++ {title} [{sum(unit.points or 0 for unit in units)} pts] ++", ""]
        for unit in units:
            lines += [f"{_counted(unit)} [{unit.points} pts]"]
            lines += [f"- {one}" for one in taken(unit)]
            lines += ["Special Rules: Fearless, Fly, Scoring", "", "[Model] M(4) WS(4) Ld(8)", ""]
    return "\n".join([*lines, "---", NOTE, "", "[https://old-world-builder.com]"])


def old_world_builder_compact(sheet: Sheet) -> str:
    """The short form, which has no head: what a unit takes in brackets below it."""
    lines = []
    for title, units in _divided(sheet.army):
        lines.append(f"++ {title} [{sum(unit.points or 0 for unit in units)} pts] ++")
        for unit in units:
            lines.append(f"{_counted(unit)} [{unit.points} pts] ")
            lines += [f"({', '.join(taken(unit))})"] if taken(unit) else []
            lines.append("")
    return "\n".join([*lines, "---", NOTE, "", "[https://old-world-builder.com]"])


def old_world_builder_markdown(sheet: Sheet) -> str:
    """The form for chats."""
    lines = [f"## {sheet.title} [{sheet.spent} pts]", f"The Ninth Age, {sheet.books[0]}", ""]
    for title, units in _divided(sheet.army):
        lines.append(f"### {title} [{sum(unit.points or 0 for unit in units)} pts]")
        for unit in units:
            lines.append(f"- {_counted(unit)} [{unit.points} pts] ")
            lines += [f" -# ({', '.join(taken(unit))})"] if taken(unit) else []
            lines.append(" - __Special Rules:__ *Fearless, Fly*")
            lines.append(" - [Model] M(4) WS(4) Ld(8)")
    return "\n".join(
        [*lines, "", '*Created with "Old World Builder"* - https://old-world-builder.com']
    )


def new_recruit(sheet: Sheet) -> str:
    """The form with a number behind each name and a full stop before what it takes."""
    lines = [f"++ {sheet.books[0]} (The Ninth Age) [{sheet.spent:,}pts] ++"]
    for title, units in _divided(sheet.army):
        lines += ["", f"+ {title} + [{sum(unit.points or 0 for unit in units):,}pts]", ""]
        for unit in units:
            lines.append(f"{unit.unit_name or unit.name} [{unit.models}] [{unit.points}pts]")
            lines += [f". {one}" for one in taken(unit)]
    lines += ["", f"++ Total: [{sheet.spent:,}pts] ++", "", "Created with New Recruit"]
    return "\n".join([*lines, "https://www.newrecruit.eu"])


def battlescribe(sheet: Sheet) -> str:
    """The form that runs on behind the points, with a unit's models among what it takes, and
    groups below.
    """
    lines = [f"++ Standard ({sheet.books[0]}) [{sheet.spent:,}pts] ++"]
    for title, units in _divided(sheet.army):
        lines += ["", f"+ {title} [{sum(unit.points or 0 for unit in units):,}pts] +", ""]
        for unit in units:
            name = unit.unit_name or unit.name
            first, *rest = taken(unit) or [""]
            models = f"{unit.models}x {name.split(' (')[0]}" if unit.models > 1 else ""
            said = ", ".join(filter(None, (first, models)))
            lines.append(f"{name} [{unit.points}pts]" + f": {said}".rstrip(": "))
            lines += [f". Special Equipment: {', '.join(rest)}"] if rest else []
    lines += ["", f"++ Total: [{sheet.spent:,}pts] ++", "", "Created with BattleScribe"]
    return "\n".join(lines)


FORMS: dict[str, Callable[[Sheet], str]] = {
    "old world builder": old_world_builder,
    "old world builder, compact": old_world_builder_compact,
    "old world builder, markdown": old_world_builder_markdown,
    "new recruit": new_recruit,
    "battlescribe": battlescribe,
}


def taken(unit: UnitView) -> list[str]:
    """Roles, options, items and the path, as one row of names."""
    chosen = [one for one in unit.options if one.plain not in unit.marks]
    path = [unit.wizard.path] if unit.wizard and unit.wizard.path else []
    things = [
        f"{one.number}x {one.plain}" if one.number > 1 else one.plain
        for one in (*chosen, *unit.items)
    ]
    return [*unit.marks, *things, *path]


def _counted(unit: UnitView) -> str:
    name = unit.unit_name or unit.name
    return name if unit.models == 1 else f"{unit.models} {name}"


def _divided(army: SheetArmy | None) -> Iterator[tuple[str, list[UnitView]]]:
    assert army is not None
    for division in army.divisions:
        yield division.title, list(division.units)
