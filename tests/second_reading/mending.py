"""Armies put right, a little at a time: what the engine finds says where to begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from armybuilder.engine.citations import Severity
from armybuilder.engine.options import Offer
from armybuilder.engine.report import Report
from armybuilder.engine.rules import Finding

if TYPE_CHECKING:
    from tests.second_reading.growing import Draft, Entry

#: How often a unit is mended before it stays as it is; an army twice as often.
MENDINGS = 12
#: Codes about the size of a unit, and about what stands on it.
SIZES = ("unit.too-large", "unit.too-small")
OF_UNITS = (
    *SIZES, "option.requires", "option.too-often", "group.over", "group.under", "items.allowance",
    "items.slot", "items.target", "items.dominant",
)  # fmt: skip


def mend(draft: Draft) -> None:
    """Put right what is wrong with an army."""
    for _ in range(2 * MENDINGS):
        report = draft.report()
        errors = report.of(Severity.ERROR)
        if not errors or len(draft.units) < 2:
            return
        _mend_one(draft, draft.rng.choice(errors), report)


def mend_unit(draft: Draft, entry: Entry) -> None:
    """Put right what is wrong with one unit by itself."""
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
    if finding.code in SIZES:
        entry["models"] = max(1, finding.allowed or 1)
    elif finding.code == "items.target":
        _put_on(draft, entry.get("options", []), offer, path[-1])
    elif finding.code == "group.under":
        _take(draft, entry, offer, path)
    elif not path or not _drop(entry, path):
        _drop_any(draft, entry, path)


def _put_on(draft: Draft, taken: list[Any], offer: Offer, id_: str) -> None:
    """Put an enchantment on something else."""
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
    """More models, or a unit more."""
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
    """Make another unit the General."""
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
    """A unit or an option that the army must have."""
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
