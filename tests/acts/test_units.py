"""Acts on units: sizes and their bounds, one model split off, options that take others' places."""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from armybuilder.acts.base import ListAct, decode, fields_of
from armybuilder.acts.units import MostModels, StepModels
from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.offers import offers
from armybuilder.lists.models import Version
from armybuilder.loading.armylist import ArmyList, ListOption
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import Library, make_catalogue, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.options import GroupView, OptionView, option_parts
from armybuilder.pages.builder.page import BuilderPage
from tests.building import documents
from tests.building.documents import list_of, value_of
from tests.building.regiments import ENTRY, army, field, group, option, taken, unit
from tests.building.tiny import Data, book_data, rule
from tests.conftest import Builder
from tests.golden.adapter import checked_book

#: Citizen Spears: 20 to 50 models.
LOW, HIGH = 20, 50


def resized(act: str, models: int) -> int:
    """How many Citizen Spears there are after an act, of so many before."""
    document = value_of(documents.army())
    catalogue = catalogue_of(document, shipped_library())
    ref = "highborn-elves/citizen-spears"
    spears = next(entry.id for entry in document.units if entry.ref == ref)
    document = unit_edits.set_models(document, spears, models)
    sized = decode(fields_of({"act": act, "unit": spears}))
    assert isinstance(sized, StepModels | MostModels)
    done = sized.perform(document, catalogue)
    return unit_edits.find(done.army_list, spears).models


def test_steps_end_at_the_sizes_of_the_book() -> None:
    for act, before, then in (
        ("step:5", LOW, LOW + 5),
        ("step:-5", LOW + 7, LOW + 2),
        ("step:-5", LOW + 2, LOW),
        ("step:5", HIGH - 2, HIGH),
        ("step:5", 3, LOW),
        ("step:-5", HIGH + 20, HIGH),
        ("most", LOW, HIGH),
    ):
        assert resized(act, before) == then, (act, before)


def test_steps_out_of_the_book_are_refused() -> None:
    for act, models, why in (
        ("step:5", HIGH, "at most 50 models"),
        ("most", HIGH, "at most 50 models"),
        ("step:-5", LOW, "at least 20 models"),
        ("step:many", LOW, "must be a whole number"),
    ):
        with pytest.raises(Refusal, match=why):
            resized(act, models)


CATALOGUE = shipped_library().catalogue("chainmail-2002", ["practice"])
RECRUIT = "practice/gatehouse-recruit"


def list_with(models: int, roles: list[str]) -> ArmyList:
    unit = {"unit": RECRUIT, "models": models, "roles": roles}
    return value_of(list_of("chainmail-2002", ["practice"], [unit], limit=100))


def split(army_list: ArmyList) -> list[tuple[int, tuple[str, ...]]]:
    act = decode(fields_of({"act": "role-one:reserve", "unit": "u1"}))
    assert isinstance(act, ListAct)
    done = act.perform(army_list, CATALOGUE)
    assert done.said == "One Gatehouse Recruit: reserve."
    assert done.entry == "u2"
    return [(entry.models, entry.roles) for entry in done.army_list.units]


def test_putting_one_of_several_in_reserve_splits_the_line() -> None:
    for roles in ([], ["reserve"]):
        assert split(list_with(3, roles)) == [(2, ()), (1, ("reserve",))]
    with pytest.raises(Refusal, match="nothing to split"):
        split(list_with(1, []))


SLOT = rule(
    "per-unit", "tiny.slot", id="slot", of={"item": "weapon-enchantment"}, max=1, what="blades"
)
TWO = rule("per-unit", "tiny.two", id="two", of={"item": "artefact"}, max=2, what="artefacts")
LORDLY = rule(
    "per-unit", "tiny.lordly", id="lordly", of={"item": "dominant"}, max=1, what="lordly things"
)
RULES = (*ENTRY, SLOT, TWO, LORDLY)


def blade(option_id: str, **more: Any) -> Data:
    return option(option_id, 5, item="weapon-enchantment", **more)


def charm(option_id: str, **more: Any) -> Data:
    return option(option_id, 5, item="artefact", **more)


LORD = unit(
    "lord",
    50,
    group("blades", blade("red"), blade("blue")),
    group("old-blades", blade("black"), blade("white", dominant=True)),
    group("charms", charm("ring"), charm("cup", dominant=True), charm("orb", dominant=True)),
    group("mounts", option("horse", 10, option("barding", 4)), option("wolf", 8), choose=[0, 1]),
    group("coats", option("fur"), option("mail", 15), choose=[1, 1]),
    option("squire", 0, group("his", blade("dirk")), option("flag", 2)),
)


def listed(catalogue: Catalogue, *options: Any) -> ArmyList:
    """A list of one lord with these options."""
    document = unit_edits.new_document(catalogue, "x", 500)
    return value_of({**document.to_dict(), "units": [{"id": "u1", **field("lord", *options)}]})


