"""What the second reader makes of tiny books, one point of BattleScribe's language at a time.

Then of restrictions that stand in words: how each is read, and what it asks of a model.
"""

from xml.etree.ElementTree import Element

import pytest

from tests.second_reading.reader.books import GENERAL, Army, Book, read_army
from tests.second_reading.reader.judging import Verdict
from tests.second_reading.reader.parts import Profile
from tests.second_reading.tiny import (
    FORCE,
    Taken,
    book,
    category,
    change,
    each,
    either,
    entry,
    group,
    least_,
    link,
    models,
    most,
    profile,
    rule,
    size,
    unit,
    verdict,
    when,
)


def of_list(made: Book, text: str) -> Verdict:
    """What the source says of "Spears: Spear*20, Drum(Stick); Bows | 1500": units, what is taken on
    them and on that, how often, and the size of the game.
    """
    units, _, limit = text.partition(" | ")
    return verdict(made, *map(_unit, units.split("; ")), limit=int(limit or 4500))


def _unit(text: str) -> Taken:
    name, _, inner = text.partition(": ")
    return (name, 1, *map(_taken, inner.split(", ") if inner else ()))


def _taken(text: str) -> Taken:
    text, _, inner = text.removesuffix(")").partition("(")
    name, _, number = text.partition("*")
    return (name, int(number or 1), *map(_taken, inner.split("+") if inner else ()))


def priced(change_: Element, *others: Element, cost: float | None = 0) -> Book:
    """A book of Spears, who may have a drum with a price that changes."""
    drum = entry("Drum", change_, cost=cost)
    return book(unit("Spears", models("Spear", 10, 50), *others, drum))


#: By the claim: a book, and lists with the points of each unit.
PRICES: dict[str, tuple[Book, dict[str, list[float]]]] = {
    "a unit costs itself and all that is taken on it": (
        book(unit("Spears", models("Spear", 10, 50, 12), entry("Drum", cost=10), cost=-20)),
        {"Spears: Spear*20, Drum": [-20 + 240 + 10]}),
    "the price of a link replaces that of its target": (
        book(unit("Spears", link("Drum", cost=7), link("Horn")),
             shared=[entry("Drum", cost=10), entry("Horn", cost=5)]),
        {"Spears: Drum, Horn": [7 + 5]}),
    "a price for each model is paid for all of them": (
        priced(change("increment", "points", 2, each("model"))), {"Spears: Spear*20, Drum": [40]}),
    "every so many are whole": (
        priced(change("increment", "points", 1, each("model", 6))),
        {"Spears: Spear*20, Drum": [3]}),
    "every so many are begun": (
        priced(change("increment", "points", 1, each("model", 6, up=True))),
        {"Spears: Spear*20, Drum": [4]}),
    "changes are made in their order": (
        book(unit("Spears", entry("Drum", change("increment", "points", 3),
                                  change("set", "points", 5), change("decrement", "points", 1),
                                  cost=10))),
        {"Spears: Drum": [4]}),
    **{
        f"numbers are compared as the word says: {compare}": (
            priced(change("increment", "points", 1, when("Bow", compare)), entry("Bow")),
            {f"Spears: Drum, Bow*{n}": [float(n in fits)] for n in (1, 2)}
            | {"Spears: Drum": [float(0 in fits)]})
        for compare, fits in [("equalTo", [1]), ("atLeast", [1, 2]), ("atMost", [0, 1]),
                              ("lessThan", [0]), ("greaterThan", [2])]
    },
    "a condition looks at what is around it by its id or at the army": (
        book(unit("Lord", entry("Shield"), entry(
            "Bag",
            entry("Ring", change("increment", "points", 5, when("Shield", scope="Lord")), cost=0),
            entry("Gem", change("increment", "points", 7, when("Shield", scope="roster")),
                  cost=0)))),
        {"Lord: Bag(Ring+Gem); Lord: Shield": [7, 0], "Lord: Bag(Ring+Gem), Shield": [12]}),
    "a condition may ask for the size of the game and for the force": (
        book(unit(
            "Spears",
            change("increment", "points", 1, when("model", "atLeast", 8000, "roster", "limit")),
            change("increment", "points", 2, when("other", "instanceOf", 0, "force")),
            change("increment", "points", 4, when(FORCE, "instanceOf", 0, "force")), cost=10)),
        {"Spears | 8000": [15], "Spears | 7999": [14]}),
}  # fmt: skip


