"""Ways to make a list legal as pages show them, and what a player may ask them to keep."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from armybuilder.acts.proposals import packed
from armybuilder.acts.repairing import ways
from armybuilder.comparing.difference import difference
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Roster
from armybuilder.engine.wording import change_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by

#: So many sentences say what a way changes.
MOST_LINES = 8


@dataclass(frozen=True, slots=True)
class WayView:
    """A way to make a list legal: what changes, in sentences, and how many points more or less.
    `proposal` is what its button sends.
    """

    lines: tuple[str, ...]
    points: str
    proposal: str
    proved: bool

    @property
    def said(self) -> str:
        """The change on one line."""
        points = _("{points} points").format(points=self.points) if self.points else ""
        return "; ".join(filter(None, (*self.lines, points)))


@dataclass(frozen=True, slots=True)
class WaysView:
    """The best ways, the smallest change first. `impossible`: there is none."""

    ways: tuple[WayView, ...]
    impossible: bool


def make_ways(army_list: ArmyList, catalogue: Catalogue, kept: Collection[str] = ()) -> WaysView:
    """Return the best ways to make a list legal that keep what is `kept`, as `read_pins` reads it.

    Raises Refusal where no solver is installed.
    """
    found = ways(army_list, catalogue, kept)
    before = judge_by(army_list, catalogue)

    def view(made: ArmyList, proved: bool) -> WayView:
        after = judge_by(made, catalogue)
        more = after.report.spent - before.report.spent
        lines = difference(before, after).lines(MOST_LINES)
        return WayView(lines, change_of(more) if more else "", packed(made, army_list), proved)

    told = tuple(view(one.army_list, one.proved) for one in found.found)
    return WaysView(told, found.impossible)


@dataclass(frozen=True, slots=True)
class Keepable:
    """Something that a way may be asked to keep: a unit, with `parts` that may be kept without it.
    `value` is what `read_pins` reads.
    """

    value: str
    name: str
    is_kept: bool
    parts: tuple["Keepable", ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether one of its parts is kept."""
        return any(part.is_kept for part in self.parts)


def keepables(
    roster: Roster, catalogue: Catalogue, names: Mapping[str, str], asked: Collection[str]
) -> list[Keepable]:
    """Return what may be kept of a list; `asked` is."""
    roles = catalogue.system.roles
    found = []
    for pick in roster.picks:
        parts = [(f"{pick.id}:{role}", _(roles[role].name)) for role in pick.roles if role in roles]
        parts += _options(pick.picks, pick.id)
        of_unit = tuple(Keepable(value, name, value in asked) for value, name in parts)
        found.append(Keepable(pick.id, names[pick.id], pick.id in asked, of_unit))
    return found


def _options(picks: tuple[OptionPick, ...], above: str) -> Iterator[tuple[str, str]]:
    for pick in picks:
        value = f"{above}/{pick.id}"
        if not pick.given:
            yield value, pick.option.name
        yield from _options(pick.picks, value)
