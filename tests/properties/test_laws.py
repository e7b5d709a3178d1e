"""Laws that hold for every army list; the engine and plain readings of the rulebooks agree."""

from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.editing.list_edits import switch_edition
from armybuilder.engine import Finding, Report, Severity, choices, validate
from armybuilder.loading.documents import make_roster
from armybuilder.loading.jsontext import canonical_json
from tests.building.documents import list_of, value_of
from tests.effort import tries
from tests.properties import rulebooks
from tests.properties.lists import FEW, GAMES, LAW, SBH, known_entry, lists, models
from tests.properties.warbands import Drawn, battles, catalogue_of, skirmishes

pytestmark = pytest.mark.long

Data = dict[str, Any]


def judge(document: Data) -> Report:
    catalogue = GAMES[document["system"]]
    return validate(make_roster(value_of(document), catalogue), catalogue)


@LAW
@given(lists(), st.data())
def test_adding_never_lowers_what_is_spent(document: Data, data: st.DataObject) -> None:
    entry = data.draw(known_entry(document["system"]))
    more = {**document, "units": [*document["units"], {"id": "new", **entry}]}
    before, after = judge(document), judge(more)
    assert after.spent >= before.spent
    assert after.models == before.models + entry["models"]
    for unit in document["units"]:
        larger = [{**one, "models": one["models"] + (one is unit)} for one in document["units"]]
        assert judge({**document, "units": larger}).spent >= before.spent


@LAW
@given(lists())
def test_what_is_spent_is_the_sum_of_its_parts(document: Data) -> None:
    report = judge(document)
    gauge = next(gauge for gauge in report.gauges if gauge.head.code == "points.over")
    assert report.spent == gauge.used == sum(part.amount for part in gauge.parts)
    extra = document["settings"].get("tactical_advantage", 0)
    assert report.spent == sum(line.points for line in report.lines.values()) + extra
    over = [found for found in report.findings if found.code == "points.over"]
    assert bool(over) is (report.spent > document["limit"])


def errors(findings: tuple[Finding, ...], pick: str = "") -> set[tuple[str, str, str]]:
    """Errors by what they are; `pick` is the id that the newest unit has."""
    return {
        (
            found.code,
            found.head.pointer,
            "new" if pick and found.about.text == pick else found.about.text,
        )
        for found in findings
        if found.severity is Severity.ERROR
    }


@FEW
@given(lists(most=5))
def test_choices_keep_their_promise_when_the_unit_is_really_taken(document: Data) -> None:
    catalogue = GAMES[document["system"]]
    before = judge(document)
    for choice in choices(make_roster(value_of(document), catalogue), catalogue):
        entry = {"id": "new", "unit": choice.unit.ref, "models": choice.unit.smallest}
        after = judge({**document, "units": [*document["units"], entry]})
        assert errors(choice.breaks, "+") == errors(after.findings) - errors(before.findings)
        assert errors(choice.settles) == errors(before.findings) - errors(after.findings)
        assert choice.points == after.spent - before.spent


@LAW
@given(lists())
def test_capacity_is_never_below_zero_and_adds_up(document: Data) -> None:
    report = judge(document)
    for line in report.lines.values():
        assert line.need >= 0
        assert line.supply >= 0
    drawn = [gauge for gauge in report.gauges if gauge.head.code.startswith("command.")]
    if report.faction is not None:
        assert drawn[0].used == sum(line.need for line in report.lines.values())
        assert drawn[0].maximum == sum(line.supply for line in report.lines.values())


@LAW
@given(lists())
def test_a_list_is_legal_exactly_when_nothing_is_an_error(document: Data) -> None:
    report = judge(document)
    assert report.legal is not any(found.severity is Severity.ERROR for found in report.findings)
    gravity = [list(Severity).index(found.severity) for found in report.findings]
    assert gravity == sorted(gravity)
    assert len({(*found.key, found.code, found.lineup) for found in report.findings}) == len(
        report.findings
    )


@LAW
@given(lists())
def test_checking_twice_gives_the_same_and_changes_nothing(document: Data) -> None:
    raw = canonical_json(document)
    assert judge(document).findings == judge(document).findings
    assert canonical_json(document) == raw


