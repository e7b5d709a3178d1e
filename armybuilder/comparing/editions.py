"""What would differ: the same list with newer books, or under the rules of another edition."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.about import About
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.describe import option_cost, unit_abilities
from armybuilder.engine.names import simple
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Judged, catalogue_of
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.loading.unit_fields import FieldPlace, told_at


class Numbers(NamedTuple):
    """A number or word before and after."""

    name: str
    before: str
    after: str


def edition_of(
    document: ArmyList, catalogue: Catalogue, library: Library, system_id: str
) -> Catalogue:
    """Return the document's catalogue in another edition. Raises Refusal where it is not one."""
    system = catalogue.system
    if system_id not in {edition.id for edition in library.editions(system)}:
        raise Refusal(_("{game} has no such edition.").format(game=system.name))
    return catalogue_of(replace(document, system=system_id), library)


def compare(before: Judged, after: Judged, lost: Iterable[str] = ()) -> dict[str, Any]:
    """Return what differs for a player between two ways to read a list, or that it is the `same`.

    Findings are `settled`, `fresh` or `moved`, settings `lost`; `units` are those that the list
    uses, by name, each with what differs.
    """
    was, now = _sentences(before.report), _sentences(after.report)
    numbers = (
        Numbers(_("Verdict"), before.report.outcome_words, after.report.outcome_words),
        Numbers(_("Points"), str(before.report.spent), str(after.report.spent)),
    )
    differing = {
        "points": list(_points(before, after)),
        "settled": [text for key, text in was.items() if key not in now],
        "fresh": [text for key, text in now.items() if key not in was],
        "moved": [
            Numbers("", was[key], now[key]) for key in was if now.get(key, was[key]) != was[key]
        ],
        "units": list(_units(before, after)),
        "lost": list(lost),
    }
    other = any(number.before != number.after for number in numbers)
    return {"numbers": numbers, **differing, "same": not (other or any(differing.values()))}


def _sentences(report: Report) -> dict[tuple[str, About, str, int], str]:
    sentences: dict[tuple[str, About, str, int], str] = {}
    for finding in report.findings:
        about = (finding.code, finding.about, finding.lineup)
        again = sum(key[:3] == about for key in sentences)
        sentences[(*about, again)] = sentence(finding)
    return sentences


def _points(before: Judged, after: Judged) -> Iterator[Numbers]:
    was, now = (
        {
            line.pick.id: "?" if line.unit.price.start is None else str(line.points)
            for line in judged.report.full.lines
        }
        for judged in (before, after)
    )
    for pick in before.roster.picks:
        points = was.get(pick.id, "–"), now.get(pick.id, "–")
        if points[0] != points[1]:
            name = pick.name or (pick.unit.name if pick.unit else pick.ref)
            named = f"{pick.models} × {name}" if pick.models > 1 else name
            yield Numbers(named, *points)


def _units(before: Judged, after: Judged) -> Iterator[tuple[str, tuple[Numbers, ...]]]:
    one_edition = before.catalogue.system.id == after.catalogue.system.id
    new = {pick.id: pick.unit for pick in after.roster.picks}
    seen: set[str] = set()
    for pick in checked(before.roster.picks):
        if pick.unit is None or pick.ref in seen:
            continue
        seen.add(pick.ref)
        old, unit = pick.unit, new.get(pick.id)
        if unit is None:
            gone, other = _("no longer in the book"), _successor(old, before, after)
            if other:
                gone = _("no longer in the book; {unit} seems to replace it").format(unit=other)
            yield old.name, (Numbers(_("Unit"), _("in the book"), gone),)
            continue
        # Which of keywords and stat lines only one edition's book tells of is a gap of the other's,
        # also where that was filled from elsewhere.
        filled = any(profile.origin for one in (old, unit) for profile in one.profiles)
        untold = frozenset(
            kind
            for kind in ("keywords", "profiles")
            if not one_edition and (filled or not (getattr(old, kind) and getattr(unit, kind)))
        )
        was, now = (
            {
                **_card(one, side.catalogue.system, untold),
                **_attributes(one, other, side.catalogue.system),
            }
            for one, other, side in ((old, unit, before), (unit, old, after))
        )
        rows = (Numbers(name, was.get(name, "–"), now.get(name, "–")) for name in {**was, **now})
        changes = tuple(row for row in rows if row.before != row.after)
        if changes:
            yield old.name, changes


def _successor(gone: Unit, before: Judged, after: Judged) -> str:
    """Return the name of the unit that has taken the place of one that is gone, by the names.

    It is new in the books, and one's name holds all words of the other's; "" where several do.
    """
    words = _words(gone.name)
    alike: dict[str, tuple[int, int]] = {}
    for ref, unit in after.catalogue.units.items():
        other = _words(unit.name)
        if ref not in before.catalogue.units and other and (words <= other or other <= words):
            alike[unit.name] = len(words & other), -len(words ^ other)
    best = [name for name, number in alike.items() if number == max(alike.values())]
    return best[0] if len(best) == 1 else ""


def _words(name: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in simple(name).split())


def _attributes(unit: Unit, other: Unit, system: System) -> dict[str, str]:
    """Return a unit's attributes by name, where it differs from the other under other words too."""
    return {
        attribute.name: ", ".join(
            attribute.values[value] for value in unit.attributes[attribute.id]
        )
        for attribute in system.attributes.values()
        if unit.attributes.get(attribute.id, ()) not in ((), other.attributes.get(attribute.id))
    }


def _card(unit: Unit, system: System, untold: frozenset[str]) -> dict[str, str]:
    """Return all that a unit's card says, by what it is called there, but for what is `untold`."""
    keywords = () if "keywords" in untold else unit.keywords
    profiles = () if "profiles" in untold else unit.profiles
    price = unit.price
    words = {
        _("Name"): unit.name,
        _("Points"): "?" if price.start is None else str(price.start),
        _("Points of each additional model"): str(price.extra) if unit.size and price.extra else "",
        _("Size"): "–".join(str(amount.base) for amount in unit.size or ()),
        _("Abilities"): unit_abilities(unit),
        _("Keywords"): ", ".join(keyword.name for keyword in keywords),
        **{str(told.label): told.words(unit) for told in told_at(FieldPlace.CHANGES)},
    }
    for stat in system.stats.values():
        if stat.id in unit.stats:
            words[stat.name] = stat.shown(unit.stats[stat.id])
    for part in system.texts.values():
        words[part.name] = " · ".join(unit.texts.get(part.id, ()))
    for profile in profiles:
        name = _("Stats of {name}").format(name=profile.name or unit.name)
        words[name] = ", ".join(f"{name} {value}" for name, value in profile.stats.items())
    # Options in different groups may have one name.
    costs: dict[str, list[str]] = {}
    for option in unit.offer.options():
        name = _("Option {name}").format(name=option.name)
        costs.setdefault(name, []).append(option_cost(option) or _("free"))
    words |= {name: ", ".join(each) for name, each in costs.items()}
    return {name: text for name, text in words.items() if text}
