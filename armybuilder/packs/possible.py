"""Proof whether a pack leaves any legal list, before it is in effect."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic

from django.utils.translation import gettext as _

from armybuilder.editing.unit_edits import new_document
from armybuilder.engine.about import AboutBook
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.terms import Gauge
from armybuilder.loading.armylist import ArmyList, ListUnit
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, at_event
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.look_ahead import Fate, look_ahead

#: Seconds for one question, for all of a pack, and for finding a conflict.
EACH, ALL, WHY = 1.0, 8.0, 3.0


#: A rule that conflicts with others: its text, and its place.
Reason = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Choices of books without a legal list, and the rules that cannot be kept together there."""

    names: tuple[str, ...]
    rules: tuple[Reason, ...]
    minimal: bool


@dataclass(frozen=True, slots=True)
class Possible:
    """Choices of books from which no legal list can be made, by proof.

    `found`: how many choices a legal list was found for; `unsure`: those without a list and without
    a proof in the time there was; `skipped`: how many were left for time.
    """

    why: tuple[Contradiction, ...]
    skipped: int
    found: int = 0
    unsure: tuple[str, ...] = ()

    @property
    def dead(self) -> tuple[str, ...]:
        """The names of all choices from which no legal list can be made."""
        return tuple(name for one in self.why for name in one.names)


def possible_with(pack: Pack, library: Library) -> Possible:
    """Return the lists possible under a pack, in each of its sizes. Raises NoSolver."""
    system, until = library.systems[pack.system], monotonic() + ALL
    dead: dict[str, tuple[ArmyList, Catalogue]] = {}
    skipped, found, unsure = 0, 0, list[str]()
    shipped = library.books[system.id].values()
    allowed = [book for book in shipped if book.names and _is_allowed(book, pack, system, library)]
    # A list is of one book, or of all that are allowed if lists draw from several.
    for books in [[book] for book in allowed] if system.sized else [allowed]:
        if monotonic() > until:
            skipped += 1
            continue
        for size in pack.sizes or (system.default_size,):
            catalogue = at_event(library.catalogue(system.id, [book.id for book in books]), pack)
            empty = new_document(catalogue, pack.name, size)
            names = ", ".join(book.name for book in books) if system.sized else system.name
            fate = look_ahead(empty, catalogue, CpSat(), EACH).whole
            found += fate is Fate.OPEN
            if fate is Fate.DEAD:
                dead[f"{names} ({size})"] = empty, catalogue
            elif fate is Fate.UNKNOWN:
                unsure.append(f"{names} ({size})")
    # The choices of one reason go together.
    until, why = monotonic() + WHY, defaultdict(list)
    for name, question in dead.items():
        why[_why(*question, until - monotonic())].append(name)
    contradictions = [
        Contradiction(tuple(names), rules, minimal) for (rules, minimal), names in why.items()
    ]
    return Possible(tuple(contradictions), skipped, found, tuple(unsure))


def _why(empty: ArmyList, catalogue: Catalogue, seconds: float) -> tuple[tuple[Reason, ...], bool]:
    """Return the rules that leave no legal list, and whether none of them could be left out."""
    core = explain(empty, catalogue, CpSat(), min(EACH, seconds)) if seconds > 0 else None
    if core is None:
        return (), False
    gauges = {one.head.pointer: one for one in judge_by(empty, catalogue).report.gauges}
    reasons = (_reason(head, gauges.get(head.pointer)) for head in core.rules)
    return tuple(reasons), core.minimal


def _reason(head: RuleHead, gauge: Gauge | None) -> Reason:
    bounds = ", ".join(bounds_of(gauge)) if gauge is not None else ""
    bounded = f" ({gauge.name}: {bounds})" if gauge is not None and bounds else ""
    return f"{head.summary}{bounded}", str(head.citation)


def bounds_of(gauge: Gauge) -> Iterator[str]:
    """Yield the bounds of a number in words: "at least 1,125"."""
    if gauge.minimum:
        yield _("at least {number}").format(number=gauge.minimum)
    if gauge.maximum is not None:
        yield _("at most {number}").format(number=gauge.maximum)


def _is_allowed(book: Book, pack: Pack, system: System, library: Library) -> bool:
    catalogue = at_event(library.catalogue(system.id, [book.id]), pack)
    unit = ListUnit("u1", 1, next(iter(catalogue.units)))
    tried = replace(new_document(catalogue, pack.name, system.default_size), units=(unit,))
    findings = judge_by(tried, catalogue).report.findings
    return not any(isinstance(finding.about, AboutBook) for finding in findings)
