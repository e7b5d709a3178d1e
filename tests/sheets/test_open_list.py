"""What opponents may know of an army before the game, and the hash of that."""

import json
import random
from collections import defaultdict
from typing import Any

import pytest
from django.test import Client

from armybuilder.engine.options import Offer
from armybuilder.loading.documents import hash_of, judge, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.hidden import hidden, letters, open_document, open_hash
from armybuilder.sheets.content.make import HASH, Material
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.printing.printouts import print_list
from armybuilder.sheets.texts.forms import FORMS
from armybuilder.sheets.texts.lines import draw_text
from tests.building.documents import list_of, value_of
from tests.building.towers import (
    GENERAL,
    army_document,
    army_sheet_of,
    block,
    catalogue,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.effort import THOROUGH
from tests.sheets.papers import DAY, EXAMPLES, example, long_army, material

BANNER = unit("guard", 10, options=[option("standard", "red-banner")])
PLAIN = unit("guard", 10, options=[option("standard")])


def titles(kind, *units):
    return [unit.title for unit in army_sheet_of(army_document(*units), kind).army.units]


def test_an_open_list_hides_items_and_notes():
    # Special items and what works like them are left out with their points.
    entry = unit("champion", options=[option("tall"), option("crown"), option("horns")])
    told = block(entry, "open")
    assert [option.name for option in told.options] == ["Tall"]
    assert (told.items, told.points) == ((), 205)
    assert told.given == ("Sword",)
    # What a hidden item changes does not show.
    entry = unit("champion", options=[option("crown"), option("horns")])
    assert block(entry).rows[0].cells[-1].value == "9"
    told = block(entry, "open")
    assert told.rows[0].cells[-1].value == "5"
    assert told.rules == ("Fearless",)
    # What only a hidden item allows is hidden with it: The second path of a wizard would betray
    # the item that allows it.
    plain = ["wizard-adept", "pyromancy"]
    made = [
        Material(value_of(mage(options)), shipped_library(), DAY)
        for options in (plain, [*plain, "essence-of-a-free-mind", "cosmology-2"])
    ]
    for one in made:
        (wizard,) = one.open_sheet.army.divisions[0].units
        assert wizard.wizard.path == "Pyromancy"
        assert "Cosmology" not in draw_text(one.open_sheet)
    assert made[0].open_hash == made[1].open_hash
    assert "Cosmology or Pyromancy" in draw_text(made[1].sheet)
    # Notes stay at home.
    told = army_sheet_of(army_document(PLAIN | {"notes": "red is real"}, notes="secret"), "open")
    assert (told.notes, told.army.units[0].notes) == ("", "")
    # No name of a hidden item is anywhere on it.
    for document in (legal_army(), illegal_army()):
        text = draw_text(army_sheet_of(document, "open"))
        for name in ("Crown", "Wand", "Red Banner"):
            assert name not in text
    # Options of groups that follow the rules for items are hidden.
    entry = unit("champion", options=[option("horns"), option("tall")])
    (pick,) = make_roster(value_of(army_document(entry)), catalogue()).picks
    assert {taken.id: hidden(taken) for taken in pick.picks} == {
        "sword": False,
        "horns": True,
        "tall": False,
    }
    # An option that no book knows may have been an item and is not named.
    document = army_document(unit("champion", options=[option("sword-of-light")]))
    assert "sword-of-light" in draw_text(army_sheet_of(document))
    assert "sword-of-light" not in draw_text(army_sheet_of(document, "open"))


def mage(options):
    taken = {
        "unit": "highborn-elves/mage",
        "models": 1,
        "options": [{"id": each} for each in options],
    }
    return list_of("t9a-2023", ["highborn-elves"], [taken], limit=4500)


def test_an_open_list_has_the_verdict_of_the_whole_list():
    # Shares and totals lack the hidden points but not the judgement.
    told = army_sheet_of(legal_army(), "open")
    assert told.verdict == "Legal, within 1500 points."
    assert told.price == "1380 points without special items, game of 1500"
    assert [share.points for share in told.army.shares] == [200, 1180, 0]
    assert (told.army.total.points, told.army.total.state, told.army.left) == (1380, "ok", None)
    # An illegal list stays illegal and counts what it does not tell.
    full, told = army_sheet_of(illegal_army()), army_sheet_of(illegal_army(), "open")
    assert told.verdict == full.verdict
    assert told.findings[0].sentence == "4 findings are shown on the full list only."
    assert told.findings[0].severity == "error"
    assert set(told.findings[1:]) < set(full.findings)
    # An unfinished list lacks things and has no errors.
    document = army_document(unit("guard", 10), limit=1500)
    full, told = army_sheet_of(document), army_sheet_of(document, "open")
    assert full.verdict.startswith("Not legal yet: ")
    for one in (full, told):
        assert one.unfinished
        assert {finding.severity for finding in one.findings} == {"to-do"}
    assert "shown on the full list only" in told.findings[0].sentence
    # Findings on points are kept back also where nothing is hidden.
    document = army_document(unit("guard", 10), unit("trolls", 6), unit("trolls", 6))
    full, told = army_sheet_of(document), army_sheet_of(document, "open")
    kept = set(full.findings) - set(told.findings)
    assert told.findings[0].sentence == f"{len(kept)} findings are shown on the full list only."
    assert kept
    assert any("spend at least 375" in finding.sentence for finding in kept)


@pytest.mark.parametrize("kind", ["full", "open"])
def test_units_that_look_the_same_have_letters_on_both_lists(kind):
    told = titles(kind, PLAIN, BANNER, unit("guard", 11), PLAIN)
    assert told == ["10 Guard A", "10 Guard B", "11 Guard", "10 Guard C"]


def test_open_lists_have_letters_and_file_names_of_their_own():
    # Letters do not betray that something is hidden.
    assert titles("open", PLAIN, PLAIN) == titles("open", PLAIN, BANNER)
    # Units of different names or roles need no letters.
    named = PLAIN | {"name": "The Red Guard"}
    assert titles("full", PLAIN, named) == ["10 Guard", "10 The Red Guard"]
    assert titles("full", GENERAL, unit("champion")) == ["Champion", "Champion"]
    # Letters go on after z.
    roster = make_roster(value_of(army_document(*[PLAIN] * 28)), catalogue())
    assert list(letters(roster).values())[25:] == ["Z", "AA", "AB"]
    # Files of it have a name of their own.
    assert army_sheet_of(legal_army()).heading == "Test army"
    assert army_sheet_of(legal_army(), "open").heading == "Test army (open list)"


Data = dict[str, Any]
ARMIES = {name: example(name) for name in EXAMPLES if name.startswith("t9a-")}
ARMIES["long"] = long_army()
VARIANTS = 12 if THOROUGH else 6


def otherwise(options: list[Any], offer: Offer, chance: random.Random, chosen: str) -> list[Data]:
    """The options with the same open ones, and other hidden ones: none, or some of the offer. An
    enchantment goes on what the old one was on.
    """
    hidden = sorted(key for key, slots in offer.slots.items() if slots[0].option.item)
    kept = []
    for entry in ({"id": one} if isinstance(one, str) else one for one in options):
        if entry["id"] in hidden:
            continue
        if entry["id"] in offer.slots:
            inner = offer.slots[entry["id"]][0].option.offer
            below = otherwise(entry.get("options", []), inner, chance, chosen)
            entry = {**entry, "options": below} if below else without(entry, "options")
            if not below and offer.slots[entry["id"]][0].option.given:
                continue
        kept.append(entry)
    wanted = chance.randint(0, 2) if chosen == "some" and hidden else 0
    return kept + [{"id": key} for key in chance.sample(hidden, min(wanted, len(hidden)))]


def without(entry: Data, key: str) -> Data:
    return {name: value for name, value in entry.items() if name != key}


def variant(document: Data, seed: int) -> Data:
    """The list with other hidden items and other notes; the first has none."""
    chance = random.Random(f"{document['name']} {seed}")  # noqa: S311
    units = (
        shipped_library()
        .catalogue(document["system"], [book["id"] for book in document["books"]])
        .units
    )
    changed = []
    for entry in document["units"]:
        unit = units.get(entry.get("unit"))
        if unit is not None:
            chosen = "some" if seed and chance.random() < 0.3 else "none"
            entry = {
                **entry,
                "options": otherwise(entry.get("options", []), unit.offer, chance, chosen),
                "notes": f"note {seed}" * seed,
            }
        changed.append(entry)
    return {**document, "units": changed, "notes": "n" * seed}


def judged_alike(document: Data) -> dict[object, list[Data]]:
    """Variants of a list by what an open list is meant to tell: how the whole is judged."""
    alike = defaultdict(list)
    for seed in range(VARIANTS):
        made = variant(document, seed)
        report = judge(value_of(made), shipped_library()).report
        graveness = tuple(sorted((one.severity.value, one.state.value) for one in report.findings))
        openly = sentences_of(material(made))
        alike[graveness, len(report.unchecked), openly].append(made)
    return alike


def sentences_of(made: Any) -> tuple[str, ...]:
    """The findings that the open list tells: a hidden item may cure one of them."""
    return tuple(finding.sentence for finding in made.open_sheet.findings)


def open_forms(document: Data, client: Client) -> dict[str, bytes]:
    """Everything that is made of a list to be seen by opponents."""
    made = material(document)
    forms = {f"text {name}": form.draw(made.open_sheet).encode() for name, form in FORMS.items()}
    forms["sheet"] = repr(made.open_sheet).encode()
    forms["pdf"] = print_list(made, Setup(kinds=("hidden", "blank"), duplex=True))
    forms["document"] = json.dumps(
        open_document(made.document, made.roster, made.system.sized).to_dict()
    ).encode()
    for query in ("text/?kind=open", "text/?form=markdown&kind=open"):
        answer = client.post(f"/api/v1/{query}", json.dumps(document), "application/json")
        assert answer.status_code == 200
        del answer.headers["X-Request-ID"]  # of this one answer alone
        forms[query] = str(sorted(answer.headers.items())).encode() + answer.content
    return forms


@pytest.mark.long
@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", ARMIES)
def test_lists_that_differ_in_hidden_items_only_have_the_same_open_forms(name, client):
    alike = [group for group in judged_alike(ARMIES[name]).values() if len(group) > 1]
    assert alike
    for documents in alike:
        assert len({hash_of(value_of(one)) for one in documents}) == len(documents)
        # The two that differ most.
        first, last = (open_forms(documents[place], client) for place in (0, -1))
        assert [form for form in first if first[form] != last[form]] == []


def test_a_hash_follows_content_and_books():
    # The hash on an open list is of what it shows whatever is hidden.
    hashes = set()
    for seed in range(VARIANTS):
        made = material(variant(long_army(), seed))
        assert made.open_sheet.hash == made.open_hash[:HASH]
        assert made.sheet.hash == hash_of(made.document)[:HASH]
        hashes.add(made.open_hash)
    assert len(hashes) == 1
    # What is open changes the hash.
    document = long_army()
    first, *rest = document["units"]
    renamed = document | {"units": [first | {"name": "The Grey Ones"}, *rest]}
    assert material(renamed).open_hash != material(document).open_hash
    # A game without hidden items leaves out the notes alone.
    name = next(name for name in EXAMPLES if name.startswith("sbh/"))
    document = without(example(name), "notes")
    plain, noted = material(document), material(document | {"notes": "Wednesday"})
    assert plain.open_hash == noted.open_hash
    assert plain.sheet.hash != noted.sheet.hash
    judged = judge(noted.document, shipped_library())
    assert open_hash(noted.document, judged.roster, sized=False) == noted.open_hash
    assert noted.open_sheet.hash == noted.open_hash[:HASH]
    assert (noted.sheet.open_hash, plain.open_sheet.open_hash) == (noted.open_hash[:HASH], "")
