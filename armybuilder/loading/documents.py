"""Army list documents: read from JSON, resolved into rosters, judged by game and at events."""

import hashlib
import json
import re
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from armybuilder.engine import Report, nouns, validate
from armybuilder.engine.abilities import AbilityUse
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.event_report import EventReport
from armybuilder.engine.make_units import finish, with_card
from armybuilder.engine.options import Offer, Profile
from armybuilder.engine.picks import OptionPick, given_picks, take
from armybuilder.engine.prices import Price
from armybuilder.engine.roster import Pick, Roster, SettingValue, Stray
from armybuilder.engine.teams import TeamFinding
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Setting
from armybuilder.engine.wording import marked, say
from armybuilder.loading.armylist import (
    ArmyList,
    ListOption,
    ListProfile,
    ListUnit,
    StatLines,
    pieces_in,
    setting_text,
)
from armybuilder.loading.deadline import heavy_ahead
from armybuilder.loading.forcelist import ForceList, checked_list
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, canonical_json, parse_json
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.loading.packs import Pack, event_of, pack_for
from armybuilder.loading.problems import Refusal
from armybuilder.loading.references import duplicates

#: A book as JSON has it, before it is read.
Document = dict[str, Any]


def read_document(raw: bytes, name: str = "document") -> ArmyList:
    """Read a document of anyone. Raises Refusal, whose `problems` name every place.

    It may be too big, too deep, no JSON, or against the schema.
    """
    return check_document(parse_json(raw, MAX_BYTES, MAX_DEPTH), name)


def check_document(data: Any, name: str = "document") -> ArmyList:
    """Check parsed JSON. Raises Refusal where it breaks the schema, with `problems` by place."""
    checked = checked_list(
        data, "armylist", name, lambda document: duplicates(document["units"], ("units",))
    )
    return ArmyList.from_dict(checked)


def canonical(document: ArmyList | ForceList) -> bytes:
    """Return the document's canonical bytes: equal lists have equal bytes."""
    return canonical_json(document.to_dict())


def hash_of(document: ArmyList | ForceList) -> str:
    """Return the SHA-256 of the canonical bytes, 64 hexadecimal digits; it names frozen copies."""
    return hashlib.sha256(canonical(document)).hexdigest()


def catalogue_of(document: ArmyList, library: Library) -> Catalogue:
    """Return the catalogue a document draws from. Raises Refusal: no system; as `check_cost`."""
    revisions = {book.id: book.revision for book in document.books}
    catalogue = library.catalogue(document.system, list(revisions), revisions)
    check_cost(document, catalogue)
    return catalogue


def make_roster(document: ArmyList, catalogue: Catalogue) -> Roster:
    """Make the roster; unknown names are strays. Raises Refusal: an own model lacks a statistic."""
    strays: list[Stray] = []
    settings = _settings(document, catalogue, strays)
    own = document.stat_lines
    picks = tuple([_pick(entry, catalogue, strays, own) for entry in document.units])
    return Roster(document.limit, picks, settings, tuple(strays))


def changed_roster(
    document: ArmyList, catalogue: Catalogue, before: ArmyList, roster: Roster
) -> Roster:
    """Return the roster of a document that was made of another, which has `roster`.

    Picks of entries that are the same in both are taken over. Raises Refusal as `make_roster` does.
    """
    strayed = {stray.pick for stray in roster.strays}
    same_lines = document.stat_lines == before.stat_lines
    known = {
        entry.id: (entry, pick)
        for entry, pick in zip(before.units, roster.picks, strict=True)
        if entry.id not in strayed and same_lines
    }
    settings = roster.settings
    strays: list[Stray] = []
    same = document.settings is before.settings and document.books is before.books
    if not same or "" in strayed:
        settings = _settings(document, catalogue, strays)
    picks = []
    for entry in document.units:
        old, pick = known.get(entry.id, (None, None))
        if pick is None or old != entry:
            pick = _pick(entry, catalogue, strays, document.stat_lines)
        picks.append(pick)
    return Roster(document.limit, tuple(picks), settings, tuple(strays))


def offered_by(setting: Setting, catalogue: Catalogue) -> Container[str]:
    """Return the ids that a setting offers; none for a number."""
    if setting.kind == "pool":
        return catalogue.units
    if setting.kind == "attribute":
        return catalogue.system.attributes[setting.attribute].values
    return setting.values