def paths(options: Iterable[ListOption], above: str = "") -> list[str]:
    found = []
    for entry in options:
        here = above + entry.id
        found += [here, *paths(entry.options, f"{here}/")]
    return sorted(found)


def after(
    path: str, *options: Any, lord: Data = LORD, rules: tuple[Data, ...] = RULES
) -> list[str]:
    """What is taken once `path` was pressed on a lord with these options."""
    catalogue = army(lord, rules=rules)
    document = option_edits.switch_option(listed(catalogue, *options), catalogue, "u1", path)
    return paths(document.units[0].options)


ARMS = group(
    "arms", option("axe"), option("bow"), choose=[0, 1],
    when=[{"if": {"taken": "page"}, "set": {"max": 2}}],
)  # fmt: skip
MOVES = {"number": 1, "when": [{"if": {"taken": "wolf"}, "set": {"number": 2}}]}
SWORN = group("sworn", blade("oath"), option("vow", 3), choose=[1, 1], default="vow")
BLADES = group("blades", blade("red"), blade("blue"))
#: What is pressed, what the lord has, what there is then, and another lord or other rules.
SWAPS: dict[str, tuple[str, tuple[Any, ...], list[str], dict[str, Any]]] = {
    "of a slot that two groups share the former goes": (
        "black", ("fur", "red"), ["black", "fur"], {},
    ),
    "of a group of one the former goes with what is taken on it": (
        "wolf", ("fur", taken("horse", "barding")), ["fur", "wolf"], {},
    ),
    "where two may be taken the second stays": (
        "cup", ("fur", "ring"), ["cup", "fur", "ring"], {},
    ),
    "an option of two slots takes the place of both": (
        "white", ("cup", "fur", "red", "ring"), ["fur", "ring", "white"], {},
    ),
    "a slot reaches over what is taken on an option": (
        "red", ("fur", taken("squire", "dirk", "flag")),
        ["fur", "red", "squire", "squire/flag"], {},
    ),
    "and from there": (
        "squire/dirk", ("fur", "red", "squire"), ["fur", "squire", "squire/dirk"], {},
    ),
    "a unit that may have two keeps both": (
        "black", ("red",), ["black", "red"],
        {"lord": {**LORD, "item_limits": {"weapon-enchantment": 2}}},
    ),
    "a rule that moves is asked as the unit would stand: two": (
        "black", ("red", "wolf"), ["black", "red", "wolf"],
        {"rules": (*ENTRY, {**SLOT, "max": MOVES})},
    ),
    "a rule that moves is asked as the unit would stand: one": (
        "black", ("horse", "red"), ["black", "horse"],
        {"rules": (*ENTRY, {**SLOT, "max": MOVES})},
    ),
    "a group that moves is asked as the unit would stand: one": (
        "bow", ("axe",), ["bow"], {"lord": unit("lord", 50, ARMS, option("page", 2))},
    ),
    "a group that moves is asked as the unit would stand: two": (
        "bow", ("axe", "page"), ["axe", "bow", "page"],
        {"lord": unit("lord", 50, ARMS, option("page", 2))},
    ),
    "what is given stays and nothing is left in vain": (
        "blue", ("red",), ["blue", "red"],
        {"lord": unit(
            "lord", 50, group("heirloom", blade("heirloom-blade", number=[1, 1])), BLADES
        )},
    ),
    "what another group must have stays": (
        "red", ("oath",), ["oath", "red"], {"lord": unit("lord", 50, SWORN, BLADES)},
    ),
    "pressing what is held leaves only that": (
        "red", ("fur", "red", "black"), ["black", "fur"], {},
    ),
}  # fmt: skip


def test_a_new_option_replaces_the_one_it_excludes() -> None:
    for name, (path, held, then, more) in SWAPS.items():
        assert after(path, *held, **more) == then, name
    catalogue = army(LORD, rules=RULES)
    swapped = option_edits.switch_option(listed(catalogue, "fur", "red"), catalogue, "u1", "black")
    report = validate(make_roster(swapped, catalogue), catalogue)
    assert [finding.code for finding in report.findings] == []


def test_setting_the_number_of_a_new_option_replaces_others_too() -> None:
    catalogue = army(LORD, rules=RULES)
    document = listed(catalogue, "fur", "red")
    swapped = option_edits.set_number(document, catalogue, "u1", "black", 1)
    assert paths(swapped.units[0].options) == ["black", "fur"]


