"""Laws of trees: of options in options and groups, whatever the book and the list; and
of the answers offered for findings.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from armybuilder.acts.base import ListAct, decode, performed
from armybuilder.advice.answers import Remedy
from armybuilder.advice.finding_details import MOST, FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.editing.option_edits import switch_option
from armybuilder.editing.unit_edits import new_entry
from armybuilder.engine import Finding, Report, choices, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from armybuilder.engine.options import Offer
from armybuilder.engine.sentences import sentence
from armybuilder.lists.models import Version
from armybuilder.loading.documents import (
    canonical,
    catalogue_of,
    make_roster,
    read_document,
)
from armybuilder.loading.jsontext import MAX_DEPTH, canonical_json, nesting
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.page import BuilderPage
from tests.building.documents import list_of, value_of
from tests.effort import tries
from tests.properties.lists import FEW, LAW, LIBRARY, strange_lists
from tests.properties.trees import Data, books, entries, every_game, games

pytestmark = pytest.mark.long

Game = tuple[Catalogue, Data]


def judge(catalogue: Catalogue, document: Data) -> Report:
    return validate(make_roster(value_of(document), catalogue), catalogue)


def written(entry: Data) -> list[Data]:
    """The options of an entry, those three deep too as entries of their own."""
    return [unfolded(option) for option in entry.get("options", [])]


def unfolded(option: Data | str) -> Data:
    if isinstance(option, str):
        return {"id": option}
    inner = {"options": written(option)} if "options" in option else {}
    return {**option, **inner}


def click(document: Data, catalogue: Catalogue, entry: str, path: str) -> Data:
    return switch_option(value_of(document), catalogue, entry, path).to_dict()


def switches(catalogue: Catalogue, document: Data) -> list[tuple[str, str, bool]]:
    """What a player may click in the list: (entry, path, whether it is taken now)."""

    def below(offer: Offer, options: list[Data], path: str) -> Iterator[tuple[str, bool]]:
        chosen = {entry["id"]: entry for entry in options}
        for option_id, slots in offer.slots.items():
            if not slots[0].option.given:
                yield f"{path}{option_id}", option_id in chosen
            if option_id in chosen:
                inner = chosen[option_id].get("options", [])
                yield from below(slots[0].option.offer, inner, f"{path}{option_id}/")

    return [
        (entry["id"], path, there)
        for entry in document["units"]
        for path, there in below(catalogue.units[entry["unit"]].offer, written(entry), "")
    ]


def paths(options: list[Data], path: str = "") -> Iterator[str]:
    """All that is taken, by path."""
    for entry in options:
        yield f"{path}{entry['id']}"
        yield from paths(entry.get("options", []), f"{path}{entry['id']}/")


def entry_of(document: Data, entry_id: str) -> Data:
    found: Data = next(entry for entry in document["units"] if entry["id"] == entry_id)
    return found


def paths_of(document: Data, entry_id: str) -> set[str]:
    """All that is written down for an entry, by path."""
    return set(paths(written(entry_of(document, entry_id))))


def taken(catalogue: Catalogue, document: Data, entry_id: str) -> set[str]:
    """What a player took, by path: what is given is written down only for what is taken on it."""
    offer = catalogue.units[entry_of(document, entry_id)["unit"]].offer
    return paths_of(document, entry_id) - given_paths(offer)


def idle(catalogue: Catalogue, document: Data, entry_id: str) -> set[str]:
    """What is given and written down with nothing taken on it, which no click leaves there."""
    there = paths_of(document, entry_id)
    given = there - taken(catalogue, document, entry_id)
    return {path for path in given if not any(one.startswith(f"{path}/") for one in there)}


def given_paths(offer: Offer, path: str = "") -> set[str]:
    found: set[str] = set()
    for option_id, slots in offer.slots.items():
        here = f"{path}{option_id}"
        found |= {here} if slots[0].option.given else set()
        found |= given_paths(slots[0].option.offer, f"{here}/")
    return found


@LAW
@given(games(least=1), st.data())
def test_leaving_an_option_leaves_all_that_is_on_it_and_nothing_else(
    game: Game, data: st.DataObject
) -> None:
    catalogue, document = game
    there = [(entry, path) for entry, path, now in switches(catalogue, document) if now]
    assume(there)
    entry, path = data.draw(st.sampled_from(there))
    before = taken(catalogue, document, entry)
    after = taken(catalogue, click(document, catalogue, entry, path), entry)
    assert after == {one for one in before if one != path and not one.startswith(f"{path}/")}


@LAW
@given(games(least=1), st.data())
def test_taking_an_option_and_leaving_it_gives_the_same_document(
    game: Game, data: st.DataObject
) -> None:
    catalogue, document = game
    absent = [(entry, path) for entry, path, now in switches(catalogue, document) if not now]
    assume(absent)
    entry, path = data.draw(st.sampled_from(absent))
    assume(not idle(catalogue, document, entry))
    raw = canonical_json(document)
    with_it = click(document, catalogue, entry, path)
    assert canonical_json(document) == raw
    assert path in taken(catalogue, with_it, entry)
    if taken(catalogue, document, entry) <= taken(catalogue, with_it, entry):
        without = click(with_it, catalogue, entry, path)
        assert canonical_json(without) == raw


def chosen(node: OptionOffer | GroupOffer) -> int:
    """How many of a group are taken, those not counted that are always there."""
    if isinstance(node, GroupOffer):
        return sum(chosen(inner) for inner in node.inner)
    return 0 if node.given else node.number


def crowded(nodes: tuple[Any, ...]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, GroupOffer) and node.group.most.base == 1 and chosen(node) > 1:
            yield node.path
        yield from crowded(node.inner)


@LAW
@given(games(least=1), st.data())
def test_by_clicking_alone_no_group_of_one_ever_holds_two(game: Game, data: st.DataObject) -> None:
    catalogue, document = game
    document = {**document, "units": [dict(entry) for entry in document["units"]]}
    for entry in document["units"]:
        entry.pop("options", None)
    for _ in range(8):
        clicks = [(entry, path) for entry, path, now in switches(catalogue, document)]
        assume(clicks)
        document = click(document, catalogue, *data.draw(st.sampled_from(clicks)))
        report = judge(catalogue, document)
        for line in report.full.lines:
            assert list(crowded(offers(line, report))) == []


@LAW
@given(games())
def test_what_a_unit_costs_is_its_price_and_the_points_of_each_thing_taken(game: Game) -> None:
    catalogue, document = game
    report = judge(catalogue, document)
    for line in report.full.lines:
        bare = line.unit.price.of(line.models)
        assert line.points == bare + sum(one.points for one in line.loadout.taken)
        tops = [one for one in line.loadout.taken if one.pick in line.pick.picks]
        assert line.loadout.points == sum(one.total for one in tops)
    assert report.spent == sum(line.points for line in report.full.lines)


@LAW
@given(games(least=1), st.data())
def test_one_thing_more_that_costs_nothing_or_more_never_lowers_the_total(
    game: Game, data: st.DataObject
) -> None:
    catalogue, document = game
    entry = data.draw(st.sampled_from(document["units"]))
    offer = catalogue.units[entry["unit"]].offer
    had = {option["id"] for option in entry.get("options", [])}
    absent = [key for key in offer.slots if key not in had and not offer.slots[key][0].option.given]
    assume(absent)
    more = {
        **entry,
        "options": [*entry.get("options", []), {"id": data.draw(st.sampled_from(absent))}],
    }
    units = [more if one is entry else one for one in document["units"]]
    assert judge(catalogue, {**document, "units": units}).spent >= judge(catalogue, document).spent


@LAW
@given(games(most=6))
def test_what_a_small_games_caps_allow_a_larger_games_allow_too(game: Game) -> None:
    catalogue, document = game
    sizes = (3000, 4500, 8000) if catalogue.system.id == "t9a-2023" else (50, 100, 200)
    reports = (judge(catalogue, {**document, "limit": size}) for size in sizes)
    small, full, grand = (
        {found.key for found in report.findings if found.code in ("cap.over", "tiny.cap")}
        for report in reports
    )
    assert grand <= full <= small


@LAW
@given(games(most=6))
def test_one_of_a_kind_is_one_in_every_game(game: Game) -> None:
    catalogue, document = game
    told = []
    for limit in (50, 3000, 8000):
        report = judge(catalogue, {**document, "limit": limit})
        lone = [
            found for found in report.findings if found.code in ("one-of-a-kind.over", "tiny.lone")
        ]
        assert all(found.allowed == 1 for found in lone)
        told.append([(found.about.text, found.measured, found.units) for found in lone])
    assert told[0] == told[1] == told[2]


def shuffled(options: list[Any], random: Any) -> list[Any]:
    mixed = [
        {**entry, "options": shuffled(entry["options"], random)}
        if isinstance(entry, dict) and "options" in entry
        else entry
        for entry in options
    ]
    random.shuffle(mixed)
    return mixed


def settled(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, list) else value


def without_order(findings: tuple[Finding, ...]) -> list[Any]:
    """Findings as they are whatever order the units stand in."""
    return sorted(
        [
            (
                found.code,
                found.head.pointer,
                found.about.text,
                found.lineup,
                sorted(found.units),
                str(found.measured),
                str(found.allowed),
                sorted((key, str(settled(value))) for key, value in found.values.items()),
            )
            for found in findings
        ]
    )


@LAW
@given(every_game(), st.randoms())
def test_the_order_of_options_and_of_units_changes_no_finding_and_no_number(
    game: Game, random: Any
) -> None:
    catalogue, document = game
    units = shuffled(document["units"], random)
    before, after = judge(catalogue, document), judge(catalogue, {**document, "units": units})
    assert without_order(before.findings) == without_order(after.findings)
    for number in ("spent", "models", "faction", "lines", "legal"):
        assert getattr(before, number) == getattr(after, number), number


@LAW
@given(every_game())
def test_a_list_survives_writing_and_reading(game: Game) -> None:
    _, document = game
    assume(nesting(document) <= MAX_DEPTH)
    assert read_document(canonical_json(document)).to_dict() == document
    assert canonical(read_document(canonical_json(document))) == canonical(value_of(document))


@LAW
@given(every_game())
def test_every_finding_is_reported_once_and_names_units_of_the_list_each_once(game: Game) -> None:
    catalogue, document = game
    known = {entry["id"] for entry in document["units"]}
    findings = judge(catalogue, document).findings
    keys = Counter((*found.key, found.code, found.lineup) for found in findings)
    assert set(keys.values()) <= {1}
    for found in findings:
        assert set(found.units) <= known
        assert len(set(found.units)) == len(found.units)
        assert sentence(found)
        if catalogue.system.sized:
            assert not {"{", "}"} & set(sentence(found))


def options_of(nodes: tuple[OptionOffer | GroupOffer, ...]) -> Iterator[OptionOffer]:
    for node in nodes:
        if isinstance(node, OptionOffer):
            yield node
        yield from options_of(node.inner)


@LAW
@given(games())
def test_offers_show_all_that_is_taken_and_cost_it_as_the_verdict_does(game: Game) -> None:
    catalogue, document = game
    report = judge(catalogue, document)
    for line in report.full.lines:
        offered = offers(line, report)
        shown = {node.path: node for node in options_of(offered)}
        spent = sum(node.points * node.number for node in shown.values())
        assert spent == line.loadout.points
        assert {path for path, node in shown.items() if node.number and not node.given} >= {
            path
            for entry in document["units"]
            if entry["id"] == line.pick.id
            for path in paths(written(entry))
            if path in shown and not shown[path].given
        }


@FEW
@given(games(most=3))
def test_choices_keep_their_promise_in_armies_too(game: Game) -> None:
    catalogue, document = game
    before = judge(catalogue, document)
    had = {(*found.key, found.code) for found in before.findings}
    for choice in choices(make_roster(value_of(document), catalogue), catalogue):
        whole = {**new_entry(choice.unit).to_dict(), "id": "new"}
        after = judge(catalogue, {**document, "units": [*document["units"], whole]})
        now = {(*found.key, found.code) for found in after.findings}
        assert choice.points == after.spent - before.spent
        assert {code for *_, code in now - had} >= {found.code for found in choice.breaks}
        assert {found.key for found in choice.settles} == {key[:2] for key in had - now}


@FEW
@given(books(), st.data())
def test_a_unit_judged_alone_is_judged_alike_in_company(
    catalogue: Catalogue, data: st.DataObject
) -> None:
    """What a unit's own entry says of it does not depend on its neighbours."""
    unit = data.draw(st.sampled_from([catalogue.units[ref] for ref in sorted(catalogue.units)]))
    first, second = (data.draw(entries(unit)) for _ in range(2))

    def entry_findings(*units: Data) -> set[tuple[str, int | None]]:
        document = list_of(catalogue.system.id, ["book"], units, limit=100)
        own = ("group", "too", "unavailable", "allowance")
        return {
            (f"{found.code} {found.about.text}", found.measured)
            for found in judge(catalogue, document).findings
            if found.units == ("u1",) and found.code.startswith(tuple(f"tiny.{one}" for one in own))
        }

    assert entry_findings(first) == entry_findings(first, second)