def fitting(setting: Setting, value: SettingValue, catalogue: Catalogue) -> SettingValue:
    """Return a setting's value as far as it is offered; None if it isn't."""
    offered = offered_by(setting, catalogue)
    if setting.kind in ("pieces", "pool"):
        return tuple(piece for piece in map(str, pieces_in(value)) if piece in offered)
    if setting.kind == "number":
        return value if isinstance(value, int) and setting.low <= value <= setting.high else None
    return value if isinstance(value, str) and value in offered else None


def _settings(
    document: ArmyList, catalogue: Catalogue, strays: list[Stray]
) -> dict[str, SettingValue]:
    """Return the chosen values that suit their settings. Others, and unknown books, are strays."""
    books, chosen = {book.id for book in catalogue.books}, document.settings
    strays += [Stray("", "book", book.id) for book in document.books if book.id not in books]
    settings: dict[str, SettingValue] = {}
    for setting in catalogue.system.settings.values():
        value = chosen.get(setting.id, setting.default)
        kept = fitting(setting, value, catalogue)
        if setting.kind in ("pieces", "pool"):
            offered = offered_by(setting, catalogue)
            pieces = map(str, pieces_in(value))
            strays += [Stray("", "setting", piece) for piece in pieces if piece not in offered]
        elif kept is None and value is not None:
            strays.append(Stray("", "setting", f"{setting.name}: {setting_text(value)}"))
        settings[setting.id] = setting.default if kept is None else kept
    known = catalogue.system.settings
    strays += [Stray("", "setting", name) for name in chosen if name not in known]
    return settings


def _pick(
    entry: ListUnit, catalogue: Catalogue, strays: list[Stray], stat_lines: StatLines
) -> Pick:
    known = catalogue.system.roles
    strays += [Stray(entry.id, "role", role) for role in entry.roles if role not in known]
    if entry.profile is not None:
        unit = own_unit(entry.profile, catalogue, entry.id, strays)
    else:
        unit, card = catalogue.units.get(entry.ref), entry.card
        if unit is not None and card and unit.blanks:
            system = catalogue.system
            unit = with_card(system, unit, card.points, card.attributes, card.ratings)
    picks: tuple[OptionPick, ...] = ()
    if unit is not None and (unit.offer or entry.options):
        picks = _options(entry.options, unit.offer, entry.id, strays)
    return Pick(
        id=entry.id,
        ref=entry.profile.name if entry.profile is not None else entry.ref,
        unit=unit,
        models=entry.models,
        roles=tuple([role for role in entry.roles if role in known]),
        name=entry.name,
        notes=entry.notes,
        picks=picks,
        profiles=tuple([Profile(row.name, row.stats) for row in stat_lines.get(entry.ref, ())])
        if unit is not None and not unit.profiles
        else (),
    )


def own_unit(
    profile: ListProfile, catalogue: Catalogue, pick_id: str, strays: list[Stray]
) -> Unit | None:
    """Return the unit of an own model, equal for equal profiles; None where the system has none.

    A rule that names no target is there once, however often it is written.
    Raises Refusal where a statistic is missing.
    """
    system = catalogue.system
    if not system.own_models:
        return None
    missing = [stat.name for stat in system.stats.values() if stat.id not in profile.stats]
    if missing:
        message = marked("The custom model “{name}” has no {missing}.")
        raise Refusal(say(message, name=profile.name, missing=missing[0]))
    uses: list[AbilityUse] = []
    for use in profile.abilities:
        ability = catalogue.abilities.get(use.ability)
        if ability is None:
            strays.append(Stray(pick_id, "ability", use.ability))
        elif ability.target or all(one.ability is not ability for one in uses):
            uses.append(AbilityUse(ability, target=use.target))
    unit = Unit(
        ref=f"own/{json.dumps(profile.to_dict(), sort_keys=True).casefold()}",
        name=profile.name,
        price=Price(None),
        tags=frozenset(),
        stats=profile.stats,
        abilities=tuple(uses),
        origin=say("custom model"),
        own=True,
    )
    return finish(system, unit)