def test_a_group_on_an_option_is_emptied_there_only() -> None:
    twice = group("arms", option("axe"), option("bow"), choose=[0, 1])
    lord = unit("lord", 50, option("left", 1, {"use": "arms"}), option("right", 1, {"use": "arms"}))
    catalogue = army(lord, rules=RULES, shared=[twice])
    document = listed(catalogue, taken("left", "axe"), taken("right", "bow"))
    emptied = option_edits.empty_group(document, catalogue, "u1", "left/arms")
    assert paths(emptied.units[0].options) == ["left", "right", "right/bow"]


def test_a_group_is_emptied_or_says_why_not() -> None:
    catalogue = army(LORD, rules=RULES)
    document = listed(catalogue, "fur", "red", taken("horse", "barding"))
    emptied = option_edits.empty_group(document, catalogue, "u1", "mounts")
    assert paths(emptied.units[0].options) == ["fur", "red"]
    for path, why in (
        ("coats", "Coats: one must be taken"),
        ("boats", "no group “boats”"),
        ("", "no group"),
    ):
        with pytest.raises(Refusal, match=re.escape(why)):
            option_edits.empty_group(listed(catalogue, "fur"), catalogue, "u1", path)


def drawn(*options: Any, lord: Data = LORD) -> dict[str, Any]:
    """The options of a lord as its editor draws them, by path; "None" by its group's, with "!"."""
    catalogue = army(lord, rules=RULES)
    report = validate(make_roster(listed(catalogue, *options), catalogue), catalogue)
    line = report.line("u1")
    assert line is not None
    found: dict[str, Any] = {}

    def walk(group: GroupView | OptionView) -> None:
        for one in (*group.parts, *getattr(group, "off", ())):
            found[one.path + ("!" if one.name == "None" else "")] = one
            walk(one)

    walk(option_parts(offers(line, report), line, catalogue.system)[1])
    return found


def test_a_choice_of_one_has_round_buttons_and_none_if_allowed() -> None:
    shown, red = drawn("fur"), drawn("fur", "red")
    assert {path for path in shown if path.endswith("!")} == {"blades!", "old-blades!", "mounts!"}
    assert {shown[path].kind for path in ("red", "black", "wolf", "fur")} == {"one"}
    assert {shown[path].kind for path in ("ring", "cup", "squire")} == {"any"}
    # None is held until something is, and then leaves it.
    assert (shown["blades!"].state, red["blades!"].state) == ("fixed", "")
    assert 'value="no-option:blades"' in red["blades!"].button
    assert "no-option" not in shown["blades!"].button
    assert 'aria-pressed="true"' in shown["blades!"].button
    # What is chosen of one is left only for another or none.
    assert (red["red"].state, red["fur"].state) == ("fixed", "fixed")
    assert "option:red" not in red["red"].button
    assert "option:blue" in red["blue"].button
    both = drawn("fur", "red", "blue")
    assert (both["red"].state, both["blue"].state) == ("held", "held")
    # A shared slot is told with its groups and what another would replace.
    rules = [shown["blades"].rule, shown["old-blades"].rule, red["blades"].rule]
    assert rules == ["max 1 in total"] * 3
    assert red["old-blades"].rule == "max 1 in total, replaces Red"
    assert red["mounts"].rule == "max 1"


def test_a_choice_of_one_thing_or_nothing_stays_a_tick_box_that_says_what_it_replaces() -> None:
    shown = drawn("fur", taken("squire", "dirk"))
    assert (shown["squire/dirk"].kind, shown["squire/dirk"].state) == ("any", "held")
    assert "squire/his!" not in shown
    shown = drawn("fur", "cup")
    assert shown["orb"].note == shown["white"].note == "replaces Cup"
    assert shown["ring"].note == shown["cup"].note == ""


def test_the_last_of_a_group_that_must_not_stay_empty_cannot_be_left() -> None:
    some = group("kit", option("rope", 1, number=[0, 3]), option("lamp", 1), choose=[1, 2])
    shown = drawn("rope", lord=unit("lord", 50, some))
    assert (shown["rope"].state, shown["rope"].fewer, shown["rope"].several) == ("fixed", "", True)
    both = drawn("rope", "lamp", lord=unit("lord", 50, some))
    assert (both["lamp"].state, both["rope"].fewer) == ("held", "0")


@pytest.fixture
def prince(elves: Builder) -> Builder:
    elves.act("add", ref="highborn-elves/high-prince")
    return elves


def options(builder: Builder) -> list[str]:
    return paths(builder.version.document.units[0].options)


def test_a_second_weapon_enchantment_replaces_the_first(prince: Builder) -> None:
    bare = options(prince)
    prince.act("option:king-slayer", unit="u1")
    before = options(prince)
    prince.act("option:nova-flare", unit="u1")
    assert prince.version.act == "High Prince: Nova Flare instead of King Slayer."
    assert set(options(prince)) == {*before, "nova-flare"} - {"king-slayer"}
    prince.act("undo")
    assert options(prince) == before
    # None of a group is an act of its own; where nothing is left, it makes no version.
    prince.act("no-option:weapon-enchantments", unit="u1")
    assert prince.version.act == "High Prince: removed King Slayer."
    number = prince.version.number
    prince.act("no-option:mount", unit="u1")
    assert prince.version.number == number
    assert prince.act("no-option:armour", unit="u1").status_code == 422
    assert options(prince) == bare


