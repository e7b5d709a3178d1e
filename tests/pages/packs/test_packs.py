"""Pages of event packs, shipped and own: read, made, changed, saved, a list judged by them."""

import json
from collections.abc import Callable
from dataclasses import asdict
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from armybuilder.authoring.pack_entries import entries_of, with_sentence
from armybuilder.authoring.pack_names import PackNames
from armybuilder.authoring.packs import basics_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack, PackVersion
from armybuilder.packs.possible import possible_with
from armybuilder.packs.selectors import read_pack, version_of
from tests.conftest import Builder
from tests.events.builders import draft_event
from tests.markup import lacking
from tests.pages.events.people import held

pytestmark = [pytest.mark.django_db, pytest.mark.long]
PACKS = shipped_library().packs


def said(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status, answer.text
    return " ".join(unescape(answer.text).split())


def test_all_packs_are_listed_by_game_and_saved_as_their_files(client: Client) -> None:
    page = said(client.get("/packs/"))
    for pack in PACKS.values():
        assert lacking(page, f'href="/packs/{pack.id}/"', pack.about) == []
    assert 'href="/packs/"' in said(client.get("/library/"))
    # A pack can be saved as the file that it is.
    assert client.get("/packs/raven-cup/pack.json").json() == PACKS["raven-cup"].data
    assert client.get("/packs/none-such/").status_code == 404
    assert client.get("/packs/none-such/pack.json").status_code == 404


def test_every_rule_of_a_pack_is_read_with_its_place(client: Client) -> None:
    for pack_id in PACKS:
        pack = PACKS[pack_id]
        page = said(client.get(f"/packs/{pack_id}/"))
        replacing = [one["by"] for one in pack.data.get("replace", ())]
        rules = [*pack.data["rules"], *replacing, *pack.data.get("team", {}).get("rules", ())]
        assert rules, pack_id
        for rule in rules:
            assert rule["summary"] in page, pack_id
            assert str(pack.cite(rule["cite"])) in page, pack_id
            assert all(one["name"] in page for one in rule.get("among", ())), pack_id
        for text in pack.data.get("texts", ()):
            assert text["text"] in page, pack_id
        for one in pack.lifted:
            assert ("This replaces" if one.replaced else "Does not apply here") in page, pack_id


def test_lists_are_judged_by_packs_of_their_game(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    for _ in range(8):
        sbh.act("more", unit="u1")
    page = said(sbh.client.get(f"{sbh.url}event/?pack=raven-cup"))
    assert "legal at this event" in page or "not legal at this event" in page
    report = f"{sbh.url}event/"
    assert "?pack=raven-cup" in said(sbh.client.get(report))
    assert "?pack=lantern-cup" not in said(sbh.client.get(report))  # of another game
    assert sbh.client.get(f"{report}?pack=lantern-cup").status_code == 404
    assert f'href="{report}"' in said(sbh.client.get(sbh.url))


def test_errors_of_an_event_cite_the_pack(build: Callable[..., Builder]) -> None:
    small = build("sbh", limit=120, books=["profiles"])
    page = said(small.client.get(f"{small.url}event/?pack=raven-cup"))
    pack = PACKS["raven-cup"]
    (size,) = (rule for rule in pack.data["rules"] if rule["kind"] == "game-size")
    minded = page.partition("Verdict at the event")[2].partition("</ul>")[0]
    assert "120" in minded
    assert str(pack.cite(size["cite"])) in minded


def test_pages_of_packs_ask_the_database_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/packs/")
    for address in ("/packs/", "/packs/four-banners/"):
        with django_assert_num_queries(0):
            client.get(address)


class Organiser:
    """A browser with an own pack, a copy of one in the box."""

    def __init__(self, copied: str = "raven-cup", **fresh: str) -> None:
        self.client = Client()
        made = self.client.post("/packs/new/", fresh or {"copy": copied})
        assert made.status_code == 302, made.text
        self.url = made["Location"].removesuffix("edit/")

    @property
    def pack(self) -> OwnPack:
        return OwnPack.objects.get()

    @property
    def data(self) -> dict[str, Any]:
        return dict(version_of(self.pack).data)

    def keep(self, asks: str, *rows: dict[str, str], **fields: Any) -> Any:
        """One sentence sent with its parts, to be put into the pack; `text` is what it is now."""
        sent = {"asks": asks, "part-TOTAL_FORMS": str(len(rows)), "part-INITIAL_FORMS": "0"}
        for number, row in enumerate(rows):
            sent |= {f"part-{number}-{key}": value for key, value in row.items()}
        plain = {key: fields.pop(key) for key in ("text", "key", "go") if key in fields}
        sent |= {f"s-{key}": value for key, value in fields.items()}
        return self.form(**{"go": "keep", **sent, **plain})

    def form(self, go: str = "save", **changed: Any) -> Any:
        """The page's form sent with some fields changed."""
        basics = basics_of(self.data)
        fields: dict[str, Any] = asdict(basics)
        fields["sizes"] = ", ".join(map(str, basics.sizes))
        for switch in ("own_books", "hidden"):
            if not fields[switch]:
                del fields[switch]
        fields["team"] = fields["team"] or ""
        fields |= {"was": json.dumps(asdict(basics)), "text": json.dumps(self.data), "go": go}
        fields |= {"seen": str(self.pack.number), **changed}
        wanted = {key: value for key, value in fields.items() if value is not None}
        return self.client.post(f"{self.url}edit/", wanted)


def test_a_new_pack_begins_with_the_rules_of_its_game_alone(client: Client) -> None:
    for fields in ({}, {"name": "x"}, {"system": "sbh"}, {"copy": "nobody"}):
        said(client.post("/packs/new/", fields), 422)
    assert not OwnPack.objects.exists()
    # A new pack begins with the rules of its game alone.
    made = client.post("/packs/new/", {"name": "Marsh <b> Cup", "system": "sbh"}, follow=True)
    assert "None yet; only the game rules apply." in said(made)
    assert "<b>" not in made.text
    assert OwnPack.objects.get().name == "Marsh <b> Cup"
    assert "Marsh" in said(client.get("/packs/"))
    assert "Marsh" not in said(Client().get("/packs/"))


@pytest.mark.parametrize("pack_id", PACKS)
def test_every_pack_in_the_box_can_be_copied_and_is_not_changed_by_looking(pack_id: str) -> None:
    organiser = Organiser(pack_id)
    before = organiser.data
    assert before["id"] != pack_id
    copied = {"name": f"{PACKS[pack_id].name} (copy)", "id": before["id"]}
    assert before == PACKS[pack_id].data | copied
    assert organiser.form("look").status_code == 200
    assert organiser.form("save").status_code == 302
    assert organiser.pack.number == 1
    assert organiser.data == before


def test_the_form_changes_what_it_says_and_nothing_else() -> None:
    organiser = Organiser("lantern-cup")
    before = organiser.data
    books = ["asklanders", "highborn-elves"]
    changed = {"name": "Heron Cup", "sizes": "2000; 3000", "books": books, "lists": "2"}
    assert organiser.form(**changed).status_code == 302
    data = organiser.data
    assert data["name"] == "Heron Cup"
    assert data["entry"] == {"lists": 2, "hidden": False}
    rules = {rule["kind"]: rule for rule in reversed(data["rules"])}
    assert rules["game-size"]["sizes"] == [2000, 3000]
    assert rules["game-size"]["cite"] == "1.1"
    assert rules["books"]["allow"] == books
    assert rules["books"]["kinds"] == ["official", "imported"]
    untouched = ("scores", "texts", "sources", "about")
    assert all(data[key] == before[key] for key in untouched)
    others = [rule for rule in before["rules"] if rule["kind"] not in ("game-size", "books")]
    assert [rule for rule in data["rules"] if rule in others] == others


MACHINES = {"of": "keyword:war-machine"}
#: A sentence of each kind, and what the pack says then.
WRITTEN: list[tuple[str, tuple[dict[str, str], ...], dict[str, Any], str, dict[str, Any]]] = [
    (
        "limit",
        ({**MACHINES, "count": "units"},),
        {"side": "max", "number": "2"},
        "Each list can have at most 2 units: War Machine.",
        {"kind": "limit", "count": "units", "of": {"keyword": "war-machine"}, "max": 2},
    ),
    (
        "limit",
        ({"of": "category:characters", "count": "percent"},),
        {"side": "max", "number": "40"},
        "Each list can have at most 40% of its points in: Characters.",
        {"count": "points", "max": {"share": "2/5", "of": "limit"}},
    ),
    (
        "limit",
        ({"of": "category:core", "count": "units"},),
        {"side": "min", "number": "2", "top": "5"},
        "Each list must have 2 to 5 units: Core.",
        {"count": "units", "of": {"category": "core"}, "min": 2, "max": 5},
    ),
    (
        "none",
        ({"names": "Binding Scroll; High Prince (Highborn Elves)"},),
        {},
        "Not allowed: Binding Scroll or High Prince (Highborn Elves).",
        {
            "count": "picks",
            "of": {"any": [{"option": "binding-scroll"}, {"unit": "highborn-elves/high-prince"}]},
            "max": 0,
        },
    ),
    (
        "items",
        ({"of": "item:artefact"},),
        {"number": "1"},
        "Each unit can take at most 1 of: Artefact.",
        {"kind": "per-unit", "of": {"item": "artefact"}, "max": 1, "what": "Artefact"},
    ),
    (
        "copies",
        ({"count": "units", "but": "Core (Category)"},),
        {"number": "3"},
        "Each at most 3 times in a list: all, except Core.",
        {"kind": "copies", "of": {"not": {"category": "core"}}, "count": "units", "max": 3},
    ),
    (
        "less",
        (),
        {"number": "100", "books": ["asklanders"]},
        "Cost at least 100 points less than the limit.",
        {"kind": "limit", "count": "points", "max": {"limit_less": 100}},
    ),
    (
        "weighted",
        (
            {**MACHINES, "count": "units"},
            {"of": "height:gigantic", "number": "3/2", "count": "units"},
        ),
        {"side": "max", "number": "4"},
        "Each list can have at most 4 in all: War Machine and 3/2 × Gigantic.",
        {
            "counts": [
                {"of": {"keyword": "war-machine"}},
                {"of": {"height": "gigantic"}, "each": "3/2"},
            ]
        },
    ),
    (
        "some",
        (
            {**MACHINES, "count": "units", "side": "max", "number": "1"},
            {"of": "category:core", "count": "percent", "side": "min", "number": "30"},
        ),
        {"number": "1"},
        "Each list must meet at least 1 of these 2 restrictions.",
        {
            "among": [
                {
                    "counts": [{"of": {"keyword": "war-machine"}}],
                    "max": 1,
                    "name": "at most {number} unit: War Machine",
                },
                {
                    "counts": [{"of": {"category": "core"}, "count": "points"}],
                    "min": {"share": "3/10", "of": "limit"},
                    "name": "at least {number} of the points: Core",
                },
            ]
        },
    ),
    (
        "score",
        ({**MACHINES, "count": "units"},),
        {"number": "5", "free": "2"},
        "5 for each: War Machine",
        {"points": 5, "from": 2},
    ),
    (
        "lift",
        (),
        {"rule": "category-core-points-min"},
        "Does not apply: Army books: Core, minimum points",
        {"rule": "category-core-points-min"},
    ),
    (
        "team-unit-once",
        ({"of": "category:characters"},),
        {"number": "1"},
        "A team can use each of these only once: Characters.",
        {"kind": "unit-once", "of": {"category": "characters"}},
    ),
    (
        "team-book-values",
        ({"of": "book:ogre-khans", "number": "3"}, {"of": "book:dwarven-holds", "number": "2"}),
        {"number": "4"},
        "The army books of a team can be worth at most 4: Ogre Khans 3 and Dwarven Holds 2.",
        {"kind": "book-values", "values": {"ogre-khans": 3, "dwarven-holds": 2}, "max": 4},
    ),
    ("class", (MACHINES,), {"summary": "Shots"}, "Shots", {"of": [{"keyword": "war-machine"}]}),
]


def entry_at(data: Any, key: str) -> Any:
    for step in key.split("/"):
        data = data[int(step) if isinstance(data, list) else step]
    return data


def test_each_sentence_is_an_entry_of_the_pack_and_opens_again_as_it_was_written() -> None:
    organiser = Organiser("four-banners")
    text = json.dumps(organiser.data)
    for asks, rows, fields, sentence, entry in WRITTEN:
        known = [one["key"] for one in organiser.form("look", text=text).context["entries"]]
        page = organiser.keep(asks, *rows, **{"place": "9.9", **fields}, text=text)
        assert page.status_code == 200, (asks, page.context["refused"])
        (new,) = [one for one in page.context["entries"] if one["key"] not in known]
        assert new["text"] == sentence
        text = page.context["text"]
        found = entry_at(json.loads(text), new["key"])
        assert entry.items() <= found.items(), asks
        opened = organiser.form(f"open:{new['key']}", text=text)
        form = opened.context["sentence"]
        for name, value in fields.items():
            assert str(form[name].value()) == str(value) or form[name].value() == tuple(value)
        for row, sent in zip(form.rows, rows, strict=False):
            assert {name: row[name].value() or "" for name in sent} == sent
        # Its words in another language are no wording of the organiser's own.
        assert asks == "class" or not form.fields.get("summary") or not form["summary"].value()
    assert organiser.form("save", text=text).status_code == 302
    for key in ("rules/3", "team/rules/2"):
        less = organiser.form(f"remove:{key}", text=text)
        assert entry_at(json.loads(text), key) not in json.loads(less.context["text"])["rules"]


@pytest.mark.parametrize("pack_id", PACKS)
def test_a_sentence_that_is_not_changed_changes_nothing(pack_id: str) -> None:
    pack = PACKS[pack_id]
    names = PackNames(LIBRARY, LIBRARY.systems[pack.system], pack.data)
    for entry in entries_of(pack.data):
        if entry.sentence is not None:
            assert with_sentence(pack.data, entry.sentence, names, entry.key) == pack.data


def test_a_word_of_a_rule_changes_and_its_text_follows() -> None:
    organiser = Organiser("lantern-cup")
    row = {"of": "", "but": "Characters (Category)", "count": "models"}
    before = organiser.data["rules"][5]
    about: dict[str, Any] = {"side": "max", "place": "2.3", "key": "rules/5"}
    wrong = organiser.keep("each-unit", row, number="40", summary=before["summary"], **about)
    assert "Your wording says 50, but the rule has 40." in said(wrong, 422)
    own = organiser.keep("each-unit", row, number="40", summary="Never over {number}!", **about)
    after = json.loads(own.context["text"])["rules"][5]
    assert after == before | {"max": 40, "summary": "Never over {number}!"}
    assert "Never over 40!" in said(own)
    # For some books the rule moves to their part, where another takes its place.
    for books, number in ((["asklanders", "dread-elves"], "30"), ([], "20")):
        moved = organiser.keep(
            "each-unit", row, number=number, summary="", books=books, rule="cup-dear" * bool(books),
            **about, text=json.dumps(organiser.data),
        )  # fmt: skip
        data = json.loads(moved.context["text"])
        if books:
            (part,) = data["book_rules"]
            assert (part["books"], part["replace"][0]["by"]["max"]) == (books, 30)
            assert len(data["rules"]) == len(organiser.data["rules"]) - 1
            back = organiser.form("remove:book_rules/0/replace/0", text=json.dumps(data))
            assert "book_rules" not in json.loads(back.context["text"])
        else:
            assert data["rules"][5]["max"] == 20


def test_more_parts_are_offered_and_no_sent_form_breaks_the_page() -> None:
    organiser = Organiser()
    part = {"count": "models", "side": "max", "number": "1", "of": "tag:shooter"}
    page = organiser.keep("some", part, part, go="row", number="")
    rows = page.context["sentence"].rows
    assert (page.status_code, len(rows)) == (200, 4)
    assert [row["of"].value() for row in rows] == ["tag:shooter"] * 2 + [None] * 2
    for sent in (
        {"go": "keep", "asks": "some"},
        {"go": "keep", "asks": "limit", "part-TOTAL_FORMS": "x"},
        {"go": "keep", "asks": "less", "s-number": "1", "part-TOTAL_FORMS": "3"},
    ):
        assert organiser.form(**sent).status_code == 422, sent


def test_settings_of_a_game_are_fixed_by_their_names() -> None:
    organiser = Organiser("gatehouse-assault")
    page = organiser.keep("fixed", values=["scenario:assault", "scenario:bounty"])
    new = page.context["entries"][-1]
    rule = entry_at(json.loads(page.context["text"]), new["key"])
    assert (rule["setting"], rule["values"]) == ("scenario", ["assault", "bounty"])
    assert new["text"].startswith("Scenario: Assault or ")
    two = organiser.keep("fixed", values=["scenario:assault", "game:sealed"])
    assert "Choose values of one setting." in said(two, 422)
    players = [one for one in entries_of(PACKS["cellar-night"].data) if one.key == "rules/1"]
    assert [one.sentence and one.sentence.values for one in players] == [("players:#2",)]


def test_a_rule_about_one_unit_judges_lists() -> None:
    organiser = Organiser()
    unit = "Human Warrior (Profiles of the rulebook, as played)"
    page = organiser.keep("none", {"names": unit}, summary="No humans.")
    assert organiser.form("save", text=page.context["text"]).status_code == 302
    opened = organiser.client.post(
        "/new/sbh/", {"name": "Men", "limit": "300", "books": "profiles"}
    )
    place = opened["Location"]
    organiser.client.post(f"{place}act/", {"act": "add", "ref": "profiles/human-warrior"})
    judged = said(organiser.client.get(f"{place}event/?pack={organiser.pack.pk}"))
    assert "No humans." in judged.partition("Verdict at the event")[2]
    # A deleted pack stays with the lists built for it.
    key = str(organiser.pack.pk)
    made = organiser.client.post(
        "/new/sbh/", {"name": "Men", "limit": "300", "books": "profiles", "pack": key}
    )
    assert organiser.client.post(f"{organiser.url}delete/").status_code == 302
    assert organiser.client.get(organiser.url).status_code == 404
    page = said(organiser.client.get(f"{made['Location']}event/"))
    assert "building for this event" in page


#: Sentences that lack something: what is sent, and the words of the error.
LACKING: list[tuple[str, tuple[dict[str, str], ...], dict[str, str], str]] = [
    ("limit", ({"count": "models"},), {"side": "max"}, "required"),
    ("limit", ({"count": "models", "of": "x:y"},), {"side": "max", "number": "1"}, "not one of"),
    ("limit", ({"count": "models", "names": "Nobody"},), {"side": "max", "number": "1"}, "no unit"),
    ("none", ({},), {}, "Choose what the rule is about"),
    ("limit", (), {"side": "max", "number": "1"}, "Choose what the rule is about"),
    ("limit", ({"count": "models"},), {"side": "max", "number": "1", "top": "2"}, "at least"),
    ("limit", ({"count": "models"},), {"side": "min", "number": "3", "top": "2"}, "below the min"),
    ("lift", (), {}, "Choose the rule"),
    ("x", (), {}, "Choose a kind of rule"),
    ("items", ({"of": "tag:shooter"},), {"number": "1"}, "not units"),
    ("some", ({"count": "models", "side": "max", "number": "1"},), {"number": "1"}, "2 rows"),
    ("weighted", ({"count": "models", "number": "1/0"},), {"number": "1", "side": "max"}, "whole"),
    ("team-book-once", (), {"number": "1"}, "lists per team"),
    ("team-book-values", ({"number": "3"},), {"number": "4"}, "another army book"),
    ("team-book-values", ({"of": "book:profiles", "number": "1/2"},), {"number": "4"}, "whole"),
]


def test_what_is_wrong_is_reported_and_nothing_is_lost() -> None:
    organiser = Organiser()
    wrong: list[tuple[dict[str, str], str]] = [
        ({"text": "{"}, "JSON"),
        ({"text": "{}"}, "required"),
        ({"text": "[1]"}, ""),
        ({"name": ""}, "required"),
        ({"sizes": "many"}, "whole numbers of points"),
        ({"lists": "0"}, "greater than or equal to 1"),
        ({"books": "nobody"}, "not one of the available choices"),
        ({"go": "begin", "begin": "x"}, "Choose a kind of rule"),
        ({"go": "open:rules/99"}, "no such rule"),
        ({"go": "remove:rules/x"}, "no such rule"),
    ]
    for asks, rows, fields, told in LACKING:
        page = organiser.keep(asks, *rows, **fields)
        assert told in said(page, 422), (asks, fields)
    for changed, told in wrong:
        page = organiser.form(**{"about": "Written just now", **changed})
        assert told in said(page, 422), changed
        assert "Written just now" in page.text
    assert organiser.pack.number == 1
    # What was changed in the text and in the form is both kept.
    text = {**organiser.data, "about": "Written in the text."}
    assert organiser.form(name="From the form", text=json.dumps(text)).status_code == 302
    assert organiser.data["name"] == "From the form"
    assert organiser.data["about"] == "Written in the text."
    # A form that doesn't say how it was made is taken as it is.
    for number, was in enumerate(("", "[" * 100_000)):
        assert organiser.form(name=f"Form {number}", was=was).status_code == 302
        assert organiser.data["name"] == f"Form {number}"
    # So are both names of a pack that is saved in two tabs.
    assert organiser.form(name="First tab").status_code == 302
    late = organiser.form(name="Second tab", seen="1")
    assert lacking(said(late, 422), "saved elsewhere since you opened it", "Second tab") == []
    assert organiser.data["name"] == "First tab"


def test_versions_stay_readable_by_whoever_has_the_address(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    organiser = Organiser()
    organiser.form(name="Heron Cup")
    other = Client()
    newest = said(other.get(organiser.url))
    assert lacking(newest, "Heron Cup", "Copied from Raven Cup") == []
    assert "Change it" not in newest
    first = said(other.get(f"{organiser.url}1/"))
    assert "There is a newer version." in first
    assert other.get(f"{organiser.url}2/pack.json").json() == organiser.data
    assert other.get(f"{organiser.url}3/").status_code == 404
    for page in ("edit/", "delete/"):
        assert other.post(f"{organiser.url}{page}").status_code == 404
    copied = other.post("/packs/new/", {"copy": str(organiser.pack.pk)})
    assert copied.status_code == 302
    assert OwnPack.objects.count() == 2
    # Its pages cost few queries.
    for address in (organiser.url, f"{organiser.url}edit/", "/packs/"):
        with django_assert_max_num_queries(12):
            said(organiser.client.get(address))


def test_packs_and_versions_are_limited_in_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_PACKS", 1)
    monkeypatch.setattr(services, "MOST_VERSIONS", 2)
    organiser = Organiser()
    said(organiser.client.post("/packs/new/", {"copy": "raven-cup"}), 422)
    for number in range(4):
        assert organiser.form(name=f"Cup {number}").status_code == 302
    assert [one.number for one in PackVersion.objects.order_by("number")] == [4, 5]
    monkeypatch.setattr(services, "MOST_SIZE", 100)
    said(organiser.form(name="One more"), 422)
    assert organiser.pack.number == 5


LIBRARY = shipped_library()


def changed(pack: str, *rules: dict[str, Any]) -> Pack:
    data = json.loads(json.dumps(LIBRARY.packs[pack].data))
    for number, rule in enumerate(rules):
        head = {"id": f"more-{number}", "code": "event.more", "cite": "9"}
        data["rules"].append({**head, "summary": "More.", **rule})
    return read_pack(data)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", sorted(LIBRARY.packs))
def test_every_pack_in_the_box_leaves_lists(name: str) -> None:
    assert possible_with(LIBRARY.packs[name], LIBRARY).dead == ()


def test_a_pack_that_leaves_no_list_is_reported() -> None:
    wants = {"kind": "limit", "count": "models", "min": 500}
    found = possible_with(changed("raven-cup", wants), LIBRARY)
    assert found.dead == ("Song of Blades and Heroes (300)",)
    # Books that the pack does not allow are no contradiction.
    only = {"kind": "books", "allow": ["asklanders"]}
    assert possible_with(changed("lantern-cup", only), LIBRARY).dead == ()


CHARACTERS = {"of": "category:characters", "count": "units"}


@pytest.mark.parametrize(
    ("least", "most", "clashes"),
    [
        (3, {**CHARACTERS, "number": "2"}, True),
        (3, {**CHARACTERS, "number": "3"}, False),
        (3, {"count": "units", "number": "2"}, True),
        (1, {"of": "category:core", "count": "units", "number": "0"}, False),
        (4, {**CHARACTERS, "count": "models", "number": "2"}, False),
        (4, {**CHARACTERS, "but": "Core (Category)", "number": "2"}, False),
        (4, {**CHARACTERS, "number": "2", "books": ["asklanders"]}, True),
    ],
)
def test_numbers_that_contradict_are_said_at_once_and_on_the_page_of_a_draft_event(
    least: int, most: dict[str, Any], clashes: bool
) -> None:
    organiser = Organiser("lantern-cup")
    text = organiser.keep("limit", CHARACTERS, side="min", number=str(least)).context["text"]
    about = {"side": "max", "number": most["number"], "books": most.get("books", [])}
    row = {key: value for key, value in most.items() if key not in about}
    page = organiser.keep("limit", row, **about, text=text)
    assert ("contradict each other" in said(page)) == clashes
    assert bool(page.context["contradictions"]) == clashes


def test_a_draft_of_an_event_says_that_its_pack_contradicts_itself() -> None:
    few = {"kind": "limit", "count": "models", "max": 2, "summary": "Two at most."}
    many = {"kind": "limit", "count": "models", "min": 3, "summary": "Three at least."}
    event = draft_event("olga", changed("raven-cup", few, many))
    page = said(held("olga").get(f"/events/{event.pk}/"))
    assert "Three at least. – Two at most." in page


def test_contradicting_rules_are_named_with_book_and_size() -> None:
    # A contradiction is told where it is proved.
    organiser = Organiser()
    fine = organiser.form("possible")
    assert "A legal list was found for 1 choice of book and size." in said(fine)
    page = organiser.keep("limit", {"count": "models"}, side="min", number="500")
    text = page.context["text"]
    assert "no legal list is possible with" in said(organiser.form("possible", text=text))
    # It is told which rules contradict and no others.
    many = {"kind": "limit", "count": "models", "min": 8, "summary": "Eight models at least."}
    few = {"kind": "limit", "count": "models", "max": 5, "summary": "Five models at most."}
    (why,) = possible_with(changed("raven-cup", many, few), LIBRARY).why
    assert [said for said, _ in why.rules] == ["Eight models at least.", "Five models at most."]
    assert {citation for _, citation in why.rules} == {"Pack 9"}
    assert why.minimal


def test_special_rules_are_called_as_their_books_call_them() -> None:
    names = PackNames(LIBRARY, LIBRARY.systems["t9a-2023"], {})
    keys = ("keyword:war-machine", "keyword:willbreaker-s-craft", "keyword:yer-comin-with-me")
    assert [*map(names.name_of, keys)] == [
        "War Machine",
        "Willbreaker’s Craft",
        "Yer comin' with me!",
    ]


def test_sets_of_cards_are_barred_and_cards_of_unknown_sets_are_not_checked() -> None:
    organiser = Organiser(system="chainmail-2002", name="League")
    sets = {"names": "Set 3 (Set of cards); Set 5 (Set of cards)"}
    page = organiser.keep("none", sets)
    assert "Not allowed: Set 3 or Set 5." in said(page)
    rule = entry_at(json.loads(page.context["text"]), "rules/0")
    assert rule["of"] == {"set": ["set-3", "set-5"]}
    opened = organiser.form("open:rules/0", text=page.context["text"]).context["sentence"]
    written = {opened.rows[0][name].value() for name in ("of", "names")}
    assert written == {"set:set-3", "Set 5 (Set of cards)"}
    questions = organiser.form("possible", text=page.context["text"]).context["questions"]
    assert [one.said for one in questions] == ["may count towards: Not allowed: Set 3 or Set 5."]
    assert ("Cards known from public pages", 14) in questions[0].books
