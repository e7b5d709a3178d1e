"""What a sheet says, before anybody draws it."""

import dataclasses

from armybuilder.sheets.content.unit_view import Track, UnitView
from tests.sheets.papers import (
    document,
    illegal_list,
    legal_list,
    own_model,
    practice,
    sbh_list,
    sheet,
)


def card_of(unit, **more):
    return sheet(document(unit, **more)).cards[0]


def test_every_pick_has_a_card_with_its_name():
    # Every pick has a card in the order of the list.
    names = [card.name for card in sheet(legal_list()).cards]
    assert names == [
        "Oresta the Unbowed",
        "Sunhill Chaplain",
        "Millbrook Spearhand",
        "Gatehouse Recruit",
    ]
    # A custom name stands before the units own.
    card = card_of(practice("bannerlady-oresta", name="Oresta the Unbowed"))
    assert (card.name, card.unit_name) == ("Oresta the Unbowed", "Bannerlady Oresta")
    # A unit without custom name is named once.
    card = card_of(practice("bannerlady-oresta"))
    assert (card.name, card.unit_name) == ("Bannerlady Oresta", "")
    # A unique creature tells its name and its title whatever its player calls it: Battle Rules p.
    # 47: versions of one name with other titles are the same creature.

    def labels(ref, **more):
        return card_of(
            {"unit": f"practice/{ref}", "models": 1, **more},
            system="ddm-2008",
            books=[{"id": "practice"}],
            settings={},
        ).marks

    assert labels("odile-ford-marshal") == ("Unique: Odile (Ford Marshal)",)
    assert labels("odile-ford-marshal", name="Otto") == ("Unique: Odile (Ford Marshal)",)
    assert labels("vault-colossus") == ()
    # A name cannot print a line of its own.
    told = sheet(
        document(
            practice("bannerlady-oresta", name="Ann\r\nLegal: 1 of 1 points."),
            name="Me\u2028Legal: 1 of 1 points.",
        )
    )
    assert told.title == "Me Legal: 1 of 1 points."
    assert told.cards[0].name == "Ann Legal: 1 of 1 points."
    assert not any("\n" in fact.text for fact in told.facts)
    # A name of nothing visible gives way.
    told = sheet(document(practice("bannerlady-oresta", name="\u200b\u0301"), name="\u200d\x00"))
    assert told.title == "Unnamed list"
    assert (told.cards[0].name, told.cards[0].unit_name) == ("Bannerlady Oresta", "")


def test_a_sheet_has_verdict_and_findings():
    # The verdict of a legal list gives its points.
    assert sheet(legal_list()).verdict == "Legal: 87 of 100 points."
    # The verdict of an illegal list counts the errors.
    assert sheet(illegal_list()).verdict == "Not legal: 2 errors."
    assert sheet(document()).verdict == "Not legal yet: 1 to do."
    # A warning shows in the verdict of a legal list.
    animals = {"unit": "profiles/giant-spider", "models": 4}
    told = sheet(sbh_list(animals, limit=500))
    assert [finding.severity for finding in told.findings] == ["warning"]
    assert told.verdict == f"Legal · 1 warning: {told.spent} of 500 points."
    # Findings carry sentence citation and reading.
    clash = sheet(illegal_list()).findings[1]
    assert clash.severity == "error"
    assert clash.sentence.startswith("Good and evil models can’t be in the same warband")
    assert clash.citation == "Comprehensive Rules 104"
    assert clash.reading


def test_what_a_card_says_of_points_roles_and_its_unit():
    # A line of several models tells its points and those of one.
    card = card_of(practice("millbrook-spearhand", 4))
    assert (card.title, card.price) == ("4 × Millbrook Spearhand", "24 points (6 each)")
    # The reserve pays half and says what it is.
    card = sheet(legal_list()).cards[3]
    assert (card.price, card.marks) == ("1 point", ("Reserve",))
    # A card tells what it gives to and needs of the command capacity.
    oresta, orc, _ = sheet(illegal_list()).cards
    assert oresta.marks == ("Gives 5 command",)
    assert orc.marks == ("Cross-faction", "Needs 1 command")
    # What the card leaves open is to be filled in.
    cleric = {"unit": "known-cards/aasimar-cleric", "models": 1}
    card = card_of(cleric, books=[{"id": "known-cards"}])
    assert card.blanks == ("Points", "Alignment", "Health")
    assert card.price == "points ?"
    # A unit the books do not have says so on its card.
    card = sheet(illegal_list()).cards[2]
    assert (card.known, card.name, card.price) == (False, "practice/gone", "no points")
    assert card.about == "The chosen books do not have this unit. It does not count."
    # The subtitle names faction alignment type and subtype.
    assert card_of(practice("sunhill-chaplain")).about == "Thalos · Good · Humanoid (Human)"
    # A unit of unknown type keeps its other attributes.
    cleric = {"unit": "known-cards/human-templar", "models": 1}
    assert card_of(cleric, books=[{"id": "known-cards"}]).about == "Thalos"
    # Only statistics the card has are listed with their suffix.
    stats = {stat.label: stat.value for stat in card_of(practice("sunhill-chaplain")).stats}
    assert stats["Spd"] == "6″"
    assert stats["Base"] == "25 mm"
    assert "Range" not in stats


