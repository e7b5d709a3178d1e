"""A unit before it is added: its profile, the rules it breaks, and its options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import quote

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.choices import Choice, option_choices, root_choices
from armybuilder.battlescribe.files.view import UnitLines, unit_of
from armybuilder.engine.kernel.branches import Node
from armybuilder.lists.worked_out import Told, WorkedOut, changed
from armybuilder.loading.problems import Refusal
from armybuilder.pages.forces.units import taken_on
from armybuilder.pages.forces.words import ListWords

#: Options of a group that are named; of more their number.
MAX_NAMED: Final = 24


class Preview(NamedTuple):
    """An entry as it would be added.

    `taken` are contents that come along, `bounds` its limits; `broken` are errors that it causes,
    and `why` the URL that explains them; `options` are names of choices, by groups.
    """

    ref: str
    name: str
    points: str
    bounds: str
    taken: str
    broken: tuple[Told, ...]
    why: str
    card: UnitLines
    options: tuple[tuple[str, str], ...]


def make_preview(one: WorkedOut, ref: str, why_url: str) -> Preview | None:
    """Return the entry that `ref` names as `add` does; None if the list has no such place."""
    force, __, key = ref.partition(":")
    builder = one.builder()
    try:
        on = builder.at(force)
        definition = builder.offered(on, key)
    except Refusal:
        return None
    (choice,) = root_choices(one.evaluation, on, [definition])
    root = _added(builder, force, choice)
    after = changed(one, builder)
    known = {told.sentence for told in one.told}
    words = ListWords(after)
    assert root.branch is not None  # noqa: S101 units stand in branches
    return Preview(
        ref=ref,
        name=words.shown(root),
        points=words.spent(root),
        bounds=_bounds(choice),
        taken=taken_on(root, words),
        broken=tuple(one for one in after.told if one.is_error and one.sentence not in known),
        why=f"{why_url}?on={force}&entry={quote(key)}",
        card=unit_of(after.game, after.evaluation, root.branch),
        options=tuple(_offered(root, words)),
    )


def _added(builder: ListBuilder, force: str, choice: Choice) -> Node:
    """Add an entry for a moment; a hidden one too, which an act of the player couldn't."""
    if choice.hidden:
        return builder.at(builder.select(force, choice.definition))
    return builder.at(builder.add(force, choice.definition.key))


def _bounds(choice: Choice) -> str:
    """Return the limits of its number, and the number."""
    most = "∞" if choice.most is None else choice.most
    return _("{number} in the list; from {least} to {most}").format(
        number=choice.number, least=choice.least, most=most
    )


def _offered(root: Node, words: ListWords) -> Iterator[tuple[str, str]]:
    """Yield the groups of a unit's possible options, each with names and prices."""
    groups: dict[str, list[str]] = {}
    for choice in option_choices(words.one.evaluation, root):
        if not choice.hidden:
            group = choice.definition.groups[0].name.strip() if choice.definition.groups else ""
            price = words.price(choice.prices)
            name = choice.name.strip()
            groups.setdefault(group or _("Options"), []).append(
                f"{name} ({price})" if price else name
            )
    for group, names in groups.items():
        more = len(names) - MAX_NAMED
        rest = [_("and {number} more").format(number=more)] if more > 0 else []
        yield group, ", ".join([*names[:MAX_NAMED], *rest])