@pytest.mark.parametrize(("made", "lists"), PRICES.values(), ids=PRICES)
def test_a_unit_costs_what_the_file_says(made: Book, lists: dict[str, list[float]]) -> None:
    assert {text: list(of_list(made, text).points) for text in lists} == lists


BANNERS = group(
    "Banners", least_(1), change("set", "hidden", "false", when("Bearer")), entry("Green Banner"),
    hidden=True,
)  # fmt: skip
HIDDEN_DRUM = entry(
    "Drum", change("set", "hidden", "true", when("Bow"), either(when("Axe"), when("Sword")))
)
LEADERS = book(
    unit("Lord", link("general", name=GENERAL)),
    unit("Dictator", link("general", least_(1), name=GENERAL)),
    shared=[entry(GENERAL, most(1, "roster"), least_(1, "roster"), id_="general")],
)
LORD, DICTATOR = f"Lord: {GENERAL}", f"Dictator: {GENERAL}"
#: By the claim: a book, and lists with their faults.
FAULTS: dict[str, tuple[Book, dict[str, str]]] = {
    "a unit has as many models as its limits allow": (
        book(unit("Spears", models("Spear", 10, 50))),
        {"Spears: Spear*9": "limit Spear", "Spears: Spear*10": "", "Spears: Spear*50": "",
         "Spears: Spear*51": "limit Spear"}),
    "limits of a link and of its target both hold": (
        book(unit("Spears", link("Drum", most(3))), shared=[entry("Drum", most(2))]),
        {"Spears: Drum*2": "", "Spears: Drum*3": "limit Drum",
         "Spears: Drum*4": "limit Drum, limit Drum"}),
    "the limit of a link counts what is taken through it only": (
        book(unit("Spears", link("Drum", most(1, "roster"))), unit("Bows", link("Drum")),
             shared=[entry("Drum")]),
        {"Spears: Drum; Bows: Drum": "", "Spears: Drum; Spears: Drum": "cap Drum"}),
    "a group counts what stands in groups within it": (
        book(unit("Spears", group("Weapons", most(1), entry("Bow"),
                                  group("Blades", entry("Sword"), entry("Axe"))))),
        {"Spears: Sword": "", "Spears: Sword, Bow": "group Weapons"}),
    "a group does not count what is taken on what is in it": (
        book(unit("Spears", group("Weapons", most(1), entry("Bow", entry("Fire"))))),
        {"Spears: Bow(Fire)": ""}),
    "an allowance counts what is taken on the items too": (
        book(unit("Lord", group("Items", most(50, field="points"),
                                entry("Ring", entry("Gem", cost=20), cost=40)))),
        {"Lord: Ring": "", "Lord: Ring(Gem)": "allowance Items"}),
    "what one may have each of several may": (
        book(unit("Beasts", models("Beast", 2, 4, 0, entry("Horn", most(1))))),
        {"Beasts: Beast*3(Horn*3)": "", "Beasts: Beast*3(Horn*4)": "limit Horn"}),
    "what must be taken and is not is told": (
        book(unit("Spears", group("Weapons", least_(1), entry("Bow"), entry("Sword")))),
        {"Spears": "group Weapons", "Spears: Bow": ""}),
    "a limit below zero is none, and what is taken off leaves nothing at least": (
        book(unit("Spears", entry("Drum", most(-1, id_="drums")),
                  entry("Horn", most(1, id_="horns"), change("decrement", "horns", 2)))),
        {"Spears: Drum*9": "", "Spears: Horn": "limit Horn"}),
    "what is hidden may not be taken and nothing is asked of it": (
        book(unit("Spears", entry("Bearer"), BANNERS)),
        {"Spears": "", "Spears: Green Banner": "hidden Green Banner",
         "Spears: Bearer": "group Banners", "Spears: Bearer, Green Banner": ""}),
    "all conditions must hold, or one of those of which one is enough": (
        book(unit("Spears", entry("Bow"), entry("Axe"), entry("Sword"), HIDDEN_DRUM)),
        {"Spears: Drum, Bow": "", "Spears: Drum, Axe": "",
         "Spears: Drum, Bow, Sword": "hidden Drum"}),
    "of no conditions none holds where one is enough": (
        book(unit("Spears", entry("Drum", change("set", "hidden", "true", either())))),
        {"Spears: Drum": ""}),
    "a cap counts the whole army at any depth": (
        book(unit("Lord", entry("Bag", entry("Ring", most(1, "roster"))))),
        {"Lord: Bag(Ring)": "", "Lord: Bag(Ring); Lord: Bag(Ring)": "cap Ring"}),
    "a limit of a unit in its parent is one of the army": (
        book(unit("Wolves", most(1))), {"Wolves; Wolves": "cap Wolves"}),
    "a cap in points counts what is paid in all units": (
        book(unit("Spears", entry("Bow", most(50, "roster", "points"), cost=30))),
        {"Spears: Bow": "", "Spears: Bow; Spears: Bow": "cap Bow"}),
    "what the army must have is told where it is missing": (
        book(unit("Species", least_(1, "roster")), unit("Spears")),
        {"Spears": "cap Species", "Species": ""}),
    "a category may be bound in numbers": (
        book(unit("Bird", category("Wings")), asks=[category("Wings", most(1, "roster"))]),
        {"Bird": "", "Bird; Bird": "category Wings"}),
    "an army has one general": (
        LEADERS, {"Lord": f"general {GENERAL}", LORD: "", f"{LORD}; {LORD}": f"general {GENERAL}"}),
    "who must be the general is told beside another": (
        LEADERS, {f"{LORD}; Dictator": f"general {GENERAL}", f"Lord; {DICTATOR}": ""}),
}  # fmt: skip