@settings(LAW, max_examples=tries(300))
@given(st.integers(-1, 8), st.integers(-1, 8), st.integers(-30, 60))
def test_the_formula_is_the_one_that_is_written_down(
    quality: int, combat: int, specials: int
) -> None:
    formula = SBH.system.formula
    assert formula is not None
    exact = Fraction(5 * combat + specials) * (7 - quality) / 2
    assert formula.points({"quality": quality, "combat": combat}, specials) == max(1, ceil(exact))


@LAW
@given(
    st.integers(2, 6),
    st.integers(0, 6),
    st.lists(st.sampled_from(sorted(SBH.abilities)), max_size=6, unique=True),
    models,
)
def test_an_own_model_costs_what_the_formula_says(
    quality: int, combat: int, abilities: list[str], number: int
) -> None:
    stats = {"quality": quality, "combat": combat}
    profile = {"name": "Me", "stats": stats, "abilities": [{"ability": one} for one in abilities]}
    document = list_of("sbh", [], [{"profile": profile, "models": number}], limit=300)
    specials = sum(SBH.abilities[one].points for one in abilities)
    exact = Fraction(5 * combat + specials) * (7 - quality) / 2
    assert judge(document).spent == number * max(1, ceil(exact))


@pytest.mark.parametrize("system", GAMES)
def test_every_unit_that_is_offered_can_be_taken(system: str) -> None:
    catalogue = GAMES[system]
    document = list_of(system, [], [], limit=9999)
    offered = choices(make_roster(value_of(document), catalogue), catalogue)
    assert {choice.unit.ref for choice in offered} == set(catalogue.units)
    assert all(choice.points >= 0 for choice in offered)


# The engine says of every warband what a plain reading of the rulebook says (`rulebooks`), and the
# laws that follow from it.


MANY = settings(LAW, max_examples=tries(100))


def judged(drawn: Drawn) -> Report:
    catalogue = drawn.catalogue
    return validate(make_roster(value_of(drawn.document), catalogue), catalogue)


def codes(report: Report, severity: Severity) -> set[str]:
    return {finding.code for finding in report.of(severity)}


def gauge(report: Report, name: str) -> tuple[int, int | None] | None:
    """(used, maximum) with every model of the list."""
    return next(((one.used, one.maximum) for one in report.gauges if one.name == name), None)


def agrees(report: Report, verdict: rulebooks.Verdict) -> None:
    assert codes(report, Severity.ERROR) == verdict.errors
    assert codes(report, Severity.WARNING) == verdict.warnings
    assert codes(report, Severity.NOTE) == verdict.notes
    assert report.legal is not bool(verdict.errors)
    assert report.spent == verdict.figures["spent"]


@MANY
@given(skirmishes(("basic",)))
def test_the_basic_rules_of_chainmail_are_those_of_the_rulebook(drawn: Drawn) -> None:
    report = judged(drawn)
    verdict = rulebooks.chainmail_2001(drawn.told, advanced=False)
    agrees(report, verdict)
    figures = verdict.figures
    assert report.faction == figures["faction"]
    assert gauge(report, "Commander limit") == (figures["troops"], figures["limit"])


@MANY
@given(skirmishes(("advanced",)))
def test_the_advanced_rules_of_chainmail_are_those_of_the_rulebook(drawn: Drawn) -> None:
    report = judged(drawn)
    verdict = rulebooks.chainmail_2001(drawn.told, advanced=True)
    agrees(report, verdict)
    figures = verdict.figures
    assert report.faction == figures["faction"]
    if figures["faction"] is not None:
        drawn_gauge = gauge(report, "Command capacity")
        assert drawn_gauge == (figures["needed"], figures["capacity"])


@MANY
@given(battles())
def test_the_battle_rules_of_the_miniatures_game_are_those_of_the_rulebook(drawn: Drawn) -> None:
    report = judged(drawn)
    verdict = rulebooks.ddm_2008(drawn.told)
    agrees(report, verdict)
    figures = verdict.figures
    assert gauge(report, "Creatures") == (figures["creatures"], figures["most"])
    assert gauge(report, "Points") == (figures["spent"], drawn.limit)


ANY = skirmishes() | battles()


