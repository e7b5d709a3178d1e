"""Armies of units in the builder: one unit open at a time, its size, options and General."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from armybuilder.loading.books import build_book
from armybuilder.loading.library import Library, shipped_library
from armybuilder.pages.builder import shelf
from armybuilder.pages.builder.options import Editor, GroupView, OptionView, Part, rule_words
from armybuilder.pages.builder.page import BuilderPage
from tests.building.tiny import book_data
from tests.conftest import Builder
from tests.markup import flat, lacking, refused
from tests.queries import queries_of

pytestmark = pytest.mark.long

SYSTEM = "t9a-2023"

ITEMS = [
    {"id": "charm", "name": "Lucky Charm", "points": 10, "one_of_a_kind": True},
    {"id": "stone", "name": "Night Stone", "points": 60, "one_of_a_kind": True},
    {"id": "sword", "name": "Moon Sword", "points": 50, "one_of_a_kind": True},
]
LORD: dict[str, Any] = {
    "id": "lord", "name": "Fox Lord", "categories": ["characters"], "points": 150,
    "can_lead": True, "keywords": ["Sly"],
    "profiles": [{"name": "Fox Lord", "stats": {"adv": "5\"", "dis": "9"},
                  "rules": ["Claws"]}],
    "options": [
        {"group": "treasures", "name": "Treasures", "allowance": 100, "options": ITEMS},
        {"group": "armour", "name": "Armour", "choose": [1, 1], "default": "fur", "options": [
            {"id": "fur", "name": "Fur"},
            {"id": "mail", "name": "Mail", "points": 15},
            {"id": "plate", "name": "Plate", "points": 30, "needs": {"taken": "horse"}},
        ]},
        {"id": "horse", "name": "Horse", "points": 40,
         "options": [{"id": "bells", "name": "Bells", "points": 3}]},
        {"id": "scroll", "name": "Scroll", "points": 20, "number": [0, 3]},
        {"id": "badge", "name": "Badge", "number": [1, 1]},
        {"group": "far", "name": "Far Things", "options": [
            {"id": f"far-{number}", "name": f"Far {number}", "needs": {"taken": "bells"}}
            for number in range(7)
        ]},
    ],
}  # fmt: skip
SPEARS: dict[str, Any] = {
    "id": "spears", "name": "Fox Spears", "categories": ["core"], "size": [20, 50],
    "points": 200, "points_per_model": 10, "cap": 2, "keywords": ["Scoring"],
    "options": [{"id": "shield", "name": "Shield", "points_per_model": 2}],
}  # fmt: skip
CART: dict[str, Any] = {"id": "cart", "name": "Cart", "categories": ["core"], "points": 90}
RACERS: dict[str, Any] = {
    "id": "racers", "name": "Fox Racers", "categories": ["characters"], "size": [1, 3],
    "points": 50, "points_per_model": 50, "can_lead": True, "keywords": ["Light Armour", "Shield"],
    "options": [
        {"id": "champion", "name": "Champion"},
        {"id": "musician", "name": "Musician"},
        {"id": "crown", "name": "Crown", "points": 5, "must_lead": True},
        {"id": "pennon", "name": "Pennon", "points": 6, "item": "banner-enchantment"},
        {"id": "oil", "name": "Oil", "points": 7, "item": "armour-enchantment"},
        {"id": "wax", "name": "Wax", "points": 8, "item": "armour-enchantment"},
        {"id": "crest", "name": "Crest", "points": 9, "item": "shield-enchantment"},
    ],
}  # fmt: skip
CATEGORIES = [
    {"id": "characters", "name": "Characters", "max": "40%"},
    {"id": "core", "name": "Core", "min": "25%"},
]
BOOK = book_data(
    *(LORD, SPEARS, CART, RACERS), id="foxes", system=SYSTEM, name="Foxes", categories=CATEGORIES
)


def _foxes_library() -> Library:
    shipped = shipped_library()
    book, problems = build_book(BOOK, shipped.system(SYSTEM), "foxes")
    assert book is not None, problems
    other = replace(book, id="other", name="Others")
    return Library(shipped.systems, {**shipped.books, SYSTEM: {"foxes": book, "other": other}})


FOXES = _foxes_library()


@pytest.fixture
def foxes(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> Builder:
    """A list of 1500 points from a small book."""
    pages = ("builder.views", "builder.page", "home.views", "printing.printing", "library.views")
    for module in ("lists.drawn", *(f"pages.{page}" for page in pages)):
        monkeypatch.setattr(f"armybuilder.{module}.shipped_library", lambda: FOXES)
    builder = Builder(client, SYSTEM, limit=1500, books=["foxes"])
    builder.library = FOXES  # type: ignore[attr-defined]
    return builder


def add(builder: Builder, *units: str) -> None:
    for unit in units:
        assert builder.act("add", ref=f"foxes/{unit}").status_code == 302


def editor(builder: Builder, unit: str = "u1") -> Editor:
    page = BuilderPage(builder.version, builder.library, unit)  # type: ignore[attr-defined]
    assert page.unit is not None
    made: Editor | None = page.unit["editor"]
    assert made is not None
    return made


def every(group: GroupView | OptionView | None) -> Iterator[Part]:
    for part in (*group.parts, *getattr(group, "off", ())) if group is not None else ():
        yield part
        yield from every(part)


def part(builder: Builder, path: str, unit: str = "u1") -> Any:
    return next(one for one in every(editor(builder, unit).options) if one.path == path)


def held(builder: Builder) -> list[str]:
    return [option["id"] for option in builder.document["units"][0].get("options", ())]


def opened(html: str) -> list[str]:
    return re.findall(r'id="(u\d+)" class="line[^"]* open"', html)


def shown(builder: Builder, unit: str) -> str:
    return builder.client.get(builder.url, {"open": unit}).text


@pytest.mark.slow
def test_a_new_army_draws_from_one_book_and_adding_opens_a_unit_each_time(foxes: Builder) -> None:
    # A new army draws from exactly one book.
    both = {"name": "Two", "limit": 1500, "books": ["foxes", "other"]}
    assert "Choose one book only." in refused(foxes.client.post(f"/new/{SYSTEM}/", both))
    none = foxes.client.post(f"/new/{SYSTEM}/", {"name": "None", "limit": 1500})
    assert 'type="radio" name="books"' in none.text
    assert 'value="add-book"' not in foxes.page
    assert foxes.act("add-book", book="other").status_code == 422
    # Adding makes a unit of its own each time and opens it.
    add(foxes, "spears")
    response = foxes.act("add", ref="foxes/spears")
    assert response["Location"].endswith("?open=u2&view=units#add-foxes/spears")
    assert [unit["models"] for unit in foxes.document["units"]] == [20, 20]
    assert opened(foxes.client.get(response["Location"]).text) == ["u2"]


def test_one_unit_is_open_at_a_time_and_stays_so_after_an_act(foxes: Builder) -> None:
    add(foxes, "lord", "spears")
    assert opened(foxes.page) == []
    html = shown(foxes, "u1")
    assert opened(html) == ["u1"]
    assert f'action="{foxes.url}act/?open=u1"' in html
    fields = {"act": "option:horse", "unit": "u1", "version": foxes.version.pk}
    response = foxes.client.post(f"{foxes.url}act/?open=u1", fields)
    assert response["Location"].endswith("?open=u1#u1")
    fields["version"] = foxes.version.pk
    panel = foxes.client.post(
        f"{foxes.url}act/?open=u1", fields, headers={"HX-Request": "true"}
    ).text
    assert opened(panel) == ["u1"]
    for wrong in ("u9", "", "x" * 500, "<b>"):
        assert opened(shown(foxes, wrong)) == []
    # Opening asks for what changes with the open unit alone.
    query = {"open": "u1", "part": "list"}
    response = foxes.client.get(foxes.url, query, headers={"HX-Request": "true"})
    assert response["X-Address"] == f"{foxes.url}?open=u1"
    assert opened(response.text) == ["u1"]
    assert "<html" not in response.text
    back = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in foxes.client.get(foxes.url, {"open": "u1"}, headers=back).text
    # What does not change with the open unit is not drawn again.
    known = {"HX-Request": "true", "X-Parts": "verdict:0,game:0"}
    now = foxes.version.pk
    for version, drawn in ((now, 0), (now - 1, 1)):
        query = {"open": "u1", "part": "list", "now-version": str(version)}
        answer = foxes.client.get(foxes.url, query, headers=known).text
        assert answer.count('id="verdict-title"') == drawn
        assert answer.count('<section id="verdict" data-same></section>') == 1 - drawn
        assert answer.count('id="unit-title"') == 1
    # Panes that are not seen come with the units.
    fields = {"act": "add", "ref": "foxes/lord", "version": str(foxes.version.pk)}
    seen = {"HX-Request": "true", "X-Shown": "list,book,unit"}
    answer = foxes.client.post(f"{foxes.url}act/", fields, headers=seen).text
    assert answer.count('id="unit-title"') == 1
    for pane in ("verdict", "game"):
        assert f'<section id="{pane}" data-same data-stale></section>' in answer
    stale = {"HX-Request": "true", "X-Shown": "list,book,unit", "X-Stale": "verdict,nonsense"}
    for part in ("shelf", "book"):
        answer = foxes.client.get(foxes.url, {"part": part}, headers=stale).text
        assert answer.count('id="verdict-title"') == 1
        assert len(re.findall(r'<section[^>]* hx-swap-oob="morph"', answer)) == 1
        assert 'id="unit-title"' not in answer
    whole = foxes.client.get(foxes.url, headers={**stale, "HX-Request": ""}).text
    assert whole.count('id="verdict-title"') == whole.count('id="unit-title"') == 1


def test_units_stand_and_move_under_their_categories(foxes: Builder) -> None:
    add(foxes, "spears", "lord", "cart")
    html = foxes.page
    assert html.index('id="u2"') < html.index('id="u1"') < html.index('id="u3"')
    assert lacking(html, "Core <span", "290 points") == []
    # A unit moves past the next one of its category.
    foxes.act("down", unit="u1")
    assert [unit["id"] for unit in foxes.document["units"]] == ["u2", "u3", "u1"]
    foxes.act("up", unit="u2")
    assert [unit["id"] for unit in foxes.document["units"]] == ["u2", "u3", "u1"]


def test_a_choice_of_one_leaves_the_other_and_cannot_be_left_empty(foxes: Builder) -> None:
    add(foxes, "lord")
    assert part(foxes, "fur").state == "fixed"
    assert part(foxes, "armour").rule == "choose one"
    foxes.act("option:mail", unit="u1")
    assert held(foxes) == ["mail"]
    assert (part(foxes, "fur").state, part(foxes, "mail").state) == ("", "fixed")
    assert part(foxes, "mail").kind == "one"
    html = shown(foxes, "u1")
    button = re.search(r'<button[^>]*id="option-u1-mail"[^>]*>', html)
    assert button is not None
    assert lacking(button[0], 'aria-pressed="true"', 'type="button"') == []
    # What is not available says why, and can still be left.
    plate = part(foxes, "plate")
    assert (plate.state, plate.why) == ("off", "Needs Horse")
    button = re.search(r'<button disabled id="option-u1-plate"', shown(foxes, "u1"))
    assert button is not None
    foxes.act("option:horse", unit="u1")
    assert part(foxes, "plate").state == ""
    # What became illegal can still be left.
    for option in ("plate", "horse"):
        foxes.act(f"option:{option}", unit="u1")
    plate = part(foxes, "plate")
    assert (plate.state, plate.why) == ("held", "Needs Horse")
    html = shown(foxes, "u1")
    assert lacking(html, "1 error", 'value="option:plate"') == []
    foxes.act("option:plate", unit="u1")
    assert held(foxes) == []
    # An allowance is metered, and many that are not available are folded.
    assert len(part(foxes, "far").off) == 7
    assert "7 not available" in shown(foxes, "u1")
    assert part(foxes, "treasures").meter[0] == "0 of 100 points"
    foxes.act("option:stone", unit="u1")
    assert part(foxes, "sword").note == "10 points more than you have left"
    foxes.act("option:sword", unit="u1")
    meter = part(foxes, "treasures").meter
    assert meter == ("110 of 100 points, 10 over", True)


@pytest.mark.slow
def test_an_option_is_taken_several_times_and_has_others_below(foxes: Builder) -> None:
    add(foxes, "lord")
    foxes.act("option:scroll", unit="u1")
    assert (part(foxes, "scroll").fewer, part(foxes, "scroll").more) == ("0", "2")
    foxes.act("option-number:scroll:3", unit="u1")
    assert (part(foxes, "scroll").number, part(foxes, "scroll").more) == (3, "")
    assert "3 × Scroll" in foxes.page
    foxes.act("option-number:scroll:0", unit="u1")
    assert held(foxes) == ["fur"]
    assert not part(foxes, "horse").parts
    foxes.act("option:horse", unit="u1")
    foxes.act("option:horse/bells", unit="u1")
    (bells,) = part(foxes, "horse").parts
    assert (bells.path, bells.state) == ("horse/bells", "held")
    # What the army has once is not available to the next.
    add(foxes, "lord")
    assert "Lucky Charm" not in foxes.page  # only the open unit shows its options
    # In its button, and in the link to what it means.
    assert shown(foxes, "u2").count("Lucky Charm") == 2
    foxes.act("option:charm", unit="u1")
    charm = part(foxes, "charm", "u2")
    assert charm.state == "off"
    assert "Fox Lord" in charm.why


def test_the_general_moves_from_one_to_another(foxes: Builder) -> None:
    add(foxes, "lord", "lord", "spears")
    foxes.act("role:general", unit="u1")
    foxes.act("role:general", unit="u2")
    assert [unit.get("roles") for unit in foxes.document["units"]] == [None, ["general"], None]
    assert [held for _role, held in editor(foxes, "u2").roles] == [True]
    assert editor(foxes, "u3").roles == ()
    assert foxes.page.count('class="mark role">General') == 1
    foxes.act("role:general", unit="u3")  # who may not lead, and can be relieved
    assert [held for _role, held in editor(foxes, "u3").roles] == [True]
    assert "may not be the General" in shown(foxes, "u3")


@pytest.mark.slow
def test_stat_lines_rules_and_what_was_chosen_are_at_hand(foxes: Builder) -> None:
    add(foxes, "lord")
    drawn = shown(foxes, "u1")
    for said in ('<dt title="Advance Rate">Adv</dt><dd>5&quot;</dd>', "Sly", "Claws", "Badge"):
        assert said in drawn
    for option in ("mail", "horse"):
        foxes.act(f"option:{option}", unit="u1")
    assert '"unit-summary">Mail, Horse<' in foxes.page


def test_the_shelf_tells_price_size_and_cap(foxes: Builder) -> None:
    add(foxes, "spears", "lord", "lord")
    page = BuilderPage(foxes.version, foxes.library)  # type: ignore[attr-defined]
    wanted = shelf.read_wanted({}, page.catalogue)
    groups = dict(shelf.make_shelf(page.roster, page.catalogue, wanted, page.report).groups)
    assert groups["Characters"][0].held == ("2", "2 taken")
    assert list(groups) == ["Characters", "Core"]
    spears, cart = groups["Core"]
    assert (spears.start, spears.points) == ("from", "200")
    assert (spears.facts, spears.held) == ("20–50", ("1/1", "1 of 1 taken"))  # half in a Warband
    assert "maximum 1" in spears.says[0]
    assert (cart.start, cart.points, cart.facts) == ("", "90", "")
    # It tells how far one more would be over of what, where there is too much already.
    add(foxes, "spears", *["lord"] * 3)
    page = BuilderPage(foxes.version, foxes.library)  # type: ignore[attr-defined]
    wanted = shelf.read_wanted({}, page.catalogue)
    groups = dict(shelf.make_shelf(page.roster, page.catalogue, wanted, page.report).groups)
    lord, spears = groups["Characters"][0], groups["Core"][0]
    assert (spears.held, spears.says) == (
        ("2/1", "2 of 1 taken"),
        ("Fox Spears: 2 over if you add it.",),
    )
    assert lord.says == ("Characters: 300 points over if you add it.",)


def test_the_search_finds_names_rules_and_options_and_keeps_the_unit_open(foxes: Builder) -> None:
    for text in ("scoring", "moon sword", "fox spears", "bells"):
        answer = foxes.client.get(foxes.url, {"q": text}, headers={"HX-Request": "true"})
        assert "1 of 4 shown" in answer.text, text
    # Searching keeps the unit open.
    add(foxes, "lord")
    html = foxes.client.get(foxes.url, {"q": "cart", "open": "u1"}).text
    assert opened(html) == ["u1"]
    assert '<input type="hidden" name="open" value="u1" form="filters">' in html
    assert f'href="{foxes.url}?q=cart&amp;open=u1"' in html


@pytest.mark.slow
def test_gauges_say_their_bounds_and_a_finding_leads_to_its_unit(foxes: Builder) -> None:
    add(foxes, "spears", "lord")
    html = foxes.page
    assert lacking(html, "150 (max 600)", "200 (min 375)") == []
    foxes.act("models", unit="u1", models="60")
    assert f'href="{foxes.url}?open=u1"' in foxes.page.split('class="culprits"')[1]
    # The size keeps to its bounds.
    foxes.act("undo")
    size = editor(foxes).size
    assert size is not None
    assert size["words"] == "20 to 50 models, 10 points per model above 20"
    prices = [part(foxes, *where).price for where in (["shield"], ["fur", "u2"], ["mail", "u2"])]
    assert prices == ["+2 per model = 40", "free", "+15"]  # per model where models pay
    assert [models for _, models, *_ in size["fewer"]] == [20, 20]
    assert [models for _, models, *_ in size["more"]] == [21, 25]
    foxes.act("models:48", unit="u1")
    size = editor(foxes).size
    assert size is not None
    assert [models for _, models, *_ in size["more"]] == [49, 50]
    foxes.act("models", unit="u1", models="60")
    assert "Fox Spears: 60 models, maximum 50." in shown(foxes, "u1")
    size = editor(foxes).size
    assert size is not None
    assert [models for _, models, *_ in (*size["fewer"], *size["more"])] == [50, 50, 60, 60]
    assert editor(foxes, "u2").size is None


def test_a_unit_the_book_does_not_have_stays_and_can_be_removed(foxes: Builder) -> None:
    foxes.store(units=[{"id": "u1", "unit": "foxes/gone", "models": 1}])
    html = shown(foxes, "u1")
    assert lacking(html, "not in the book", 'value="remove"') == []
    assert foxes.act("remove", unit="u1").status_code == 302
    assert foxes.document["units"] == []


def test_what_a_unit_does_not_have_is_refused_and_the_unit_stays_open(foxes: Builder) -> None:
    add(foxes, "lord")
    acts = ("option:boat", "option-number:boat:2", "option-number:scroll:x", "put-on:charm:hat")
    for act in acts:
        fields = {"act": act, "unit": "u1", "version": foxes.version.pk}
        response = foxes.client.post(f"{foxes.url}act/?open=u1", fields)
        assert response.status_code == 422, act
        assert opened(response.text) == ["u1"], act


def test_a_click_in_an_army_costs_the_same_few_queries(foxes: Builder) -> None:
    for units in (1, 20):
        lords = [{"id": f"u{n}", "unit": "foxes/lord", "models": 1} for n in range(1, units + 1)]
        foxes.store(units=lords)
        fields = {"act": "option:horse", "unit": "u1", "version": foxes.version.pk}
        queries = queries_of(
            foxes.client.post, f"{foxes.url}act/?open=u1", fields, headers={"HX-Request": "true"}
        )
        assert len(queries) == 8


def test_the_book_page_tells_units_with_sizes_stats_and_options(foxes: Builder) -> None:
    html = flat(foxes.client.get(f"/library/{SYSTEM}/foxes/").text)
    assert html.index("<h2>Characters</h2>") < html.index("Fox Lord") < html.index("<h2>Core</h2>")
    for told in (
        "200 points, 10 for each model above 20", "20 to 50 models · 0–2 per army",
        "Advance Rate", "Mail</a></bdi> +15", "Horse</a></bdi> +40 (Bells +3)",
        "Shield</a></bdi> +2 per model",
    ):  # fmt: skip
        assert told in html, told


def test_the_rule_of_a_group_in_words() -> None:
    for least, most, words in (
        (1, 1, "choose one"), (0, 1, "max 1"), (0, 2, "max 2"), (2, 2, "choose 2"),
        (1, 3, "1–3"), (1, None, "min 1"), (0, None, "optional"),
    ):  # fmt: skip
        assert rule_words(least, most) == words


def test_a_unit_that_lacks_something_is_marked_as_to_do_not_as_wrong(foxes: Builder) -> None:
    """It has no armour yet, of which it must choose one."""
    foxes.store(units=[{"id": "u1", "unit": "foxes/lord", "models": 1}])
    page = foxes.page
    assert re.search(r'class="line to-do[^"]*"', page)
    assert re.search(r'<span class="badge to-do">.*?1 to do</span>', page, re.S)
    assert '<span class="badge error">' not in page
    opened = shown(foxes, "u1").split('<section id="unit"')[1].split("</section>")[0]
    assert re.search(r'<p class="says to-do">.*?to do: </span>Fox Lord: choose one', opened, re.S)
    assert 'class="option-group fold bad to-do"' in opened
    assert "#i-error" not in opened
    sheet = foxes.client.get(f"{foxes.url}sheet/").text
    assert lacking(sheet, 'class="sheet-verdict to-do"', 'class="finding to-do"') == []
    assert "#i-error" not in sheet.split("<article")[1]


def test_no_list_is_offered_the_edition_that_it_has(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=2000, books=["highborn-elves"])
    assert "Switch to The Ninth Age 2024" in " ".join(army.page.split())
    assert "Switch to The Ninth Age 2023" not in " ".join(army.page.split())


def heads(builder: Builder) -> dict[str, str]:
    """What the head of each category says, by its name."""
    found = re.findall(r"<h3>(.*?)</h3>\s*<details.*?<summary>(.*?)<span", builder.page)
    return dict(found)


def test_the_head_of_a_category_says_what_counts_in_it_and_how_much_may(
    build: Callable[..., Builder],
) -> None:
    army = build("t9a-2024", limit=4500, books=["highborn-elves"])
    for unit in ("high-prince", "phoenix"):
        army.act("add", ref=f"highborn-elves/{unit}")
    army.act("option:ancient-dragon", unit="u1")
    assert heads(army) == {"Characters": "845 (max 1800)", "Ancient Allies": "975 (max 900)"}
    allies = army.page.split("<h3>Ancient Allies</h3>")[1].split("</details>")[0]
    parts = re.findall(r'<a href="#(u\d)" dir="auto">(.*?)</a> <b>(\d+)</b>', allies)
    assert parts == [("u1", "High Prince: Ancient Dragon", "620"), ("u2", "Phoenix", "355")]
    # The head of a category whose units are counted says points and number.
    army = build("t9a-2023", limit=2000, books=["legions-of-sin"])
    army.act("add", ref="legions-of-sin/legion-of-sin")
    assert heads(army) == {"Sin": "0 points · 1 (min 1)"}


def in_head(builder: Builder, unit: str) -> list[str]:
    return [part.name for part in editor(builder, unit).head]


def below(builder: Builder, unit: str) -> list[str]:
    options = editor(builder, unit).options
    assert options is not None
    return [part.path for part in options.parts]


def test_the_head_has_what_the_game_says_and_groups_one_order(elves: Builder) -> None:
    elves.library = shipped_library()  # type: ignore[attr-defined]
    for unit in ("high-prince", "commander", "mage"):
        elves.act("add", ref=f"highborn-elves/{unit}")
    assert in_head(elves, "u1") == []
    assert in_head(elves, "u2") == ["Battle Standard Bearer"]
    assert in_head(elves, "u3") == ["Wizard Level"]
    for unit, path in (("u2", "battle-standard-bearer"), ("u3", "wizard-level")):
        assert path not in below(elves, unit)
    head = flat(elves.client.get(elves.url, {"open": "u2"}).text)
    head = head[head.index('class="unit-head"') : head.index("</header>", head.index("unit-head"))]
    assert 'value="option:battle-standard-bearer"' in head
    # What is free says so in the head by silence.
    level = editor(elves, "u3").head[0]
    assert isinstance(level, GroupView)
    prices = [(part.name, part.price) for part in level.parts if not isinstance(part, GroupView)]
    assert prices == [("Wizard Adept", ""), ("Wizard Master", "+170")]
    assert "free" not in level.parts[0].button  # type: ignore[union-attr]
    # Groups have the same order in all units.
    prince, commander = below(elves, "u1"), below(elves, "u2")
    assert prince[:4] == commander[:4] == ["mount", "armour", "shield", "melee-weapon"]
    shared = [path for path in prince if path in commander]
    assert shared == [path for path in commander if path in prince]


def test_one_dragon_is_taken_in_the_place_of_the_other(elves: Builder) -> None:
    # Of a Dragon the army may have none beside an Ancient Dragon.
    elves.act("add", ref="highborn-elves/high-prince")
    elves.act("option:dragon", unit="u1")
    for new in ("ancient-dragon", "dragon"):
        page = elves.client.get(elves.url, {"open": "u1"}).text
        (button,) = re.findall(rf'<button[^>]*value="option:{new}"[^>]*>', page)
        assert "disabled" not in button
        elves.act(f"option:{new}", unit="u1")
        taken = {one["id"] for one in elves.document["units"][0]["options"]}
        assert taken & {"ancient-dragon", "dragon"} == {new}


@pytest.mark.one_in(9)
@pytest.mark.parametrize("system", list(shipped_library().systems.values()), ids=lambda one: one.id)
def test_a_form_names_what_its_books_have(system: object) -> None:
    """A game that extends another has the form of that, whose books may have more."""
    form, library = system.unit_form, shipped_library()  # type: ignore[attr-defined]
    editions = [system, *library.editions(system)]  # type: ignore[arg-type]
    books = [book for one in editions for book in library.books[one.id].values()]  # type: ignore[attr-defined]
    known = {
        name
        for book in books
        for unit in book.units.values()
        for name in (node.id for node in unit.offer.nodes)
    }
    assert {*form.head, *form.order} <= known