@pytest.mark.parametrize(("made", "lists"), FAULTS.values(), ids=FAULTS)
def test_the_file_forbids_what_it_says(made: Book, lists: dict[str, str]) -> None:
    told = {
        text: ", ".join(f"{one.kind} {one.name}" for one in of_list(made, text).faults)
        for text in lists
    }
    assert told == lists


def test_a_unit_that_asks_its_parent_asks_itself() -> None:
    joins = change("add", "category", "Wings", when("Bow"))
    asks = [category("Wings", most(1))]
    made = book(unit("Spears", joins, entry("Bow"), cost=100), asks=asks)
    assert of_list(made, "Spears: Bow; Spears").categories == {"Wings": 100}


def test_a_cap_tells_what_is_set_and_what_is_taken_off() -> None:
    pack = unit(
        "Wolves", most(4, "roster", id_="wolves"),
        change("set", "wolves", 8, when("model", "atLeast", 8000, "roster", "limit")),
        change("decrement", "wolves", 1, each("Pups", scope="roster")),
    )  # fmt: skip
    made = book(pack, unit("Pups"))
    (small,) = of_list(made, "Wolves; Pups; Pups").caps
    (large,) = of_list(made, "Wolves; Pups | 8000").caps
    assert (small.allowed, small.whole, small.used, small.sized) == (2, 4, -2, False)
    assert (large.allowed, large.whole, large.used, large.sized) == (7, 8, -1, True)


def test_a_category_has_its_share_of_the_game_size_a_unit_whole_and_nothing_twice() -> None:
    heron = entry("Heron", category("Wings"), entry("Claws", category("Wings"), cost=5), cost=95)
    asks = [category("Characters", least_(25, "roster", "limit"))]
    asks.append(category("Wings", most(25, "roster", "limit")))
    made = book(unit("Lord", category("Characters", primary=True), heron, cost=150), asks=asks)
    found = {limit: of_list(made, f"Lord: Heron(Claws) | {limit}") for limit in (399, 400, 1001)}
    assert found[400].categories == {"Characters": 250, "Wings": 100}
    assert {limit: [one.name for one in said.faults] for limit, said in found.items()} == {
        399: ["Wings"], 400: [], 1001: ["Characters"],
    }  # fmt: skip


def read(made: Book, *units: str) -> Army:
    roster = f"""<roster xmlns="roster">
      <costLimits><costLimit value="1500.0"/></costLimits>
      <forces><force entryId="{FORCE}" catalogueId="book-id" catalogueName="{made.name}">
        <selections>{"".join(units)}</selections>
      </force></forces>
    </roster>"""
    return read_army(roster.encode(), {made.key: made})


