"""Random armies to judge twice: grown towards a legal one, or off in one way or another.

The same seed gives the same armies. Nothing is asked of the engine but what it offers and what it
finds: an army is filled with units that are each without fault, then mended or spoilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.options import Offer
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.report import Report
from armybuilder.engine.rules import Finding
from armybuilder.engine.units import Unit
from armybuilder.engine.validate import validate
from armybuilder.loading.documents import make_roster
from tests.building.documents import list_of, value_of

Document = dict[str, Any]
Entry = dict[str, Any]

SIZES = (1500, 3000, 4500, 4500, 8000)
#: Of games that are smaller, by their systems.
OTHER_SIZES = {"essence-of-war": (1000, 1500, 1500, 2000, 3000)}
#: How many units are tried to fill an army, and how many of Core at the start.
MOST_TRIED = 30
MOST_CORE = 25
#: Findings that there is no room for a unit.
CROWDED = frozenset(("category.over", "cap.over", "points.over"))
#: How deep options are taken on options: a list names them so deep.
MOST_DEEP = 2


class Soil(NamedTuple):
    """A book to grow armies of. `tempting` are ids of options that are bound by their names or
    texts, which are taken more often than others.
    """

    catalogue: Catalogue
    organisations: tuple[str, ...] = ()
    tempting: frozenset[str] = frozenset()


def grow(soil: Soil, rng: Random) -> Document:
    """A random army of the book: most are mended until little is wrong with them, the others are
    spoilt.
    """
    draft = Draft(soil, rng)
    draft.fill()
    if rng.random() < 0.6:
        mend(draft)
    else:
        spoil(draft)
    return draft.document


class Draft:
    """An army that grows. `wild` ones have units that nobody has mended."""

    def __init__(self, soil: Soil, rng: Random) -> None:
        self.soil = soil
        self.rng = rng
        self.catalogue = soil.catalogue
        self.number = 0
        self.wild = rng.random() < 0.3
        system, books = self.catalogue.system.id, [book.id for book in self.catalogue.books]
        limit = rng.choice(OTHER_SIZES.get(system, SIZES))
        self.document: Document = list_of(system, books, [], limit=limit, name="Second reading")
        if soil.organisations and rng.random() < 0.4:
            self.document["settings"] = {"organisation": rng.choice(soil.organisations)}

    @property
    def units(self) -> list[Entry]:
        found: list[Entry] = self.document["units"]
        return found

    def unit(self, entry: Entry) -> Unit:
        return self.catalogue.units[entry["unit"]]

    def report(self) -> Report:
        return validate(make_roster(value_of(self.document), self.catalogue), self.catalogue)

    def alone(self, entry: Entry) -> Report:
        document = {**self.document, "units": [entry]}
        return validate(make_roster(value_of(document), self.catalogue), self.catalogue)

    def fill(self) -> None:
        """Choices for the whole army, a General, Core, and units until the points are spent."""
        known = list(self.catalogue.units.values())
        for unit in known:
            if not unit.counts:
                self.add(unit)
        if not self.wild:
            known = [unit for unit in known if unit.needs is None or self._to_be_had(unit)]
        characters = [unit for unit in known if "characters" in unit.categories and unit.counts]
        leaders = [unit for unit in characters if unit.can_lead is not None] or characters
        self.add(self.rng.choice(leaders), roles=["general"])
        core = [unit for unit in known if "core" in unit.categories]
        least = self.document["limit"] // 4
        while self._spent("core") < least and len(self.units) < MOST_CORE and core:
            self.add(self.rng.choice(core))
        report = self.report()
        for _ in range(MOST_TRIED):
            left = self.document["limit"] - report.spent
            fitting = [unit for unit in self.affordable(left) if unit in known]
            if left < 60 or not fitting:
                break
            self.add(self.rng.choice(fitting), left)
            report = self._think_again(report)

    def _to_be_had(self, unit: Unit) -> bool:
        entry = {"id": "u0", "unit": unit.ref, "models": unit.smallest}
        document = {**self.document, "units": [*self.units, entry]}
        report = validate(make_roster(value_of(document), self.catalogue), self.catalogue)
        return not any(one.about.text == "u0/" for one in report.findings)

    def _think_again(self, before: Report) -> Report:
        """Mostly, do without the last unit where the army has no room for it."""
        report = self.report()
        last = self.units[-1]["id"]
        crowded = (one for one in report.findings if one.code in CROWDED and last in one.units)
        if len(self.units) > 1 and any(crowded) and self.rng.random() < 0.9:
            self.units.pop()
            return before
        return report

    def affordable(self, left: int) -> list[Unit]:
        """The units whose smallest form costs no more than is left."""
        known = (unit for unit in self.catalogue.units.values() if unit.counts)
        return [unit for unit in known if (unit.price.of(unit.smallest) or 0) <= left]

    def _spent(self, category: str) -> int:
        lines = self.report().full.lines
        return sum(line.points for line in lines if f"category:{category}" in line.tags)

    def add(self, unit: Unit, left: int = 0, roles: list[str] | None = None) -> None:
        """Add a unit with options, as large as it likes; where it costs more than is left, as
        small and plain as it goes.
        """
        self.number += 1
        entry: Entry = {
            "id": f"u{self.number}", "unit": unit.ref, "models": self._models(unit),
        }  # fmt: skip
        if roles:
            entry["roles"] = roles
        options = fresh(unit.fresh) + self.options(unit.offer)
        # Each option once: the later one stays.
        entry["options"] = list({one["id"]: one for one in options}.values())
        if not self.wild or self.rng.random() < 0.5:
            mend_unit(self, entry)
        if left and self.alone(entry).spent > left:
            entry["models"] = unit.smallest
            entry["options"] = fresh(unit.fresh)
        if not entry["options"]:
            del entry["options"]
        self.units.append(entry)

    def _models(self, unit: Unit) -> int:
        if unit.size is None or not unit.counts:
            return 1
        least = unit.smallest
        most = unit.size[1].base or least + 20
        return self.rng.choice((least, self.rng.randint(least, max(least, most))))

    def options(self, offer: Offer, depth: int = 0) -> list[Entry]:
        """A handful of what is offered, what is tempting with zest."""
        ids = list(offer.slots)
        if not ids or depth > MOST_DEEP:
            return []
        chance = min(0.5, 4 / len(ids)) if depth == 0 else min(0.6, 2 / len(ids))
        taken = []
        for id_ in ids:
            zest = 0.15 if id_ in self.soil.tempting else 0
            if self.rng.random() < max(chance, zest):
                taken.append(self.option(offer, id_, depth))
        return taken

    def option(self, offer: Offer, id_: str, depth: int = 0) -> Entry:
        """An option as a list names it, with something on it."""
        option = offer.slots[id_][0].option
        made: Entry = {"id": id_}
        most = option.most.base
        if most is None or most > 1:
            number = self.rng.randint(1, most or 4)
            if number > 1:
                made["number"] = number
        inner = self.options(option.offer, depth + 1)
        if inner:
            made["options"] = [one["id"] for one in inner] if depth == 1 else inner
        if option.on:
            made["on"] = self.rng.choice(option.on)
        return made


def fresh(picks: Iterable[OptionPick]) -> list[Entry]:
    """What a new unit starts with, but for what is always there."""
    return [{"id": pick.id} for pick in picks if not pick.given]


#: How often a unit is mended before it stays as it is; an army twice as often.
MENDINGS = 12
#: Codes about the size of a unit, and about what stands on it.
SIZE_CODES = ("unit.too-large", "unit.too-small")
OF_UNITS = (
    *SIZE_CODES, "option.requires", "option.too-often", "group.over", "group.under",
    "items.allowance", "items.slot", "items.target", "items.dominant",
)  # fmt: skip


def mend(draft: Draft) -> None:
    for _ in range(2 * MENDINGS):
        report = draft.report()
        errors = report.of(Severity.ERROR)
        if not errors or len(draft.units) < 2:
            return
        _mend_one(draft, draft.rng.choice(errors), report)


def mend_unit(draft: Draft, entry: Entry) -> None:
    for _ in range(MENDINGS):
        found = [one for one in draft.alone(entry).findings if one.code in OF_UNITS]
        if not found:
            return
        for one in found:
            _settle(draft, entry, one)


def _mend_one(draft: Draft, finding: Finding, report: Report) -> None:
    code = finding.code
    if code in ("points.over", "category.over"):
        _remove(draft, finding.units)
    elif code in ("points.under", "units.too-few"):
        _enlarge(draft, report.limit - report.spent)
    elif code in ("category.under", "category.missing"):
        _more_of(draft, finding, report)
    elif code.startswith("general."):
        _lead(draft)
    elif code == "cap.under":
        _more_named(draft, str(finding.values.get("what")))
    elif code in ("cap.over", "one-of-a-kind.over"):
        _uncap(draft, finding)
    elif finding.about.text == f"{finding.units[0]}/" if finding.units else False:
        draft.units.remove(_entry(draft, finding.units[0]))
    elif finding.units:
        _settle(draft, _entry(draft, finding.units[0]), finding)


def _settle(draft: Draft, entry: Entry, finding: Finding) -> None:
    """One step that may settle a finding about a unit."""
    path = [step for step in finding.about.text.split("/")[1:] if step]
    offer = draft.unit(entry).offer
    if finding.code in SIZE_CODES:
        entry["models"] = max(1, finding.allowed or 1)
    elif finding.code == "items.target":
        _put_on(draft, entry.get("options", []), offer, path[-1])
    elif finding.code == "group.under":
        _take(draft, entry, offer, path)
    elif not path or not _drop(entry, path):
        _drop_any(draft, entry, path)


def _put_on(draft: Draft, taken: list[Any], offer: Offer, id_: str) -> None:
    for one in taken:
        if isinstance(one, dict) and one["id"] in offer.slots:
            option = offer.slots[one["id"]][0].option
            if one["id"] == id_ and option.on:
                one["on"] = draft.rng.choice(option.on)
            _put_on(draft, one.get("options", []), option.offer, id_)


def _take(draft: Draft, entry: Entry, offer: Offer, path: list[str]) -> None:
    """Take something of a group that must not be empty, or an option that must be there."""
    holder: Any = entry
    for step in path[:-1]:
        holder = next((one for one in holder.get("options", []) if _id(one) == step), None)
        if not isinstance(holder, dict) or step not in offer.slots:
            return
        offer = offer.slots[step][0].option.offer
    wanted = path[-1]
    ids = [
        id_
        for id_, slots in offer.slots.items()
        for slot in slots
        if id_ == wanted or any(group.id == wanted for group in slot.groups)
    ]
    if ids and len(path) < 3:
        made = draft.option(offer, draft.rng.choice(ids), 2)
        others = [one for one in holder.get("options", ()) if _id(one) != made["id"]]
        holder["options"] = [*others, made]


def _drop(entry: Mapping[str, Any], path: list[str]) -> bool:
    """Drop the option at a path; whether it was there."""
    taken = entry.get("options", [])
    for number, one in enumerate(taken):
        if _id(one) == path[0]:
            if len(path) == 1:
                del taken[number]
                return True
            return isinstance(one, dict) and _drop(one, path[1:])
    return False


def _drop_any(draft: Draft, entry: Entry, path: list[str]) -> None:
    """Drop something, of the place that a path names where there is any."""
    holder: Any = entry
    for step in path[:-1]:
        inner = holder.get("options", [])
        found = (one for one in inner if isinstance(one, dict) and one["id"] == step)
        holder = next(found, entry)
    taken = holder.get("options")
    if taken:
        taken.pop(draft.rng.randrange(len(taken)))


def _drop_named(entry: Mapping[str, Any], offer: Offer, name: str) -> None:
    taken = entry.get("options", [])
    for one in list(taken):
        slots = offer.slots.get(_id(one))
        if slots and slots[0].option.name == name:
            taken.remove(one)
        elif slots and isinstance(one, dict):
            _drop_named(one, slots[0].option.offer, name)


def _id(one: Any) -> str:
    """The id of an option on a list; deep inside only that is written."""
    return str(one["id"] if isinstance(one, dict) else one)


def _entry(draft: Draft, id_: str) -> Entry:
    return next(entry for entry in draft.units if entry["id"] == id_)


def _remove(draft: Draft, ids: tuple[str, ...]) -> None:
    among = [entry for entry in draft.units if entry["id"] in ids and "roles" not in entry]
    among = [entry for entry in among if draft.unit(entry).counts]
    if among:
        draft.units.remove(draft.rng.choice(among))


def _enlarge(draft: Draft, left: int) -> None:
    entries = list(draft.units)
    draft.rng.shuffle(entries)
    for entry in entries:
        unit = draft.unit(entry)
        most = (unit.size[1].base if unit.size else None) or 99
        more = min(most - entry["models"], left // unit.price.extra) if unit.price.extra else 0
        if more > 0 and draft.rng.random() < 0.8:
            entry["models"] += more
            return
    fitting = draft.affordable(left)
    if fitting:
        draft.add(draft.rng.choice(fitting), left)


def _more_of(draft: Draft, finding: Finding, report: Report) -> None:
    """A unit more of a category, where there is no room in place of another."""
    what = finding.head.id.removeprefix("category-").removesuffix("-min")
    what = what.removesuffix("-points").removesuffix("-picks")
    units = [unit for unit in draft.catalogue.units.values() if what in unit.categories]
    if not units:
        return
    if report.spent + 200 > report.limit:
        lines = report.full.lines
        others = (line.pick.id for line in lines if f"category:{what}" not in line.tags)
        _remove(draft, tuple(others))
    draft.add(draft.rng.choice(units))


def _lead(draft: Draft) -> None:
    for entry in draft.units:
        entry.pop("roles", None)
    able = [entry for entry in draft.units if draft.unit(entry).can_lead is not None]
    among = [entry for entry in draft.units if "characters" in draft.unit(entry).categories]
    if able or among:
        leader = draft.rng.choice(able or among)
        leader["roles"] = ["general"]
        _let_lead(draft, leader)


def _let_lead(draft: Draft, entry: Entry) -> None:
    """Take what it needs to lead, where that is one option more or less."""
    offer = draft.unit(entry).offer
    taken = {_id(one): one for one in entry.get("options", ())}
    more = ({**taken, id_: {"id": id_}} for id_ in offer.slots if id_ not in taken)
    less = ({k: v for k, v in taken.items() if k != id_} for id_ in taken)
    for options in (taken, *less, *more):
        changed = {**entry, "options": list(options.values())}
        if not any(f.code == "general.not-eligible" for f in draft.alone(changed).findings):
            entry["options"] = changed["options"]
            return


def _more_named(draft: Draft, name: str) -> None:
    for unit in draft.catalogue.units.values():
        if unit.name == name:
            draft.add(unit)
            return
    for entry in draft.units:
        if _has_room(draft, entry, name):
            return
    units = list(draft.catalogue.units.values())
    draft.rng.shuffle(units)
    for unit in units:
        if any(slots[0].option.name == name for slots in unit.offer.slots.values()):
            draft.add(unit)
            if _has_room(draft, draft.units[-1], name):
                return
            draft.units.pop()


def _has_room(draft: Draft, entry: Entry, name: str) -> bool:
    """Take an option so called on a unit; whether that could be done."""
    for id_, slots in draft.unit(entry).offer.slots.items():
        if slots[0].option.name == name:
            others = [one for one in entry.get("options", ()) if _id(one) != id_]
            changed = {**entry, "options": [*others, {"id": id_}]}
            path = f"{entry['id']}/{id_}"
            if not any(one.about.text == path for one in draft.alone(changed).findings):
                entry["options"] = changed["options"]
                return True
    return False


def _uncap(draft: Draft, finding: Finding) -> None:
    """Take away one of what the army has too many of."""
    name = str(finding.values.get("name"))
    entry = _entry(draft, draft.rng.choice(finding.units))
    unit = draft.unit(entry)
    if unit.name == name:
        _remove(draft, (entry["id"],))
    else:
        _drop_named(entry, unit.offer, name)


def spoil(draft: Draft) -> None:
    for _ in range(draft.rng.randint(1, 5)):
        act = draft.rng.choice(ACTS)
        if draft.units:
            act(draft)


def _other_number(draft: Draft) -> None:
    entry = draft.rng.choice(draft.units)
    entry["models"] = max(1, entry["models"] + draft.rng.choice((-3, -1, 1, 2, 10)))


def _more_options(draft: Draft) -> None:
    entry = draft.rng.choice(draft.units)
    offer = draft.unit(entry).offer
    if offer.slots:
        taken = {one["id"]: one for one in entry.get("options", ())}
        for _ in range(3):
            id_ = draft.rng.choice(list(offer.slots))
            taken[id_] = draft.option(offer, id_)
        entry["options"] = list(taken.values())


def _other_general(draft: Draft) -> None:
    """Another General, one more, or none."""
    if draft.rng.random() < 0.5:
        for entry in draft.units:
            entry.pop("roles", None)
    among = [entry for entry in draft.units if "characters" in draft.unit(entry).categories]
    if among and draft.rng.random() < 0.8:
        draft.rng.choice(among)["roles"] = ["general"]


def _other_size(draft: Draft) -> None:
    draft.document["limit"] = draft.rng.choice((1500, 3000, 4500, 8000))


def _one_more(draft: Draft) -> None:
    draft.number += 1
    draft.units.append(deepcopy(draft.rng.choice(draft.units)) | {"id": f"u{draft.number}"})


def _one_less(draft: Draft) -> None:
    draft.units.pop(draft.rng.randrange(len(draft.units)))


#: What may go wrong.
ACTS = (_other_number, _more_options, _other_general, _other_size, _one_more, _one_less)