def test_a_replacement_by_htmx_says_what_was_removed(prince: Builder) -> None:
    prince.act("option:king-slayer", unit="u1")
    fields = {"version": prince.version.pk, "act": "option:nova-flare", "unit": "u1"}
    answer = prince.client.post(f"{prince.url}act/?open=u1", fields, headers={"HX-Request": "true"})
    html = answer.text
    assert "High Prince: Nova Flare instead of King Slayer." in html
    assert re.search(r'id="option-u1-nova-flare"[^>]*aria-pressed="true"', html)
    assert re.search(r'id="option-u1-king-slayer"[^>]*aria-pressed="false"', html)


# Edits as pure functions, without a database: options, and that documents are never changed.


RIDER = {
    "id": "rider", "name": "Rider", "points": 10,
    "attributes": {"faction": "thalos", "alignment": "good"},
    "options": [
        {"id": "horse", "name": "Horse", "points_per_model": 5,
         "options": [{"id": "barding", "name": "Barding", "points": 3}]},
        {"id": "lance", "name": "Lance", "points": 2},
    ],
}  # fmt: skip


@pytest.fixture
def catalogue() -> Catalogue:
    system = shipped_library().system("chainmail-2002")
    data = book_data(RIDER, id="riders", system=system.id, name="Riders")
    return make_catalogue(system, [checked_book(data, system)])


@pytest.fixture
def riders(catalogue: Catalogue) -> ArmyList:
    started = unit_edits.new_document(catalogue, "Riders", 100)
    return unit_edits.add_unit(started, catalogue, "riders/rider")[0]


def spent(document: ArmyList, catalogue: Catalogue) -> int:
    return validate(make_roster(document, catalogue), catalogue).spent


def test_options_are_taken_priced_and_left(riders: ArmyList, catalogue: Catalogue) -> None:
    mounted = option_edits.switch_option(riders, catalogue, "u1", "horse")
    barded = option_edits.switch_option(mounted, catalogue, "u1", "horse/barding")
    two = unit_edits.set_models(barded, "u1", 2)
    prices = [spent(one, catalogue) for one in (riders, mounted, barded, two)]
    assert prices == [10, 15, 18, 36]  # each of two models pays for what it has
    # A reserve model pays half of its cost with options.
    assert spent(unit_edits.switch_role(mounted, catalogue, "u1", "reserve"), catalogue) == 8
    # Leaving an option leaves what is taken on it.
    assert option_edits.switch_option(barded, catalogue, "u1", "horse") == riders


def test_unknown_options_and_those_inside_others_are_refused(
    riders: ArmyList, catalogue: Catalogue
) -> None:
    for path in ("boat", "horse/saddle", "horse/barding/gold", ""):
        with pytest.raises(Refusal, match="no option"):
            option_edits.switch_option(riders, catalogue, "u1", path)
    with pytest.raises(Refusal, match="belongs to first"):
        option_edits.switch_option(riders, catalogue, "u1", "horse/barding")


def test_the_page_offers_inner_options_once_the_outer_one_is_taken(
    riders: ArmyList, catalogue: Catalogue
) -> None:
    system = catalogue.system
    library = Library({system.id: system}, {system.id: {"riders": catalogue.books[0]}})

    def offered(shown: ArmyList) -> list[tuple[str, str]]:
        unit = BuilderPage(Version(document=shown), library, "u1").unit
        assert unit is not None
        assert unit["editor"] is not None
        assert unit["editor"].options is not None
        options = [part for part in unit["editor"].options.parts if isinstance(part, OptionView)]
        options += [one for part in options for one in part.parts if isinstance(one, OptionView)]
        return [(option.name, option.price) for option in options]

    assert offered(riders) == [("Horse", "+5"), ("Lance", "+2")]
    mounted = option_edits.switch_option(riders, catalogue, "u1", "horse")
    assert ("Barding", "+3") in offered(mounted)


def test_edits_leave_the_document_they_are_given_as_it_was(
    riders: ArmyList, catalogue: Catalogue
) -> None:
    before = riders.to_dict()
    option_edits.switch_option(riders, catalogue, "u1", "lance")
    unit_edits.switch_role(riders, catalogue, "u1", "reserve")
    unit_edits.set_models(riders, "u1", 5)
    unit_edits.rename_unit(riders, "u1", "x")
    unit_edits.duplicate(riders, catalogue, "u1")
    unit_edits.add_piece(riders, catalogue, "terrain", "hill")
    assert riders.to_dict() == before