# Whatever list it is, an answer offered for a finding settles it, or makes it smaller.


MANY = settings(LAW, max_examples=tries(120))


class Trial(BuilderPage):
    """The page of a document that is not stored, drawing from a catalogue made for it."""

    drawn: Catalogue

    @property
    def catalogue(self) -> Catalogue:
        return self.drawn


def page_of(document: Data, catalogue: Catalogue) -> Trial:
    page = Trial(Version(document=value_of(document)), LIBRARY)
    page.drawn = catalogue
    # A holder's own books would be asked of the database, a made-up book is in no library.
    page.__dict__["books_now"] = []
    units = catalogue.units
    page.__dict__["names"] = {one.id: entry_name(one, units) for one in page.document.units}
    return page


def pressed(page: Trial, answer: Remedy) -> Trial:
    """The page after an answer, as the act of its fields makes it."""
    act = decode(answer.fields)
    assert isinstance(act, ListAct)
    document = act.perform(page.document, page.catalogue).army_list
    assert read_document(canonical(document)) == document
    return page_of(document, page.catalogue)


def worst(page: Trial, finding: Finding) -> int:
    """How far the same finding is off on a page, in the line-ups it was told of; -1: it is gone."""
    same = [
        found.excess
        for found in page.report.findings
        if (found.code, found.key) == (finding.code, finding.key)
        and (finding.lineup in ("", found.lineup) or not found.lineup)
    ]
    return max(same, default=-1)