def chosen(entry_id: str, *inner: str, number: int = 1, **more: str) -> str:
    told = " ".join(f'{key}="{value}"' for key, value in more.items())
    name = entry_id.rpartition("::")[2]
    return f"""<selection entryId="{entry_id}" number="{number}" name="{name}" {told}>
      <selections>{"".join(inner)}</selections></selection>"""


def test_a_roster_is_read_by_its_ids_and_what_is_not_in_the_book_is_named() -> None:
    music = group("Music", link("Drum", id_="l"))
    made = book(unit("Spears", models("Spear", 1, 9), music), shared=[entry("Drum", cost=3)])
    drums = [chosen("l::Drum", entryGroupId=place) for place in ("Music", "Noise")]
    found = read(made, chosen("Spears", chosen("Spear", number=4), *drums))
    assert found.limit == 1500
    there = [(one.name, one.number) for one in found.walk()]
    assert there == [("Spears", 1), ("Spear", 4), ("Drum", 1)]
    assert found.strangers == ("Drum l::Drum",)


def test_the_mark_of_the_general_brings_with_it_what_it_must_have() -> None:
    crown = entry("Crown", least_(1), most(1))
    made = book(unit("Lord", entry(GENERAL, crown, entry("Owl"))))
    found = read(made, chosen("Lord", chosen(GENERAL)), chosen("Lord"))
    assert [one.name for one in found.walk()] == ["Lord", GENERAL, "Crown", "Lord"]


STANDARD = "Battle Standard Bearer"
#: What a Lord may have besides the item.
HORSE = entry("Grey Horse", size("Standard", "Cavalry"), rule("Harnessed"))
DRAGON = entry("Dragon", size("Gigantic", "Beast"))
CHARIOT = entry("Chariot", size("Large", "Construct"), rule("Towering Presence"))
UNKNOWN = entry("Strange Steed")


def lord(*inner: Element, name: str = "Lord") -> Element:
    """A character on foot with a stat line, and mounts to choose from."""
    mounts = group("Mount", HORSE, DRAGON, CHARIOT, UNKNOWN)
    path = group("Magic Path", entry("Divination"))
    wizards = group("Wizard Level", entry("Wizard Adept"), entry("Wizard Master"))
    others = (entry(STANDARD), entry(GENERAL), entry("Ambush"), entry("Cult of Owls"))
    return unit(name, size("Standard"), mounts, path, wizards, *others, *inner)


def answers(item: Element, *taken: str, of: Element | None = None) -> list[str]:
    """What the source says of a model with the item and what else is taken."""
    root = of if of is not None else lord(item)
    bearer = root.get("name", "")
    others = {"Mage", "Silent Assassin", "Druid"} - {bearer}
    made = book(root, *map(unit, sorted(others)))
    options = [(one,) for one in (item.get("name", ""), *taken)]
    faults = verdict(made, (bearer, 1, *options)).faults
    return [one.answer for one in faults if one.kind == "named"]


BROKEN, OPEN = ["broken"], ["cannot be told"]


@pytest.mark.parametrize(
    ("phrase", "taken", "answer"),
    [
        ("only on Standard", (), []),
        ("only on Standard", ("Grey Horse",), []),
        ("only on Standard", ("Chariot",), BROKEN),
        ("only on Standard", ("Strange Steed",), OPEN),
        ("only on Standard and Large", ("Chariot",), []),
        ("only on Standard and Large", ("Dragon",), BROKEN),
        ("only on Foot", (), []),
        ("on Foot only", ("Strange Steed",), BROKEN),
        ("only on Standard and Foot", ("Grey Horse",), BROKEN),
        ("Cavalry only", ("Grey Horse",), []),
        ("Cavalry only", (), BROKEN),
        ("only on Horse", ("Grey Horse",), []),
        ("only on Horse", ("Dragon",), BROKEN),
        ("not on Towering Presence", ("Grey Horse",), []),
        ("not on Towering Presence", ("Dragon",), BROKEN),
        ("not on Towering Presence", ("Chariot",), BROKEN),
        ("not on Towering Presence", ("Strange Steed",), OPEN),
        ("Cannot be taken by Gigantic", ("Chariot",), []),
        ("Cannot be taken by Gigantic", ("Dragon",), BROKEN),
        ("only on Wizard", (), BROKEN),
        ("only on Wizards", ("Wizard Adept",), []),
        ("not on Wizards", (), []),
        ("not on Wizards", ("Divination",), BROKEN),
        ("not on Wizard Master", ("Wizard Adept",), []),
        ("not on Wizard Master", ("Wizard Master",), BROKEN),
        ("not with Not A Leader", (), []),
        ("not with Not A Leader", (STANDARD,), BROKEN),
        ("only on General/BSB", (), BROKEN),
        ("General/BSB only", (GENERAL,), []),
        ("not on Ambush", (), []),
        ("not on Ambush", ("Ambush",), BROKEN),
        ("models with Cult of Owls only", ("Cult of Owls",), []),
        ("models with Cult of Owls only", (), BROKEN),
        ("Cannot be taken by models with Cult of Owls", ("Cult of Owls",), BROKEN),
        ("not on Horror, Dragon, Court", ("Dragon",), BROKEN),
        ("not on Horror, Dragon, Court", ("Chariot",), []),
        ("Assassins only", (), BROKEN),
        ("Cannot be taken by Druids", (), []),
        ("Only BSB, Druid", (STANDARD,), []),
        ("Only BSB, Druid", (), BROKEN),
        ("only under a full moon", (), OPEN),
    ],
)  # fmt: skip
def test_a_wording_asks_what_it_says(
    phrase: str, taken: tuple[str, ...], answer: list[str]
) -> None:
    assert answers(entry(f"Ring ({phrase})"), *taken) == answer