@LAW
@given(ANY, st.randoms())
def test_the_order_of_the_lines_never_matters(drawn: Drawn, random: Any) -> None:
    entries = list(drawn.entries)
    random.shuffle(entries)
    other = drawn._replace(entries=tuple(entries))
    reports = [judged(drawn), judged(other)]
    told = [
        sorted(
            (one.code, one.head.id, one.lineup, str(one.measured), str(one.allowed))
            for one in report.findings
        )
        for report in reports
    ]
    assert told[0] == told[1]
    assert reports[0].faction == reports[1].faction
    assert reports[0].spent == reports[1].spent


@LAW
@given(ANY)
def test_a_line_of_several_models_is_as_many_lines_of_one(drawn: Drawn) -> None:
    singles = tuple((card, 1, role) for card, models, role in drawn.entries for _ in range(models))
    one, other = judged(drawn), judged(drawn._replace(entries=singles))
    for severity in Severity:
        assert codes(one, severity) == codes(other, severity)
    assert (one.spent, one.models, one.faction) == (other.spent, other.models, other.faction)


def faults(findings: tuple[Finding, ...], newest: str) -> dict[tuple[str, ...], int]:
    """How far each fault is off, by what it is; `newest` is the id that the newest line has."""
    found: dict[tuple[str, ...], int] = {}
    for one in findings:
        subject = "newest" if one.about.text == newest else one.about.text
        key = (one.code, one.head.pointer, subject)
        found[key] = max(found.get(key, 0), one.excess)
    return found


@FEW
@given(ANY)
def test_choices_foretell_every_finding_that_adding_brings_worsens_and_settles(
    drawn: Drawn,
) -> None:
    catalogue = drawn.catalogue
    roster = make_roster(value_of(drawn.document), catalogue)
    before = faults(validate(roster, catalogue).findings, "e")
    for number, choice in enumerate(choices(roster, catalogue)):
        more = drawn._replace(entries=(*drawn.entries, (number, 1, False)))
        report = judged(more)
        after = faults(report.findings, f"e{len(drawn.entries)}")
        worse = {key for key, excess in after.items() if key in before and excess > before[key]}
        assert set(faults(choice.breaks, "+")) == after.keys() - before.keys()
        assert set(faults(choice.worsens, "+")) == worse
        assert set(faults(choice.settles, "+")) == before.keys() - after.keys()
        assert choice.points == report.spent - validate(roster, catalogue).spent


#: What a card may leave open, by the field.
RIDDLES = {"cost": "?", "alignment": "?", "size": "?", "factions": frozenset()}
RATINGS = ("commander", "champion")


@LAW
@given(ANY, st.data())
def test_no_list_becomes_legal_by_what_a_card_leaves_open(
    drawn: Drawn, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(drawn.cards) - 1))
    card = drawn.cards[number]
    fields = [field for field in RIDDLES if hasattr(card, field)]
    fields += [field for field in RATINGS if getattr(card, field, None) is not None]
    fields += ["difficult_rating"] if getattr(card, "difficult", False) else []
    field = data.draw(st.sampled_from(fields))
    riddle = card._replace(**{field: RIDDLES.get(field, "?")})
    cards = (*drawn.cards[:number], riddle, *drawn.cards[number + 1 :])
    if judged(drawn._replace(cards=cards)).legal:
        assert judged(drawn).legal


EDITIONS = ("chainmail-2002", "chainmail-2001-basic", "chainmail-2001-advanced")


@LAW
@given(skirmishes(), st.sampled_from(EDITIONS))
def test_switching_the_edition_and_back_is_the_same_list_where_nothing_is_lost(
    drawn: Drawn, edition: str
) -> None:
    numbered = tuple(card._replace(difficult_rating=2) for card in drawn.cards)
    drawn = drawn._replace(cards=numbered)
    here, there = drawn.catalogue, catalogue_of(drawn, edition)
    document = value_of(drawn.document)
    away = switch_edition(document, here, there)
    assert make_roster(away.document, there).strays == ()
    back = switch_edition(away.document, there, here)
    assert back.document.units == document.units
    assert back.document.system == document.system
    assert back.lost == ()
    if not away.lost:
        defaults = {key: setting.default for key, setting in here.system.settings.items()}
        assert defaults | back.document.settings == defaults | document.settings
        reports = [validate(make_roster(one, here), here) for one in (document, back.document)]
        assert reports[0].findings == reports[1].findings
