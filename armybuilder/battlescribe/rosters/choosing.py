"""The choices of one unit, as BattleScribe's selections at their places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from armybuilder.battlescribe.rosters.describing import (
    Describer,
    Description,
    site_categories,
    unit_categories,
)
from armybuilder.battlescribe.rosters.sites import Site
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick

#: What the notes of a unit begin with that is the General, where its file has no mark for that.
GENERAL = "[General]"
#: What the notes of an enchantment begin with; the piece it is put on follows.
ON = "on: "


@dataclass(eq=False)
class WrittenSelection:
    """Something taken, `number` times, with its own selections. `points` are its own, `order` its
    place among all that the list names, None where the list does not name it. `categories` are
    BattleScribe's ids, and whether each is the primary one.
    """

    site: Site
    number: int = 1
    points: int = 0
    name: str = ""
    notes: str = ""
    inner: list["WrittenSelection"] = field(default_factory=list)
    order: int | None = None
    about: Description = field(default_factory=Description)
    categories: Mapping[str, bool] = field(default_factory=dict)

    @classmethod
    def at(cls, site: Site, number: int = 1, points: int = 0) -> "WrittenSelection":
        """Return the selection of a place, in the place's categories."""
        return cls(site, number, points, categories=site_categories(site))

    def walk(self) -> Iterator["WrittenSelection"]:
        """This and everything on it, outer before inner."""
        yield self
        for one in self.inner:
            yield from one.walk()


@dataclass
class ChosenOption:
    """A unit as a selection, and the names of choices without a place in BattleScribe."""

    unit: WrittenSelection
    left_out: list[str]


def choose(line: Line, site: Site, describer: Describer, orders: Iterator[int]) -> ChosenOption:
    """Return the selections for a unit of a list; `site` is the unit's place, `orders` numbers what
    the list names.
    """
    return _Chooser(line, site, describer, orders).chosen()


class _Chooser:
    def __init__(self, line: Line, site: Site, describer: Describer, orders: Iterator[int]) -> None:
        self.line = line
        self.describer = describer
        self.orders = {id(pick): next(orders) for pick in _named(line.pick)}
        self.taken = {taken.pick: taken for taken in line.loadout.taken}
        self.left_out: list[str] = []
        self.later: list[OptionPick] = []
        own = line.points - sum(taken.points for taken in self.taken.values())
        pick = line.pick
        about = describer.of(line.unit.profiles, line.unit.keywords, line.place)
        self.top = WrittenSelection(
            site, 1, own, pick.name, pick.notes, order=self.orders[id(pick)], about=about,
            categories=unit_categories(line, site),
        )  # fmt: skip
        self.models = self._models()

    def chosen(self) -> ChosenOption:
        """Return everything picked, at its place."""
        for pick in self.line.pick.picks:
            self._place(pick, self.top)
        for pick in self.later:
            if not any(self._put(pick, above) for above in list(self.top.walk())):
                self.left_out.append(pick.option.name)
        if "general" in self.line.pick.roles:
            self._mark_general()
        if self.models is not None and self.models.inner:
            self._split_models(self.models)
        return ChosenOption(self.top, self.left_out)

    def _models(self) -> WrittenSelection | None:
        """Return the selection of the unit's models, inside the unit."""
        site = next((one for one in self.top.site.children if one.role == "models"), None)
        number = self.line.pick.models
        if site is None:
            if number != 1:
                self.left_out.append(f"{number} × {self.line.unit.name}")
            return None
        points = self.line.unit.price.extra * number
        self.top.points -= points
        models = WrittenSelection.at(site, number, points)
        self.top.inner.append(models)
        return models

    def _place(self, pick: OptionPick, above: WrittenSelection) -> None:
        if not self._put(pick, above):
            self.later.append(pick)

    def _put(self, pick: OptionPick, above: WrittenSelection) -> bool:
        """Select it on `above`; False if there is no free place for it."""
        full = {one.site for one in above.walk()}
        sites = [site for site in above.site.near() if site.ours == pick.id and site not in full]
        if not sites:
            return False
        taken = self.taken.get(pick)
        site = max(sites, key=lambda one: _fit(one, taken))
        notes = f"{ON}{pick.on.replace('-', ' ')}" if pick.on else ""
        made = WrittenSelection.at(site, pick.number, taken.points if taken else 0)
        made.notes = notes
        made.order = self.orders[id(pick)]
        option = pick.option
        made.about = self.describer.of(option.profiles, option.keywords, self.line.place)
        self._holder(site, above).inner.append(made)
        for inner in pick.picks:
            self._place(inner, made)
        return True

    def _holder(self, site: Site, above: WrittenSelection) -> WrittenSelection:
        """Return the parent selection: `above`, or the last entry that must be selected on the
        way."""
        between: list[Site] = []
        holder = site.above
        while holder is not None and holder is not above.site:
            between.insert(0, holder)
            holder = holder.above
        for step in between:
            found = next((one for one in above.inner if one.site is step), None)
            if found is None:
                found = WrittenSelection.at(step)
                above.inner.append(found)
            above = found
        return above

    def _mark_general(self) -> None:
        for above in self.top.walk():
            site = next((one for one in above.site.near() if one.role == "general"), None)
            if site is not None:
                self._holder(site, above).inner.append(WrittenSelection.at(site))
                return
        self.top.notes = f"{GENERAL}\n{self.top.notes}".rstrip("\n")

    def _split_models(self, models: WrittenSelection) -> None:
        """Split models with different options into selections of their own."""
        if all(one.number == models.number for one in models.inner):
            return
        parts = []
        rest, each = models.number, self.line.unit.price.extra
        for one in models.inner:
            number = min(one.number, rest)
            if number:
                parts.append(WrittenSelection.at(models.site, number, each * number))
                parts[-1].inner.append(one)
                rest -= number
            else:
                parts[-1].inner.append(one)
        if rest:
            parts.append(WrittenSelection.at(models.site, rest, each * rest))
        place = self.top.inner.index(models)
        self.top.inner[place : place + 1] = parts


def _named(pick: Pick) -> Iterator[Pick | OptionPick]:
    """Yield the named parts of a unit in the list's order: options before those on them."""
    yield pick
    level = list(pick.picks)
    while level:
        first = level.pop(0)
        yield first
        level = [*first.picks, *level]


def _fit(site: Site, taken: Taken | None) -> int:
    """Return how many of the groups that the option counts in enclose a place."""
    if taken is None:
        return 0
    return len({group.id for group in taken.slot.groups} & set(site.groups))
