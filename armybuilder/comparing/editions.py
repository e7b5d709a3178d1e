"""Differences of the same list with newer books, or in another edition."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.about import About
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.names import simple
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Judged, catalogue_of
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import FactPart


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
        was, now = (
            {
                **_card(one, side, untold=not one_edition and _tell_apart(old, unit)),
                **_attributes(one, other, side.catalogue.system),
            }
            for one, other, side in ((old, unit, before), (unit, old, after))
        )
        names = [name for name in {**was, **now} if one_edition or name != _("Note")]
        rows = (Numbers(name, was.get(name, "–"), now.get(name, "–")) for name in names)
        changes = tuple(row for row in rows if row.before != row.after)
        if changes:
            yield old.name, changes


def _tell_apart(one: Unit, other: Unit) -> bool:
    """Return whether only one of two editions' books has keywords or stat lines.

    Then the other has a gap, even if it was filled from elsewhere.
    """
    if any(profile.origin for unit in (one, other) for profile in unit.profiles):
        return True
    return any(bool(getattr(one, kind)) != bool(getattr(other, kind)) for kind in _TOLD)


#: Facts that a book may lack.
_TOLD = ("keywords", "profiles")


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


def _card(unit: Unit, side: Judged, untold: bool) -> dict[str, str]:
    """Return the texts of a unit's card by name; `untold`: without stats and rules."""
    (view,) = entry_views([unit], side.catalogue, side.roster)
    # Attributes are compared by their ids, and each edition has a source of its own.
    left_out = {_("Kind"), _("Heading"), _("Source"), _("To fill in")}
    words = {_("Name"): unit.name} | {
        fact.name: ", ".join(filter(None, fact.words))
        for fact in view.facts
        if fact.part is not FactPart.OPTIONS
        and fact.name not in left_out
        and not (untold and fact.part in (FactPart.STATS, FactPart.RULES))
    }
    # Options in different groups may have one name.
    costs: dict[str, list[str]] = {}
    for group in view.entry.groups if view.entry else ():
        for option in group.options:
            name = _("Option {name}").format(name=option.name)
            costs.setdefault(name, []).append(option.cost or _("free"))
    words |= {name: ", ".join(each) for name, each in costs.items()}
    return {name: text for name, text in words.items() if text}