def _options(
    entries: tuple[ListOption, ...], offer: Offer, pick_id: str, strays: list[Stray]
) -> tuple[OptionPick, ...]:
    """Return an offer's options, taken or given; given ones may be listed for their own options."""
    given = {pick.id: pick for pick in given_picks(offer)} if offer.given else {}
    chosen: dict[str, OptionPick] = {}
    for entry in entries:
        slots = offer.slots.get(entry.id)
        if slots is None:
            strays.append(Stray(pick_id, "option", entry.id))
            continue
        option = slots[0].option
        if entry.id in chosen:
            again = Stray(pick_id, "repeated", entry.id, option.name)
            strays += [] if again in strays else [again]
            continue
        inner = _options(entry.options, option.offer, pick_id, strays)
        had = given.get(entry.id)
        number = max(entry.number, had.number if had else 1)
        if entry.on and entry.on not in option.on:
            strays.append(Stray(pick_id, "option", f"{entry.id} on {entry.on}"))
        chosen[entry.id] = take(slots, inner, number, entry.on, had is not None)
    return tuple({**given, **chosen}.values() if given else chosen.values())


@dataclass(frozen=True, slots=True)
class Judged:
    """A document with its catalogue, roster and report."""

    document: ArmyList
    catalogue: Catalogue
    roster: Roster
    report: Report


def judge(document: ArmyList, library: Library) -> Judged:
    """Judge a document by the books it pins. Raises Refusal as `catalogue_of`, `make_roster` do."""
    return judge_by(document, catalogue_of(document, library))


def judge_by(document: ArmyList, catalogue: Catalogue) -> Judged:
    """Return the document judged by a catalogue. Raises Refusal as `make_roster` does."""
    roster = make_roster(document, catalogue)
    return Judged(document, catalogue, roster, report_on(roster, catalogue))


def judge_changed(document: ArmyList, before: Judged) -> Judged:
    """Return a document checked by the catalogue, and in the language, of another.

    The documents have much in common: results for the common parts are reused. Raises Refusal as
    `make_roster` does.
    """
    catalogue = before.catalogue
    roster = changed_roster(document, catalogue, before.document, before.roster)
    return Judged(document, catalogue, roster, report_on(roster, catalogue, before.report))


_watchers: list[Callable[[float], None]] = []


def watch(told: Callable[[float], None]) -> None:
    """Call a function with the seconds of each verdict from now on."""
    _watchers[:] = [told]


def report_on(roster: Roster, catalogue: Catalogue, before: Report | None = None) -> Report:
    """Return the engine's report, for any reader; `before` as `validate` takes it."""
    start = time.perf_counter()
    report = validate(roster, catalogue, before)
    for told in _watchers:
        told(time.perf_counter() - start)
    return report


#: Largest cost of a list. An army of 15 units with 90 options costs 2,300; what a warband of 15
#: models costs with a thousand models to choose from is 15,000.
MAX_COST = 100_000
#: Lists that cost more take over 0.3 s to offer from; others in proportion.
HEAVY_COST = 20_000
_SECONDS = 0.3 / HEAVY_COST
#: Fixed cost of checking the addition of a unit.
TRIAL_COST = 24


def cost_of(document: ArmyList, catalogue: Catalogue) -> int:
    """Return units and options on the list times units in its books."""
    return (len(document.units) + count_options(document)) * len(catalogue.units)


def count_options(document: ArmyList) -> int:
    """Return how many options are taken, those within options, too."""
    return sum([_count(unit.options) for unit in document.units])