@pytest.mark.parametrize(("name", "answer"), [("Mage", []), ("Silent Assassin", BROKEN)])
def test_a_wording_may_name_units_in_the_plural(name: str, answer: list[str]) -> None:
    ring = entry("Ring - Standard size Mages only")
    assert answers(ring, of=lord(ring, name=name)) == answer


def test_a_wording_may_name_a_part_of_a_unit_by_its_stat_line() -> None:
    ring = entry("Ring (Shrine Priests only)")
    shrine = unit("Shrine", profile("3 Offensive", "Shrine Priest Offensive", Agi="3"), ring)
    assert answers(ring, of=shrine) == []


def test_names_that_are_no_units_of_the_book_leave_it_open() -> None:
    assert answers(entry("Ring (Shrine Priests only)")) == OPEN


def test_a_unit_without_a_stat_line_leaves_its_height_open_but_not_that_it_is_on_foot() -> None:
    small, low = entry("Ring (only on Standard)"), entry("Boots (only on Foot)")
    assert answers(small, of=unit("Stranger", small)) == OPEN
    assert answers(low, of=unit("Stranger", low)) == []


RIDERS = unit(
    "Reed Riders", size("Large", "Cavalry"),
    profile("3 Offensive", "Strange Steed Offensive", Rules="Harnessed"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("phrase", "riders", "answer"),
    [
        ("only on Standard", (), OPEN),
        ("only on Standard", (RIDERS,), BROKEN),
        ("only on Standard", (unit("Strange Steed", size("Standard")),), []),
        ("only on Standard", (RIDERS, unit("Strange Steed", size("Standard"))), OPEN),
        ("not on Towering Presence", (RIDERS,), []),
        ("Cavalry only", (RIDERS,), []),
    ],
)
def test_what_rides_on_a_mount_or_is_called_so_tells_what_it_is(
    phrase: str, riders: tuple[Element, ...], answer: list[str]
) -> None:
    ring = entry(f"Ring ({phrase})")
    faults = verdict(
        book(lord(ring), *riders), ("Lord", 1, (f"Ring ({phrase})",), ("Strange Steed",))
    ).faults
    assert [one.answer for one in faults if one.kind == "named"] == answer


@pytest.mark.parametrize(
    ("assassin", "answer"),
    [(unit("Silent Assassin"), []), (unit("Silent Assassin", link("ring")), OPEN)],
)
def test_an_outdated_name_in_a_restriction_belongs_to_another_unit(
    assassin: Element, answer: list[str]
) -> None:
    name = "Elixir - Assassins only"
    root = lord(group("Items", link("ring", name=name)))
    made = book(root, assassin, shared=[entry("Ring", id_="ring")])
    faults = verdict(made, ("Lord", 1, (name,))).faults
    assert [one.answer for one in faults if one.kind == "named"] == answer


def test_a_unit_that_can_be_marked_as_general_can_lead() -> None:
    crown = entry("Crown (not with Not A Leader)")
    assert answers(crown, of=unit("Stranger", crown)) == OPEN
    assert answers(crown, of=unit("Stranger", crown, entry(GENERAL))) == []


@pytest.mark.parametrize(
    ("text", "phrase", "answer"),
    [
        ("The model is a Wizard Adept that likes owls.", "only on Wizard", []),
        ("The model gains Owls and Wizard Adept.", "only on Wizard", []),
        ("The model gains Owls. It fears a Wizard Master.", "only on Wizard", BROKEN),
        ("The model becomes the Battle Standard Bearer.", "not with Not A Leader", BROKEN),
        ("The bearer loses Not a Leader and must lead.", "not with Not A Leader", []),
    ],
)
def test_an_option_s_own_rule_may_make_the_model_something(
    text: str, phrase: str, answer: list[str]
) -> None:
    crown, owl = entry(f"Crown ({phrase})"), entry("Owl", rule("Owl", text))
    assert answers(crown, "Owl", of=lord(crown, owl)) == answer


def test_a_unit_can_lose_not_a_leader() -> None:
    crown, owl = (
        entry("Crown (not with Not A Leader)"),
        entry("Owl", rule("Owl", "It loses Not a Leader.")),
    )
    loner = lord(crown, owl, rule("Not a Leader"))
    assert answers(crown, of=loner) == BROKEN
    assert answers(crown, "Owl", of=loner) == []


def test_rules_may_stand_in_the_stat_line_only() -> None:
    crown = entry("Crown (not on Towering Presence)")
    tall = profile("1 Global", "Tower Global", Rules="Fear, Towering Presence")
    assert answers(crown, of=lord(crown, tall)) == BROKEN


@pytest.mark.parametrize(
    ("name", "answer"),
    [("Ring - Models on foot only", BROKEN), ("Old Ring - Models on foot only", OPEN)],
)
def test_a_link_restricts_its_target_if_it_bears_its_name(name: str, answer: list[str]) -> None:
    root = lord(group("Items", link("ring", name=name)))
    made = book(root, shared=[entry("Ring", id_="ring")])
    faults = verdict(made, ("Lord", 1, (name,), ("Grey Horse",))).faults
    assert [one.answer for one in faults if one.kind == "named"] == answer


def test_a_group_that_excludes_an_option_excludes_it() -> None:
    items = group("Artefacts (No Gem)", entry("Gem"), entry("Ring"))
    made = book(unit("Lord", items))
    told = [one.name for one in verdict(made, ("Lord", 1, ("Gem",), ("Ring",))).faults]
    assert told == ["Gem"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Plate Armour enchantment. Models on Foot Only", BROKEN),
        ("Cannot be taken by Gigantic Models. Suit of Armour enchantment.", []),
        ("One use only", []),
        ("Shield enchantment", []),
        ("Assassins only.", BROKEN),
    ],
)
def test_an_item_s_text_restricts_where_its_name_does_not(text: str, answer: list[str]) -> None:
    seal = entry("Seal", profile("7 Artefact", "Seal", Type=text))
    assert answers(seal, "Grey Horse") == answer


def test_what_stands_in_the_name_and_in_the_text_is_reported_once() -> None:
    text = profile("7 Artefact", "Seal", Type="Models on Foot Only")
    assert answers(entry("Seal (only on Foot)", text), "Grey Horse") == BROKEN


def test_a_rule_of_an_option_s_own_restricts_too() -> None:
    wings = entry("Wings", rule("Wings", "The model gains Fly. Models on foot only."))
    assert answers(wings, "Grey Horse") == BROKEN


@pytest.mark.parametrize(("category_", "answer"), [("Core", BROKEN), ("Wings", [])])
def test_a_text_may_ask_for_the_category_of_the_unit(category_: str, answer: list[str]) -> None:
    banner = entry("Banner", profile("7 Artefact", "Banner", Type="Cannot be taken by Core units"))
    made = book(unit("Spears", category(category_, primary=True), banner))
    assert [one.answer for one in verdict(made, ("Spears", 1, ("Banner",))).faults] == answer


def test_profile_cells_are_read_unchanged() -> None:
    (place,) = book(unit("Lord", size("Large", "Beast"))).units.values()
    assert place.what.profiles == (Profile("0 Size", "Size", {"Height": "Large", "Type": "Beast"}),)