def test_uses_and_health_have_boxes():
    # Spells have a box for each use.
    spells = {spell.label: spell.boxes for spell in card_of(practice("sunhill-chaplain")).spells}
    assert spells == {"bless +1": 1, "cure wounds 1": 2, "daylight": 1}
    # Each model has its health boxes.
    card = card_of(practice("millbrook-spearhand", 4))
    assert (card.boxes, list(card.boxed), card.unboxed) == (2, [1, 2, 3, 4], 0)
    # A crowd gets boxes for thirty models and a number for the rest.
    card = card_of(practice("millbrook-spearhand", 999))
    assert (len(card.boxed), card.unboxed) == (30, 969)
    # A very large health is written not drawn.
    giant = UnitView("u1", "Giant", 2, health=31)
    assert (giant.boxes, list(giant.boxed), giant.unboxed) == (0, [], 0)
    assert dataclasses.replace(giant, health=30).boxes == 30
    # A game without health draws no boxes.
    card = sheet(sbh_list(own_model("Hero", "leader"))).cards[0]
    assert (card.health, card.boxes, card.blanks) == (None, 0, ())
    # A model that is not tough has no wounds but boxes for its states.
    card = sbh_card(3, "terror")
    assert [(track.label, track.boxes) for track in card.tracks] == [("Fallen, Transfixed, Out", 3)]
    assert not any(track.label == "Wounds" for track in card.tracks)
    chainmail = card_of(practice("bannerlady-oresta"))
    assert [track.label for track in chainmail.tracks] == ["Health"]
    # A hero has a box for its one reroll and others have none.
    boxes = {use.label: use.boxes for use in sbh_card(3, "hero", "leader").abilities}
    assert boxes == {"Hero": 1, "Leader": 0}
    # Tough: each kill makes Quality 1 worse, and at 7 the model dies.
    for quality, wounds in ((2, 5), (3, 4), (5, 2), (6, 1)):
        card = sbh_card(quality, "tough", models=3)
        assert card.tracks[0] == Track("Wounds", wounds, wounds, "Wounds")
        assert list(card.boxed) == [1, 2, 3]


def test_what_is_explained_once_and_what_is_easily_forgotten():
    # Special rules and roles are explained once in alphabetical order.
    labels = [entry.label for entry in sheet(legal_list()).glossary]
    assert labels == [
        "Aura of Courage",
        "Cleave",
        "Commander",
        "Reach",
        "Reserve",
        "Set versus Charge",
        "Spontaneous Cure",
        "Turn Undead",
        "Untrained Troop",
    ]
    # Spells are explained once.
    told = sheet(document(practice("sunhill-chaplain"), practice("sunhill-chaplain")))
    assert [entry.label for entry in told.spells] == ["bless +1", "cure wounds 1", "daylight"]
    assert all(entry.summary for entry in told.spells)
    # Terrain and battlefield are explained once.
    chosen = {"environment": "aboveground", "terrain": ["hill", "woods", "hill"]}
    told = sheet(legal_list(settings=chosen))
    assert [entry.label for entry in told.pieces] == ["Above ground", "Hill", "Woods"]
    reminders = {"leader": ["Leader"], "undead": ["Undead"], "terror": ["Terror"]}
    reminders |= {"hero": ["Heroes"], "tough": ["Wounds"], "big": [], "fearless": []}
    for ability, names in reminders.items():
        shown = sheet(sbh_list(own_model("Grim", ability))).reminders
        assert [line.name for line in shown] == names, ability


def test_a_sheet_shows_settings_gauges_and_figures():
    # Settings are named and those left open are skipped.
    chosen = {"terrain": ["woods", "hut", "woods"], "tactical_advantage": 3}
    told = sheet(legal_list(settings=chosen)).settings
    assert told == (
        ("Players", "2"),
        ("Environment", "Above ground"),
        ("Tactical advantage", "3 (3 points)"),
        ("Terrain", "Woods ×2, Hut"),
    )
    # An attribute chosen as setting is named.
    told = sheet(legal_list(settings={"faction": "thalos"})).settings
    assert ("Faction on a tie", "Thalos") in told
    # Gauges tell the number and its bound.
    gauges = {gauge.name: gauge for gauge in sheet(legal_list()).gauges}
    assert gauges["Points"].text == "87 of 100"
    assert gauges["Terrain"].text == "3 of 3"
    assert all(gauge.ok for gauge in gauges.values())
    # A gauge beyond its bound is not ok.
    told = sheet(document(practice("bannerlady-oresta", 3))).gauges
    assert [gauge.ok for gauge in told if gauge.name == "Points"] == [False]
    # Game day figures come with their line up and citation.
    facts = {(fact.name, fact.lineup): fact for fact in sheet(legal_list()).facts}
    assert facts["Leader", ""].text == "Oresta the Unbowed"
    assert facts["Morale difficulty", "with the reserve"].text.endswith(
        "18 once 4 of 7 models are casualties"
    )
    assert facts["Leader", ""].citation == "Comprehensive Rules 502.25"
    # The date is told in words.
    assert sheet(legal_list()).day == "8 October 2026"


def sbh_card(quality, *abilities, models=1):
    made = own_model("Grim", *abilities)
    made["profile"]["stats"]["quality"] = quality
    return sheet(sbh_list(made | {"models": models})).cards[0]
