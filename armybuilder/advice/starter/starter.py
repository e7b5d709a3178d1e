"""Something to begin with: a random list that is legal where one is found in a few steps.

Greedy: what the rules ask for is added first, then what fits; units are equipped and grow until
the points are spent. No rule stands here: `validate` and `choices` say what may be done.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from armybuilder.advice.starter.draft import StarterDraft
from armybuilder.advice.starter.filling import FULL, ListFiller
from armybuilder.editing import unit_edits
from armybuilder.engine.about import AboutSetting
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.terms import PIECES
from armybuilder.engine.units import Unit
from armybuilder.engine.verdict import Outcome
from armybuilder.engine.vocabulary import Setting
from armybuilder.loading.armylist import ArmyList, with_settings

#: Calls of `validate` and `choices` that each attempt may take: the first suffices mostly, the
#: second where units are many.
STEPS = (60, 110)


def starter(
    catalogue: Catalogue, limit: int, seed: int, settings: Mapping[str, Any] | None = None
) -> ArmyList:
    """Return a list of the catalogue's books to begin with, of a size of `limit` points: the best
    of a few attempts. The same for the same seed. `settings` are what the players have agreed on,
    as a document says it; what the list itself chooses (a faction, a map, terrain) is chosen anew.
    """
    word = catalogue.system.warband_word
    empty = unit_edits.new_document(catalogue, f"Random {word}", limit)
    empty = with_settings(empty, _agreed(catalogue, settings or {}))
    rng = Random(seed)  # noqa: S311, chance for play, not for secrets
    units = list(catalogue.units.values())
    finished = [unit for unit in units if not _unfinished(unit)]
    best = _best(Start(catalogue, empty, finished), rng)
    if not best.document.units and len(finished) < len(units):
        # Nothing can be built of what is known: cards to fill in are better than nothing.
        best = _attempt(Start(catalogue, empty, units, lenient=True), rng, STEPS[0])
    return best.document


def _agreed(catalogue: Catalogue, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those settings that are not the list's own to choose."""
    known = catalogue.system.settings
    return {
        key: value
        for key, value in settings.items()
        if key not in known
        or known[key].kind in ("number", "pool")
        or known[key].default is not None
    }


class Start(NamedTuple):
    """What an attempt begins with; `lenient`: also with units whose cards are incomplete."""

    catalogue: Catalogue
    empty: ArmyList
    units: list[Unit]
    lenient: bool = False


def _best(start: Start, rng: Random) -> StarterDraft:
    """Return the first attempt that is legal, checked in full and full, else the best."""
    drafts: list[StarterDraft] = []
    for steps in STEPS:
        drafts.append(_attempt(start, rng, steps))
        report = drafts[-1].report
        good = report.outcome is Outcome.LEGAL
        if good and 100 * report.spent >= FULL * report.limit:
            break
    return max(drafts, key=lambda draft: draft.rank)


def _attempt(start: Start, rng: Random, steps: int) -> StarterDraft:
    draft = StarterDraft(start.catalogue, start.empty, rng, steps, start.lenient)
    _choose_settings(draft, start.units)
    if start.units:
        ListFiller(draft, start.units).fill()
    return draft


def _unfinished(unit: Unit) -> bool:
    """Return whether its card alone breaks a rule, as one that does not say its points does."""
    return any(fault.head.severity is Severity.ERROR for fault in unit.faults)


def _choose_settings(draft: StarterDraft, units: list[Unit]) -> None:
    """Choose what rules ask for and nobody has chosen: a faction, a map, pieces of terrain."""
    settings = draft.now.roster.settings
    for setting in draft.catalogue.system.settings.values():
        if not setting.matters(draft.report.limit, settings):
            continue
        if setting.kind == "attribute":
            _choose_side(draft, setting, units)
        elif setting.kind == "choice" and setting.default is None:
            _choose_value(draft, setting)
        elif setting.kind == "pieces":
            _choose_pieces(draft, setting)


def _choose_side(draft: StarterDraft, setting: Setting, units: list[Unit]) -> None:
    """The faction that a rule wants chosen: a random unit's, so a larger one more often."""
    wanted = any(
        isinstance(finding.about, AboutSetting) and finding.about.setting == setting.id
        for finding in draft.report.of(Severity.ERROR)
    )
    values = [value for unit in units for value in unit.attributes.get(setting.attribute, ())]
    values = values or list(draft.catalogue.system.attributes[setting.attribute].values)
    if wanted and values:
        value = draft.rng.choice(values)
        draft.attempt(unit_edits.set_setting(draft.document, draft.catalogue, setting.id, value))


def _choose_value(draft: StarterDraft, setting: Setting) -> None:
    """The value with the least to say against it; among equals, a random one."""
    settings = draft.now.roster.settings
    values = [piece.id for piece in setting.values.values() if piece.fits(settings)]
    draft.rng.shuffle(values)
    trials = [
        draft.judge(unit_edits.set_setting(draft.document, draft.catalogue, setting.id, value))
        for value in values[:8]
    ]
    if trials:
        draft.keep(min(trials, key=lambda trial: len(trial.report.findings)))


def _choose_pieces(draft: StarterDraft, setting: Setting) -> None:
    """As many pieces as a rule asks for."""
    settings = draft.now.roster.settings
    pieces = [piece.id for piece in setting.values.values() if piece.fits(settings)]
    for _ in range(12):
        lacking = any(
            term.count == PIECES and term.setting == setting.id for _, term in draft.shortages()
        )
        if not lacking or not pieces:
            return
        piece = draft.rng.choice(pieces)
        draft.attempt(unit_edits.add_piece(draft.document, draft.catalogue, setting.id, piece))