def answered(page: Trial) -> Iterator[tuple[Finding, Remedy]]:
    settling = FindingPresenter(page.subject, performed, tries=200)
    for finding in page.report.findings:
        answers = settling.answers(finding)
        assert len(answers) <= MOST
        assert len({answer.label for answer in answers}) == len(answers)
        for answer in answers:
            yield finding, answer


def check(page: Trial) -> None:
    before = canonical(page.document)
    for finding, answer in answered(page):
        event(finding.code)
        left = worst(pressed(page, answer), finding)
        assert left == -1 or left < finding.excess, (finding, answer, left)
    assert canonical(page.document) == before


@MANY
@given(every_game())
def test_an_answer_settles_its_finding_or_makes_it_smaller(game: tuple[Catalogue, Data]) -> None:
    catalogue, document = game
    check(page_of(document, catalogue))


@pytest.mark.slow
@MANY
@given(strange_lists())
def test_unknown_picks_can_be_left_out(document: Data) -> None:
    try:
        read = read_document(canonical_json(document))
        page = page_of(read, catalogue_of(read, LIBRARY))
        findings = page.report.findings
    except Refusal:
        assume(False)
    check(page)
    kinds = {found.code for found in findings if found.code.endswith(".unknown")}
    offered = {finding.code for finding, _ in answered(page)}
    assert kinds - offered <= {"book.unknown"}
