"""Filling a list from books: what the rules ask for first, then what fits, at random.

Units are equipped and grow until the points are spent. No rule stands here: `validate` and
`choices` say what may be done (`draft.StarterDraft`).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from armybuilder.advice.starter.draft import StarterDraft, can_take, may_wish
from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat, offers
from armybuilder.engine.rulebook import commanding, may_have
from armybuilder.engine.selectors import Selector, Tags
from armybuilder.engine.terms import POINTS, Term
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.problems import Refusal

#: A list is full enough from this share of its size on, in per cent; units are added up to
#: `ROOM` where they still grow and take options.
FULL = 85
ROOM = 84
NEARLY = 97

MOST_ENTRIES = 40
MOST_UNFINISHED = 5
SAMPLE = 16


class Gain(NamedTuple):
    """A change that costs so many points."""

    points: int
    entry: str
    models: int = 0
    path: str = ""


class ListFiller:
    """The units that a draft is filled from. `theme` are tags of its first unit's faction."""

    def __init__(self, draft: StarterDraft, units: list[Unit]) -> None:
        self.draft = draft
        self.rng = draft.rng
        self.units = units
        self.sized = draft.catalogue.system.sized
        self.theme: frozenset[str] = frozenset()
        self.refused: set[str] = set()

    def fill(self) -> None:
        """Add what must be there, then what fits, then spend what is left."""
        self._lead()
        self._mend_shortages()
        self._take_required()
        goal = ROOM if self.sized else NEARLY
        failures = 0
        while failures < 3 and not self._spent(goal) and self._room():
            failures = 0 if self._add(self.units) else failures + 1
        if self.sized:
            self._grow()
        elif not self._spent(FULL):
            self._trade()

    def _spent(self, per_cent: int) -> bool:
        report = self.draft.report
        return 100 * report.spent >= per_cent * report.limit

    def _room(self) -> bool:
        """Whether another entry may be added; unfinished cards are only a few, to be filled in."""
        most = MOST_UNFINISHED if self.draft.lenient else MOST_ENTRIES
        return len(self.draft.document.units) < most and self.draft.steps > 0

    def _lead(self) -> None:
        """First who leads: a commander where troops need one, a General where an army has one."""
        for unit in [unit for unit in self.units if not unit.counts][:3]:
            # A choice for the whole army: other units may need what is chosen there.
            self._add([unit])
        supplies = commanding(self.draft.catalogue.system)
        leaders = [unit for unit in self.units if any(unit.ratings.get(key) for key in supplies)]
        leaders = leaders or [unit for unit in self.units if unit.can_lead is not None]
        rule = self.draft.catalogue.system.faction
        if leaders and self._add(leaders) and rule is not None:
            first = self.draft.now.roster.picks[0].unit
            values = first.attributes.get(rule.attribute, ()) if first is not None else ()
            self.theme = frozenset(f"{rule.attribute}:{value}" for value in values)
        self._give_roles()

    def _give_roles(self) -> None:
        """Give the roles that somebody must have."""
        for role in self.draft.catalogue.system.roles.values():
            if not any(term.role == role.id for _, term in self.draft.shortages()):
                continue
            lines = [
                line
                for line in self.draft.report.full.lines
                if self._may_lead(line.unit, line.tags, role.id)
            ]
            if any(self._lead_with(line, role.id) for line in lines[:4]):
                continue
            self._add([one for one in self.units if self._may_lead(one, one.tags, role.id)])
            any(self._lead_with(line, role.id) for line in self.draft.report.full.lines[-1:])

    def _may_lead(self, unit: Unit, tags: Tags, role: str) -> bool:
        """Whether a unit of these tags may have a role, as it is or if something is taken on it."""
        return unit.can_lead is not None or may_have(role, tags, self.draft.catalogue.system)

    def _lead_with(self, line: Line, role: str) -> bool:
        """Give a role to the unit of a line, if it may have it as it is or with an option."""
        entry, catalogue = line.pick.id, self.draft.catalogue
        if not self._may_lead(line.unit, line.tags, role):
            return False
        if self.draft.attempt(unit_edits.switch_role(self.draft.document, catalogue, entry, role)):
            return True
        wanted = set(getattr(line.unit.can_lead, "tags", ()))
        for offer in _all_options(offers(line, self.draft.report)):
            if wanted & set(offer.option.counted) and not offer.number and can_take(offer):
                document = self._with_option(self.draft.document, entry, offer.path)
                if document is not None and self.draft.attempt(
                    unit_edits.switch_role(document, catalogue, entry, role)
                ):
                    return True
        return False

    def _mend_shortages(self) -> None:
        """Add what there must be more of."""
        failed: set[RuleHead] = set()
        for _ in range(20):
            short = next(
                (
                    (finding, term)
                    for finding, term in self.draft.shortages()
                    if term.head not in failed and self._suppliers(term)
                ),
                None,
            )
            if short is None or not self._room():
                break
            finding, term = short
            share = max(finding.excess, 1) if term.count == POINTS else 0
            if not self._add(self._suppliers(term), share):
                failed.add(term.head)
        self._give_roles()

    def _take_required(self) -> None:
        """Take the options that the army must have, on a unit that is there or on a new one."""
        for _, term in list(self.draft.shortages()):
            wanted = term.of
            if wanted is None or not wanted.clauses or self._suppliers(term):
                continue
            if not self._take(wanted) and self._add(self._holders(wanted)):
                self._take(wanted)

    def _holders(self, wanted: Selector) -> list[Unit]:
        """Units with an option that a selector speaks of; those that need nothing else for it,
        if there are any.
        """
        found = {
            unit.ref: [option for option in unit.offer.options() if wanted.matches(option.tags)]
            for unit in self.units
        }
        able = [unit for unit in self.units if found[unit.ref]]
        return [
            unit for unit in able if any(option.needs is None for option in found[unit.ref])
        ] or able

    def _take(self, wanted: Selector) -> bool:
        """Take an option that a selector speaks of, or one that has it. Whether it was taken."""
        for line in self.draft.report.full.lines:
            for offer in _all_options(offers(line, self.draft.report)):
                found = [offer.option, *offer.option.offer.options()]
                if not can_take(offer) or not any(wanted.matches(one.tags) for one in found):
                    continue
                document = self._with_option(self.draft.document, line.pick.id, offer.path)
                if document is not None and self.draft.attempt(document):
                    return wanted.matches(offer.option.tags) or self._take(wanted) or True
        return False

    def _suppliers(self, term: Term) -> list[Unit]:
        """Return the units that count for a rule which speaks of some of them only."""
        selector = term.of
        if selector is None or not (selector.clauses or selector.without):
            return []
        return [unit for unit in self.units if selector.matches(unit.tags)]

    def _sample(self, units: list[Unit]) -> list[Unit]:
        """Some units at random, mostly of the first one's faction."""
        left = self.draft.left
        near = [
            unit
            for unit in units
            if unit.ref not in self.refused and unit.price.of(unit.smallest) <= left
        ]
        if self.theme and self.rng.random() < 0.85:
            near = [unit for unit in near if unit.tags & self.theme] or near
        return self.rng.sample(near, min(SAMPLE, len(near)))

    def _add(self, units: list[Unit], share: int = 0) -> bool:
        """Add one of the units, at about the points it should take. Whether one was added."""
        some = self.draft.choose(self._sample(units))
        weights = [max(1, choice.points) for choice in some]
        while some:
            choice = self.rng.choices(some, weights)[0]
            place = some.index(choice)
            del some[place], weights[place]
            had = self.draft.with_unit(choice.unit, self._models(choice.unit, share))
            if had is None:
                self.refused.add(choice.unit.ref)
                continue
            trial, entry = had
            if self.sized and self.draft.keep(trial):
                self._equip(entry)
                return True
            if self.draft.keep(trial) or self._plainly(choice.unit):
                return True
            self.refused.add(choice.unit.ref)
            if self.draft.steps <= 0:
                break
        return False

    def _plainly(self, unit: Unit) -> bool:
        """Return the least there is of a unit, where more of it was too much."""
        had = self.draft.with_unit(unit, unit.smallest)
        return had is not None and self.draft.keep(had[0])

    def _models(self, unit: Unit, share: int) -> int:
        """Return how many models: enough for a good part of the list, the points allowing."""
        limit = self.draft.report.limit
        price = unit.price
        wanted = self.rng.uniform(0.07, 0.15) * limit
        room = min(
            self.draft.left * (0.9 if self.sized else 1), max(wanted, min(share, wanted * 1.5))
        )
        more = int((room - price.of(unit.smallest)) // price.extra) if price.extra > 0 else 0
        if not self.sized:
            return unit.smallest + max(0, min(more, 3 if limit <= 1000 else 40))
        _, high = size_bounds(unit)
        top = unit.smallest if unit.size is None else (high or unit.smallest)
        return max(unit.smallest, min(unit.smallest + more, top))

    def _equip(self, entry: str) -> None:
        """Take some options, if the list bears them; all at once, to spare steps."""
        line = self.draft.report.line(entry)
        if line is None or not line.unit.offer or self.draft.steps <= 12:
            return
        allowance = min(self.draft.left, self.draft.report.limit // 12)
        document = self.draft.document
        for offer in self._wishes(offers(line, self.draft.report)):
            if offer.points <= allowance:
                changed = self._with_option(document, entry, offer.path)
                if changed is not None:
                    document = changed
                    allowance -= offer.points
        if document is not self.draft.document:
            self.draft.attempt(document)

    def _wishes(self, offered: Iterable[OptionOffer | GroupOffer]) -> Iterator[OptionOffer]:
        """Options for a unit: now and then one, and of a group one at most."""
        for offer in offered:
            if isinstance(offer, OptionOffer):
                if offer.number == 0 and may_wish(offer) and self.rng.random() < 0.4:
                    yield offer
            elif not offer.number and not offer.why and self.rng.random() < 0.3:
                free = [one for one in flat(offer.inner) if may_wish(one)]
                if free:
                    yield self.rng.choice(free)

    def _with_option(self, document: ArmyList, entry: str, path: str) -> ArmyList | None:
        try:
            return option_edits.switch_option(document, self.draft.catalogue, entry, path)
        except Refusal:
            return None

    def _grow(self) -> None:
        """Spend what is left on models and options, several at once as long as that goes well;
        where nothing is left to buy, on one more unit.
        """
        tried: set[Gain] = set()
        several = 6
        gains = list(self._gains())
        while self.draft.steps > 0 and (self._lacks_points() or not self._spent(NEARLY)):
            chosen = self._basket([gain for gain in gains if gain not in tried], several)
            document = self._with_gains(chosen)
            if not chosen:
                if not self._add(self.units):
                    break
            elif document is None or not self.draft.attempt(document):
                if len(chosen) == 1:
                    tried.update(chosen)
                several = max(1, several // 2)
                continue
            gains = list(self._gains())

    def _basket(self, gains: list[Gain], several: int) -> list[Gain]:
        """Some of the gains, for no more points than are left and one for a unit at most: the
        last of them as large as may be.
        """
        left = self.draft.left
        chosen: list[Gain] = []
        while gains and len(chosen) < several:
            gains.sort(key=lambda gain: gain.points, reverse=True)
            last = len(chosen) == several - 1
            gain = self.rng.choice(gains[:3] if last else gains)
            chosen.append(gain)
            left -= gain.points
            gains = [one for one in gains if one.entry != gain.entry and one.points <= left]
        return chosen

    def _lacks_points(self) -> bool:
        return any(term.count == POINTS and term.is_of_all for _, term in self.draft.shortages())

    def _gains(self) -> Iterator[Gain]:
        left = self.draft.left
        for line in self.draft.report.full.lines:
            yield from self._more_models(line, left)
            if line.unit.offer:
                for offer in _all_options(offers(line, self.draft.report)):
                    if 0 < offer.points <= left and offer.number == 0 and may_wish(offer):
                        yield Gain(offer.points, line.pick.id, path=offer.path)

    def _more_models(self, line: Line, left: int) -> Iterator[Gain]:
        extra = line.unit.price.extra
        _, high = size_bounds(line.unit, line)
        if line.unit.size is None or extra <= 0 or high is None:
            return
        most = min(high - line.models, left // extra)
        for models in {most, (most + 1) // 2}:
            if models > 0:
                yield Gain(models * extra, line.pick.id, line.models + models)

    def _with_gains(self, gains: list[Gain]) -> ArmyList | None:
        document: ArmyList | None = self.draft.document
        for gain in gains:
            if document is not None and gain.path:
                document = self._with_option(document, gain.entry, gain.path)
            elif document is not None:
                document = unit_edits.set_models(document, gain.entry, gain.models)
        return document

    def _trade(self) -> None:
        """Where no more fits but points are left: cheap models make room for dearer ones."""
        while self.draft.steps > 3 and not self._spent(FULL):
            before = self.draft.now, self.draft.troubles
            lines = sorted(self.draft.report.full.lines, key=lambda line: line.each)
            if not lines:
                return
            line = lines[0]
            document = unit_edits.step_models(self.draft.document, line.pick.id, -1)
            dearer = [unit for unit in self.units if unit.price.of(unit.smallest) > line.each]
            spent = self.draft.report.spent
            done = self.draft.attempt(document) and self._add(dearer)
            if not done or self.draft.report.spent <= spent:
                self.draft.now, self.draft.troubles = before
                return


def _all_options(offered: Iterable[OptionOffer | GroupOffer]) -> Iterator[OptionOffer]:
    """Every option, at any depth."""
    for offer in flat(offered):
        yield offer
        yield from _all_options(offer.inner)