def check_cost(document: ArmyList, catalogue: Catalogue) -> None:
    """Raise Refusal for more work than one list may cause, Elsewhere for another process's work."""
    cost = cost_of(document, catalogue)
    if cost > HEAVY_COST:
        heavy_ahead(cost * _SECONDS)
    if cost > MAX_COST:
        units = len(catalogue.units)
        message = marked(
            "That is more than one list can hold: {picks} units and options, with {units} "
            "to choose from. Use fewer units, or fewer books."
        )
        raise Refusal(say(message, picks=cost // units, units=units))


def check_trials(roster: Roster, units: int) -> None:
    """Raise Elsewhere if trying to add each of these units is another process's work."""
    picks = sum([1 + _taken(pick.picks) for pick in roster.picks])
    cost = (TRIAL_COST + picks) * units
    if cost > HEAVY_COST:
        heavy_ahead(cost * _SECONDS)


def _taken(picks: Iterable[OptionPick]) -> int:
    return sum([1 + _taken(pick.picks) for pick in picks])


def _count(options: Iterable[ListOption]) -> int:
    return sum([1 + _count(option.options) if option.options else 1 for option in options])


@dataclass(frozen=True, slots=True)
class JudgedAt:
    """A document judged by its game, and by an event with its pack."""

    game: Judged
    event: Judged
    report: EventReport


def judge_at(document: ArmyList, catalogue: Catalogue, pack: Pack) -> JudgedAt:
    """Return both verdicts on a document.

    Raises Refusal as `make_roster` does, and where the pack is for another game.
    """
    if pack.system != document.system:
        message = marked("The event “{event}” is for a different game.")
        raise Refusal(say(message, event=pack.name))
    there, scores, _ = event_of(catalogue, pack)
    game, event = judge_by(document, catalogue), judge_by(document, there)
    return JudgedAt(game, event, EventReport(game.report, event.report, scores))


@dataclass(frozen=True, slots=True)
class JudgedTeam:
    """The lists of a team of `number` lists, and the joint rules that they break."""

    lists: tuple[JudgedAt, ...]
    findings: tuple[TeamFinding, ...]
    number: int

    @property
    def legal(self) -> bool:
        """Return whether every list is legal, all are there, and no joint rule is broken."""
        whole = len(self.lists) == self.number
        return whole and not self.findings and all(one.report.legal for one in self.lists)


def judge_team(
    documents: Sequence[ArmyList], library: Library, pack: Pack, numbers: Sequence[int] = ()
) -> JudgedTeam:
    """Return the verdict on the lists of a team, each by the books that it pins.

    `numbers` say which of its player's lists each is, where they hand in several. Raises Refusal
    as `judge_at` does, and where the pack is for no teams.
    """
    if "team" not in pack.data:
        raise Refusal(say("The event “{event}” has no teams.", event=pack.name))
    judged = [
        judge_at(one, catalogue_of(one, library), pack_for(pack, number))
        for one, number in zip(documents, numbers or repeat(0), strict=False)
    ]
    found: tuple[TeamFinding, ...] = ()
    if judged and (team := event_of(judged[0].game.catalogue, pack).team):
        found = team.judge([one.report.event for one in judged])
    return JudgedTeam(tuple(judged), found, pack.data["team"]["lists"])


# Default name of a list: "Highborn Elves 4500", "Warband 300".


def list_name(
    system: System,
    books: Iterable[str],
    limit: int,
    settings: Mapping[str, SettingValue] | None = None,
) -> str:
    """Return a default name: the kind of list and its size in points. `books` are names.

    The kind is the book if there is one, the faction if one is chosen, else the game's word for a
    list.
    """
    first = next(iter(books), "") if system.sized else ""
    title = first or _faction(system, settings or {}) or nouns.known(system.warband_word)
    title = title[:1].upper() + title[1:]
    return f"{title[: MAX_NAME - 8].rstrip()} {limit}"


def named_after(document: ArmyList, catalogue: Catalogue) -> str:
    """Return the generated name of a list."""
    books = (book.name for book in catalogue.books)
    return list_name(catalogue.system, books, document.limit, document.settings)


def named_at(document: ArmyList, catalogue: Catalogue, limit: int) -> str:
    """Return the name of a list at another size.

    A name given by a player stays, a generated one follows, with its number or copy mark in
    brackets.
    """
    books = [book.name for book in catalogue.books]
    for settings in (document.settings, None):
        now, then = (
            list_name(catalogue.system, books, size, settings) for size in (document.limit, limit)
        )
        if re.fullmatch(re.escape(now) + r"( \([^()]*\))*", document.name):
            return f"{then}{document.name[len(now) :]}"
    return document.name


def _faction(system: System, settings: Mapping[str, SettingValue]) -> str:
    for setting in system.settings.values():
        chosen = settings.get(setting.id)
        if setting.kind == "attribute" and isinstance(chosen, str):
            return system.attributes[setting.attribute].values.get(chosen, "")
    return ""
