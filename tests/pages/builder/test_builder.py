"""The builder without a browser: what each button does, and what the page says then."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from armybuilder.acts.base import UnitAct, act_kinds
from armybuilder.authoring import edits
from armybuilder.books.models import OwnBook
from armybuilder.books.services import BookResult, change_book
from armybuilder.lists.models import Version
from armybuilder.loading.library import shipped_library
from tests.conftest import Builder
from tests.markup import found_in, lacking, refused
from tests.queries import queries_of

LADY = "practice/bannerlady-oresta"


def test_adding_a_unit_twice_makes_two_models_of_it(chainmail: Builder) -> None:
    response = chainmail.client.post(f"{chainmail.url}act/", {"add": LADY})
    assert response["Location"].endswith(f"#add-{LADY}")
    chainmail.act("add", ref=LADY)
    assert chainmail.document["units"] == [{"id": "u1", "unit": LADY, "models": 2}]
    # One with a name is not taken for a plain one.
    chainmail.act("describe", unit="u1", name="Oresta", notes="carries the banner")
    chainmail.act("add", ref=LADY)
    assert [unit["models"] for unit in chainmail.document["units"]] == [2, 1]
    page = chainmail.page
    assert lacking(page, "Oresta", "carries the banner") == []


def test_the_number_of_a_unit_is_changed_by_steps_and_typing(chainmail: Builder) -> None:
    chainmail.act("add", ref=LADY)
    chainmail.act("more", unit="u1")
    chainmail.act("models", unit="u1", models="7")
    chainmail.act("fewer", unit="u1")
    assert chainmail.document["units"][0]["models"] == 6
    chainmail.act("models", unit="u1", models="0")
    assert chainmail.document["units"] == []
    chainmail.act("add", ref=LADY)
    chainmail.act("fewer", unit="u1")
    assert chainmail.document["units"] == []
    # Copies, moves and removals.
    chainmail.act("add", ref=LADY)
    chainmail.act("add", ref="practice/millbrook-spearhand")
    chainmail.act("duplicate", unit="u1")
    assert [unit["id"] for unit in chainmail.document["units"]] == ["u1", "u3", "u2"]
    chainmail.act("up", unit="u2")
    assert [unit["id"] for unit in chainmail.document["units"]] == ["u1", "u2", "u3"]
    chainmail.act("down", unit="u1")
    assert [unit["id"] for unit in chainmail.document["units"]] == ["u2", "u1", "u3"]
    chainmail.act("remove", unit="u1")
    assert [unit["id"] for unit in chainmail.document["units"]] == ["u2", "u3"]


def test_reserve_is_switched_on_and_off(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/millbrook-spearhand")
    chainmail.act("role", unit="u1", role="reserve")
    assert chainmail.document["units"][0]["roles"] == ["reserve"]
    assert "Take out of reserve" in chainmail.client.get(f"{chainmail.url}?open=u1").text
    chainmail.act("role", unit="u1", role="reserve")
    assert "roles" not in chainmail.document["units"][0]


@pytest.mark.slow
def test_settings_terrain_and_tied_factions_are_chosen(chainmail: Builder) -> None:
    # Settings and terrain.
    chainmail.act("setting", setting="players", value="3")
    chainmail.act("setting", setting="environment", value="underground")
    chainmail.act("setting", setting="tactical_advantage", value="4")
    for piece in ("web", "hut", "web"):
        chainmail.act("add-piece", setting="terrain", piece=piece)
    chainmail.act("remove-piece", setting="terrain", piece="web")
    settings = chainmail.document["settings"]
    assert settings == {
        "players": 3, "environment": "underground", "tactical_advantage": 4,
        "terrain": ["web", "hut"],
    }  # fmt: skip
    assert "Scouting bonus" in chainmail.page
    # A tie of factions offers the tied ones as buttons.
    chainmail.act("add", ref="practice/captain-of-the-silver-reed")
    chainmail.act("add", ref="practice/foundry-reeve-haldra")
    page = chainmail.page
    assert lacking(page, "Choose Mordengard", "Choose Ravilla") == []
    chainmail.act("setting", setting="faction", value="ravilla")
    page = chainmail.page
    assert "Choose Mordengard" not in page
    assert "Cross-faction" in page


def test_blanks_of_a_card_are_filled_in_on_the_list(build: Callable[..., Builder]) -> None:
    builder = build("chainmail-2002", limit=100, books=["known-cards"])
    builder.act("add", ref="known-cards/human-paladin-of-stratis")
    page = builder.page
    assert lacking(page, "fill in the points and alignment from your card") == []
    assert "1 model with unknown points" in page
    fields = {"points": "31", "attributes.alignment": "good"}
    builder.act("card", unit="u1", **fields)
    assert builder.document["units"][0]["card"] == {
        "points": 31,
        "attributes": {"alignment": "good"},
    }
    page = builder.page
    assert "fill in the points" not in page
    assert lacking(page, "<b>31</b>", "/ 100</a>") == []
    # A card filled in once serves the next of the unit.
    builder.act("add", ref="known-cards/human-paladin-of-stratis")
    (entry,) = builder.document["units"]
    assert (entry["models"], entry["card"]["points"]) == (2, 31)


OWN = {"name": "Grim", "stat-quality": "3", "stat-combat": "4", "ability-leader": "on"}


def test_own_models_are_made_priced_and_changed(sbh: Builder) -> None:
    answer = sbh.act("own-new", htmx=True).text
    assert lacking(answer, 'value="Model 1"', "Quality 3+: 30 points", "Combat 2: 15 points") == []
    sbh.act("own", unit="u1", **OWN)
    assert lacking(sbh.page, "<b>70</b>", "/ 300</a>") == []
    changed = {**OWN, "stat-combat": "3", "ability-lethal": "on", "target-lethal": "Orcs"}
    shown = sbh.act("own", htmx=True, unit="u1", **changed, **{"now-open": "u1"}).text
    assert lacking(shown, "<b>66</b>", "/ 300</a>", "Lethal (Orcs)", 'value="Orcs"', "+30") == []
    # A button says one thing more, and a rule is found by what is typed.
    for act, rule, abilities in (
        ("own:drop=lethal", "", ["leader"]),
        ("own:add=flying", "ignored", ["leader", "flying"]),
        ("own", "Lethal (Trolls)", ["leader", "lethal"]),
    ):
        sbh.act(act, unit="u1", rule=rule, **OWN)
        profile = sbh.document["units"][0]["profile"]
        assert [use["ability"] for use in profile["abilities"]] == abilities, act
    assert profile["abilities"][1]["target"] == "Trolls"
    sbh.act("own:quality=2", unit="u1", **OWN)
    assert sbh.document["units"][0]["profile"]["stats"] == {"quality": 2, "combat": 4}
    sbh.act("undo")
    assert sbh.document["units"][0]["profile"]["stats"] == {"quality": 3, "combat": 4}
    # A swarm starts as two bases, and is judged by itself.
    fields = {"name": "Rats", "stat-quality": "4", "stat-combat": "2", "ability-swarm": "on"}
    sbh.act("own", **fields)
    assert sbh.document["units"][1]["models"] == 2


def test_a_unit_of_a_book_is_the_base_of_an_own_model(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-archer")
    page = sbh.client.get(sbh.url, {"open": "u1"}).text
    assert 'value="own-new:profiles/human-archer"' in page
    sbh.act("own-new:profiles/human-archer")
    profile = sbh.document["units"][1]["profile"]
    assert (profile["name"], profile["stats"]) == ("Human Archer", {"quality": 3, "combat": 3})
    assert profile["abilities"] == [{"ability": "shooter-long"}]
    assert "not in the list" in refused(sbh.act("own-new:profiles/nobody"))


def test_special_rules_are_found_with_what_they_do_to_the_price(sbh: Builder) -> None:
    sbh.act("own", **OWN)
    headers = {"HX-Request": "true"}

    def found(words: str, **more: Any) -> str:
        return sbh.client.get(f"{sbh.url}own/u1/rules/", {"rule": words}, **more).text

    assert lacking(found("fly", headers=headers), "own:add=flying", "Flying", "+") == []
    assert "No rule matches." in found("xyzzy", headers=headers)
    assert "own:add" not in found("", headers=headers)
    every = found("")
    assert every.count("own:add=") > 40
    assert "own:add=leader" not in every
    assert sbh.client.get(f"{sbh.url}own/u9/rules/").status_code == 422


def test_an_own_model_is_kept_for_other_lists_once_by_its_name(sbh: Builder) -> None:
    sbh.act("own", **OWN, **{"ability-lethal": "on", "target-lethal": "Orcs"})
    other_name = "Figures on my shelf"

    def renamed(data: dict[str, Any]) -> BookResult:
        return BookResult(edits.rename(data, shipped_library().system("sbh"), other_name, ""), "")

    for name in ("My models", other_name):
        kept = sbh.client.post(f"{sbh.url}own/u1/keep/", follow=True).text
        assert f"Saved Grim to “{name}”." in kept
        book = OwnBook.objects.get()
        # It may be called anything, in any language.
        change_book(book.holder, book.pk, renamed)
    (unit,) = book.data["units"]
    assert (unit["name"], unit["stats"]) == ("Grim", {"quality": 3, "combat": 4})
    offered = sbh.client.get("/new/sbh/").text
    assert lacking(offered, other_name, book.pk, "Create own models") == []
    other = Client().post(f"{sbh.url}own/u1/keep/")
    assert other.status_code == 404


def test_a_list_of_own_models_needs_no_book(client: Client, db: None) -> None:
    made = client.post("/new/sbh/", {"limit": "300", "own": "1"})
    page = client.get(made["Location"]).text
    assert lacking(page, "Warband 300", 'id="own-name"', 'value="Model 1"') == []


@pytest.mark.slow
def test_a_bad_own_model_is_refused_and_what_was_typed_stays(
    sbh: Builder, chainmail: Builder
) -> None:
    for change, said in (
        ({"name": ""}, "The name is empty"),
        ({"name": "x" * 10_000}, "maximum is 120"),
        ({"stat-quality": "1"}, "Quality must be from 2 to 6"),
        ({"stat-combat": "lots"}, "Combat must be a whole number"),
        ({"ability-none-such": "on"}, "no special rule"),
    ):
        response = sbh.act("own", **{**OWN, **change})
        assert response.status_code == 422, said
        assert said in response.text
    assert sbh.document["units"] == []
    # The other game has none.
    assert "has no custom models" in refused(chainmail.act("own-new"))


def test_undo_and_redo_walk_the_history(chainmail: Builder) -> None:
    chainmail.act("add", ref=LADY)
    chainmail.act("rename", name="Second name")
    after = chainmail.document
    chainmail.act("undo")
    assert chainmail.document["name"] == "Test list"
    chainmail.act("undo")
    assert chainmail.document["units"] == []
    assert chainmail.act("undo").status_code == 422
    chainmail.act("redo")
    chainmail.act("redo")
    assert chainmail.document == after
    assert chainmail.act("redo").status_code == 422
    chainmail.act("undo")
    chainmail.act("rename", name="Other way")
    assert chainmail.act("redo").status_code == 422
    assert chainmail.document["name"] == "Other way"


def test_every_save_keeps_the_version_before_it(chainmail: Builder) -> None:
    chainmail.act("rename", name="Test list")  # changes nothing: no version
    for _ in range(3):
        chainmail.act("add", ref=LADY)
    numbers = Version.objects.values_list("document__units__0__models", flat=True)
    assert list(numbers.order_by("number")) == [None, 1, 2, 3]


class TestStalePages:
    """A page that shows an older version than the stored one."""

    def test_acts_on_different_parts_are_both_kept(self, chainmail: Builder) -> None:
        old = chainmail.version.pk
        chainmail.act("add", ref=LADY)
        response = chainmail.act("rename", version=old, name="Renamed elsewhere", htmx=True)
        assert response.status_code == 200
        assert "both changes are kept" in response.text
        assert chainmail.document["name"] == "Renamed elsewhere"
        assert len(chainmail.document["units"]) == 1
        # Steps of two pages add up.
        old = chainmail.version.pk
        chainmail.act("more", unit="u1")
        chainmail.act("more", unit="u1", version=old)
        assert chainmail.document["units"][0]["models"] == 3
        # A unit that was removed elsewhere is told.
        old = chainmail.version.pk
        chainmail.act("remove", unit="u1")
        assert "no longer on the list" in refused(chainmail.act("more", version=old, unit="u1"))

    def test_acts_on_the_same_part_ask_the_player(self, chainmail: Builder) -> None:
        old = chainmail.version.pk
        chainmail.act("rename", name="First")
        response = chainmail.act("rename", version=old, name="Second")
        assert response.status_code == 409
        page = response.text
        assert lacking(page, "changed elsewhere", 'value="Second"') == []
        assert chainmail.document["name"] == "First"
        chainmail.act("rename", name="Second")
        assert chainmail.document["name"] == "Second"
        # A page from before an undo is asked too.
        chainmail.act("rename", name="A")
        undone = chainmail.version.pk
        chainmail.act("undo")
        chainmail.act("rename", name="B")
        response = chainmail.act("rename", version=undone, name="C")
        assert response.status_code == 409
        # Undo asks before it undoes what the page did not show.
        old = chainmail.version.pk
        chainmail.act("add", ref=LADY)
        assert chainmail.act("undo", version=old).status_code == 409
        assert len(chainmail.document["units"]) == 1
        chainmail.act("undo")
        assert chainmail.document["units"] == []


BAD_ACTS: dict[str, tuple[dict[str, Any], str]] = {
    "no act": ({"act": ""}, "isn’t possible"),
    "unknown act": ({"act": "fly"}, "isn’t possible"),
    "unknown unit": ({"act": "add", "ref": "practice/nobody"}, "no unit"),
    "no unit": ({"act": "more"}, "no longer on the list"),
    "number below 0": ({"act": "models", "unit": "u1", "models": "-1"}, "from 0 to 999"),
    "number above 999": ({"act": "models", "unit": "u1", "models": "1000"}, "from 0 to 999"),
    "huge number": ({"act": "models", "unit": "u1", "models": "9" * 5000}, "from 0 to 999"),
    "is not a number": ({"act": "models", "unit": "u1", "models": "many"}, "whole number"),
    "digits of another script": ({"act": "models", "unit": "u1", "models": "٣"}, "whole number"),
    "long name": ({"act": "rename", "name": "x" * 10_000}, "maximum is 120"),
    "empty name": ({"act": "rename", "name": "  "}, "is empty"),
    "long notes": ({"act": "notes", "notes": "x" * 10_000}, "maximum is 2000"),
    "size 0": ({"act": "limit", "limit": "0"}, "from 1 to 99999"),
    "unknown role": ({"act": "role", "unit": "u1", "role": "king"}, "no role"),
    "unknown setting": ({"act": "setting", "setting": "moon", "value": "1"}, "no setting"),
    "unknown value": (
        {"act": "setting", "setting": "environment", "value": "sea"}, "cannot be"
    ),
    "unknown piece": ({"act": "add-piece", "setting": "terrain", "piece": "lava"}, "no piece"),
    "piece not there": (
        {"act": "remove-piece", "setting": "terrain", "piece": "hill"}, "no longer"
    ),
    "card that is full": ({"act": "card", "unit": "u1", "points": "3"}, "nothing left to fill in"),
}  # fmt: skip


def test_a_bad_act_is_refused_with_one_sentence_and_nothing_is_lost(chainmail: Builder) -> None:
    chainmail.act("add", ref=LADY)
    before = chainmail.document
    for number, (name, (fields, said)) in enumerate(BAD_ACTS.items()):
        response = chainmail.act(htmx=number > 2, **fields)
        assert response.status_code == 422, name
        page = response.text
        assert said in page, name
        assert "Nothing was changed" in page, name
    assert chainmail.document == before
    # A piece is never removed from a setting that holds none.
    chainmail.act("setting", setting="environment", value="underground")
    chainmail.act("setting", setting="players", value="3")
    for key, piece in (("environment", "u"), ("players", "zz")):
        assert chainmail.act("remove-piece", setting=key, piece=piece).status_code == 422
    assert chainmail.document["settings"] == {"environment": "underground", "players": 3}


def test_notes_count_their_lines_and_refused_ones_are_shown_for_copying(chainmail: Builder) -> None:
    notes = "\r\n".join("x" * 39 for _ in range(50))
    assert len(notes) > 2000
    chainmail.act("notes", notes=notes)
    assert chainmail.document["notes"] == notes.replace("\r\n", "\n")
    # What was refused is shown for copying.
    page = chainmail.act("notes", notes="My story. " * 500).text
    assert lacking(page, "Your text, to copy", "My story. My story.") == []
    # A name must show something.
    assert chainmail.act("rename", name="\u200b").status_code == 422


def test_pages_are_not_stored_and_parts_told_apart_by_caches(chainmail: Builder) -> None:
    assert "no-store" in chainmail.client.get(chainmail.url)["Cache-Control"]
    assert chainmail.client.head(chainmail.url).status_code == 200
    # Plain and htmx answers are told apart by caches.
    plain = chainmail.client.get(chainmail.url)
    part = chainmail.client.get(chainmail.url, headers={"HX-Request": "true"})
    assert "HX-Request" in plain["Vary"]
    assert "HX-Request" in part["Vary"]
    assert "<html" in plain.text
    assert "<html" not in part.text


def test_books_are_added_and_left_out(build: Callable[..., Builder]) -> None:
    # Books are added and left out.
    builder = build("sbh", limit=300, books=["profiles"])
    builder.act("add-book", book="gargantuan-nine")
    assert [book["id"] for book in builder.document["books"]] == ["profiles", "gargantuan-nine"]
    builder.act("remove-book", book="profiles")
    assert "at least one book" in refused(builder.act("remove-book", book="gargantuan-nine"))
    # Units of a book left out keep their name and offer the book.
    builder = build("chainmail-2002", limit=100, books=["practice", "known-cards"])
    builder.act("add", ref=LADY)
    builder.act("remove-book", book="practice")
    page = builder.page
    assert lacking(page, "Bannerlady Oresta", "Add Practice models (invented)") == []
    builder.act("add-book", book="practice")
    assert "not in the books" not in builder.page


def test_markup_in_names_is_shown_as_text(chainmail: Builder) -> None:
    chainmail.act("rename", name="<script>alert(1)</script>")
    chainmail.act("add", ref=LADY)
    chainmail.act("describe", unit="u1", name="<img src=x>", notes="</li>")
    for page in (chainmail.page, chainmail.client.get(f"{chainmail.url}sheet/").text):
        assert found_in(page, "<script>alert", "<img src=x>") == []
        assert "&lt;img src=x&gt;" in page


@pytest.mark.slow
def test_500_units_fit_and_501_do_not(chainmail: Builder) -> None:
    units = [{"id": f"u{n}", "unit": LADY, "models": 999, "name": "x"} for n in range(1, 501)]
    chainmail.store(units=units)
    assert "at most 500 units" in refused(chainmail.act("add", ref=LADY))


def test_the_shelf_is_searched_filtered_and_sorted(chainmail: Builder) -> None:
    def names(**query: str) -> str:
        return chainmail.client.get(chainmail.url, query, headers={"HX-Request": "true"}).text

    assert "Bannerlady Oresta" in names(q="banner")
    assert "1 of 34" in names(q="oresta")
    assert "Bannerlady" not in names(faction="naresh")
    assert "Bannerlady" in names(faction="thalos", alignment="good", ability="commander")
    assert "Bannerlady" not in names(points="37")
    assert "Nothing in the books matches" in names(q="zzzz")
    cheap_first = names(sort="points")
    assert cheap_first.index("Millbrook Spearhand") < cheap_first.index("Bannerlady Oresta")
    # A senseless search is passed over.
    for query in ("points=-1", "points=x", "sort=evil", "faction=zz", "q=" + "x" * 5000):
        assert chainmail.client.get(f"{chainmail.url}?{query}").status_code == 200, query


def test_a_click_costs_the_same_few_queries_however_long_the_list(chainmail: Builder) -> None:
    for units in (1, 60):
        entries = [
            {"id": f"u{n}", "unit": LADY, "models": 1, "name": "x"} for n in range(1, units + 1)
        ]
        version = chainmail.store(units=entries)
        queries = queries_of(chainmail.act, "more", htmx=True, unit="u1", version=version.pk)
        assert len(queries) == 9


def test_migrations_hold_what_the_models_say(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


KEY = {"HX-Request": "true", "X-Act": "0123456789abcdef"}
RESENT = {**KEY, "X-Resent": "1"}


@pytest.mark.parametrize(
    ("headers", "units"),
    [
        (RESENT, 1),
        (KEY, 2),
        ({**RESENT, "X-Act": "fedcba9876543210"}, 2),
        ({**RESENT, "X-Act": "?"}, 2),
    ],
)
def test_an_act_that_comes_again_is_done_once(
    sbh: Builder, headers: dict[str, str], units: int
) -> None:
    fields = {"version": sbh.version.pk, "act": "add", "ref": "profiles/human-warrior"}
    for sent in (KEY, headers):
        assert sbh.client.post(f"{sbh.url}act/", fields, headers=sent).status_code == 200
    entries = sbh.document["units"]
    assert sum(entry.get("models", 1) for entry in entries) == units


def test_an_act_that_comes_again_is_done_once_whatever_was_done_between(sbh: Builder) -> None:
    fields = {"version": sbh.version.pk, "act": "add", "ref": "profiles/human-warrior"}
    sbh.act("add", ref="profiles/human-archer")  # elsewhere: the act is about a former version
    for sent in (KEY, RESENT):
        assert sbh.client.post(f"{sbh.url}act/", fields, headers=sent).status_code == 200
        sbh.act("add", ref="profiles/human-archer")
    models = {entry["unit"]: entry.get("models", 1) for entry in sbh.document["units"]}
    assert models["profiles/human-warrior"] == 1, models
    assert sum(models.values()) > 2


GAMES = {
    "t9a-2023": {"limit": 1500, "books": ["vampire-covenant"], "unit": "vampire-courtier"},
    "chainmail-2002": {"limit": 100, "books": ["practice"], "unit": "walking-kiln"},
}
#: What forms say besides, such that only the unit is wrong.
FIELDS = {
    "name": "x", "called": "x", "notes": "x", "role": "general", "option": "x", "models": "2",
    "number": "2", "piece": "x", "points": "3", "before": "u1", "to": "x",
}  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("system", GAMES)
def test_every_act_on_a_unit_that_is_gone_is_answered(
    system: str, build: Callable[..., Builder]
) -> None:
    game = {**GAMES[system]}
    unit = game.pop("unit")
    builder = build(system, **game)
    for _number in range(2):
        builder.act("add", ref=f"{game['books'][0]}/{unit}")  # type: ignore[index]
    before, said = builder.document, []
    names = [name for name, kind in act_kinds().items() if issubclass(kind, UnitAct)]
    assert {"up", "down", "move", "remove"} <= set(names)
    for name in names:
        answer = builder.act(name, htmx=True, **FIELDS | {"unit": "u999"})
        said.append((name, answer.status_code))
    assert [one for one in said if one[1] not in (409, 422)] == []
    for name in ("up", "down"):
        told = builder.act(name, unit="u999").text
        assert "That unit is no longer on the list." in told
    assert builder.document == before
