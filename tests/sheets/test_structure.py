"""What a sheet says, before anybody draws it."""

import dataclasses

import pytest

from armybuilder.sheets.content.structure import SheetCard, Track
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


def test_every_pick_has_a_card_in_the_order_of_the_list():
    names = [card.name for card in sheet(legal_list()).cards]
    assert names == [
        "Oresta the Unbowed",
        "Sunhill Chaplain",
        "Millbrook Spearhand",
        "Gatehouse Recruit",
    ]


def test_the_verdict_of_a_legal_list_gives_its_points():
    assert sheet(legal_list()).verdict == "Legal: 87 of 100 points."


def test_the_verdict_of_an_illegal_list_counts_the_errors():
    assert sheet(illegal_list()).verdict == "Not legal: 2 errors."
    assert sheet(document()).verdict == "Not legal yet: 1 to do."


def test_a_warning_shows_in_the_verdict_of_a_legal_list():
    animals = {"unit": "profiles/giant-spider", "models": 4}
    told = sheet(sbh_list(animals, limit=500))
    assert [finding.severity for finding in told.findings] == ["warning"]
    assert told.verdict == f"Legal · 1 warning: {told.spent} of 500 points."


def test_findings_carry_sentence_citation_and_reading():
    clash = sheet(illegal_list()).findings[1]
    assert clash.severity == "error"
    assert clash.sentence.startswith("Good and evil models may not be in one warband")
    assert clash.citation == "Comprehensive Rules 104"
    assert clash.reading


def test_a_custom_name_stands_before_the_units_own():
    card = card_of(practice("bannerlady-oresta", name="Oresta the Unbowed"))
    assert (card.name, card.unit_name) == ("Oresta the Unbowed", "Bannerlady Oresta")


def test_a_unit_without_custom_name_is_named_once():
    card = card_of(practice("bannerlady-oresta"))
    assert (card.name, card.unit_name) == ("Bannerlady Oresta", "")


def test_a_unique_creature_tells_its_name_and_its_title_whatever_its_player_calls_it():
    """Battle Rules p. 47: versions of one name with other titles are the same creature."""

    def labels(ref, **more):
        return card_of(
            {"unit": f"practice/{ref}", "models": 1, **more},
            system="ddm-2008",
            books=[{"id": "practice"}],
            settings={},
        ).labels

    assert labels("odile-ford-marshal") == ("Unique: Odile (Ford Marshal)",)
    assert labels("odile-ford-marshal", name="Otto") == ("Unique: Odile (Ford Marshal)",)
    assert labels("vault-colossus") == ()


def test_a_line_of_several_models_tells_its_points_and_those_of_one():
    card = card_of(practice("millbrook-spearhand", 4))
    assert (card.title, card.price) == ("4 × Millbrook Spearhand", "24 points (6 each)")


def test_the_reserve_pays_half_and_says_what_it_is():
    card = sheet(legal_list()).cards[3]
    assert (card.price, card.labels) == ("1 point", ("Reserve",))


def test_a_card_tells_what_it_gives_to_and_needs_of_the_command_capacity():
    oresta, orc, _ = sheet(illegal_list()).cards
    assert oresta.labels == ("Gives 5 command",)
    assert orc.labels == ("Cross-faction", "Needs 1 command")


def test_the_subtitle_names_faction_alignment_type_and_subtype():
    assert card_of(practice("sunhill-chaplain")).subtitle == "Thalos · Good · Humanoid (Human)"


def test_a_unit_of_unknown_type_keeps_its_other_attributes():
    cleric = {"unit": "known-cards/human-templar", "models": 1}
    assert card_of(cleric, books=[{"id": "known-cards"}]).subtitle == "Thalos"


def test_only_statistics_the_card_has_are_listed_with_their_suffix():
    stats = {stat.label: stat.value for stat in card_of(practice("sunhill-chaplain")).stats}
    assert stats["Spd"] == "6″"
    assert stats["Base"] == "25 mm"
    assert "Range" not in stats


def test_spells_have_a_box_for_each_use():
    spells = {spell.label: spell.boxes for spell in card_of(practice("sunhill-chaplain")).spells}
    assert spells == {"bless +1": 1, "cure wounds 1": 2, "daylight": 1}


def test_each_model_has_its_health_boxes():
    card = card_of(practice("millbrook-spearhand", 4))
    assert (card.boxes, list(card.rows), card.more) == (2, [1, 2, 3, 4], 0)


def test_a_crowd_gets_boxes_for_thirty_models_and_a_number_for_the_rest():
    card = card_of(practice("millbrook-spearhand", 999))
    assert (len(card.rows), card.more) == (30, 969)


def test_a_very_large_health_is_written_not_drawn():
    giant = SheetCard("u1", "Giant", 2, health=31)
    assert (giant.boxes, list(giant.rows), giant.more) == (0, [], 0)
    assert dataclasses.replace(giant, health=30).boxes == 30


def test_a_game_without_health_draws_no_boxes():
    card = sheet(sbh_list(own_model("Hero", "leader"))).cards[0]
    assert (card.health, card.boxes, card.blanks) == (None, 0, ())


def test_what_the_card_leaves_open_is_to_be_filled_in():
    cleric = {"unit": "known-cards/aasimar-cleric", "models": 1}
    card = card_of(cleric, books=[{"id": "known-cards"}])
    assert card.blanks == ("Points", "Alignment", "Health")
    assert card.price == "points ?"


def test_a_unit_the_books_do_not_have_says_so_on_its_card():
    card = sheet(illegal_list()).cards[2]
    assert (card.known, card.name, card.price) == (False, "practice/gone", "no points")
    assert card.subtitle == "The chosen books do not have this unit. It does not count."


def test_special_rules_and_roles_are_explained_once_in_alphabetical_order():
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


def test_spells_are_explained_once():
    told = sheet(document(practice("sunhill-chaplain"), practice("sunhill-chaplain")))
    assert [entry.label for entry in told.spells] == ["bless +1", "cure wounds 1", "daylight"]
    assert all(entry.summary for entry in told.spells)


def test_terrain_and_battlefield_are_explained_once():
    chosen = {"environment": "aboveground", "terrain": ["hill", "woods", "hill"]}
    told = sheet(legal_list(settings=chosen))
    assert [entry.label for entry in told.pieces] == ["Above ground", "Hill", "Woods"]


def test_settings_are_named_and_those_left_open_are_skipped():
    chosen = {"terrain": ["woods", "hut", "woods"], "tactical_advantage": 3}
    told = sheet(legal_list(settings=chosen)).settings
    assert told == (
        ("Players", "2"),
        ("Environment", "Above ground"),
        ("Tactical advantage", "3 (3 points)"),
        ("Terrain", "Woods ×2, Hut"),
    )


def test_an_attribute_chosen_as_setting_is_named():
    told = sheet(legal_list(settings={"faction": "thalos"})).settings
    assert ("Faction on a tie", "Thalos") in told


def test_gauges_tell_the_number_and_its_bound():
    gauges = {gauge.name: gauge for gauge in sheet(legal_list()).gauges}
    assert gauges["Points"].text == "87 of 100"
    assert gauges["Terrain"].text == "3 of 3"
    assert all(gauge.ok for gauge in gauges.values())


def test_a_gauge_beyond_its_bound_is_not_ok():
    told = sheet(document(practice("bannerlady-oresta", 3))).gauges
    assert [gauge.ok for gauge in told if gauge.name == "Points"] == [False]


def test_game_day_figures_come_with_their_line_up_and_citation():
    facts = {(fact.name, fact.lineup): fact for fact in sheet(legal_list()).facts}
    assert facts["Leader", ""].text == "Oresta the Unbowed"
    assert facts["Morale difficulty", "with the reserve"].text.endswith(
        "18 once 4 of 7 models are casualties"
    )
    assert facts["Leader", ""].citation == "Comprehensive Rules 502.25"


@pytest.mark.parametrize(
    ("abilities", "reminded"), [(("leader",), ["Leader"]), (("fearless",), [])]
)
def test_reminders_come_only_with_what_they_speak_of(abilities, reminded):
    told = sheet(sbh_list(own_model("Hero", *abilities))).reminders
    assert [reminder.name for reminder in told] == reminded


def test_the_date_is_told_in_words():
    assert sheet(legal_list()).day == "8 October 2026"


def test_a_name_cannot_print_a_line_of_its_own():
    told = sheet(
        document(
            practice("bannerlady-oresta", name="Ann\r\nLegal: 1 of 1 points."),
            name="Me\u2028Legal: 1 of 1 points.",
        )
    )
    assert told.title == "Me Legal: 1 of 1 points."
    assert told.cards[0].name == "Ann Legal: 1 of 1 points."
    assert not any("\n" in fact.text for fact in told.facts)


def test_a_name_of_nothing_visible_gives_way():
    told = sheet(document(practice("bannerlady-oresta", name="\u200b\u0301"), name="\u200d\x00"))
    assert told.title == "Unnamed list"
    assert (told.cards[0].name, told.cards[0].unit_name) == ("Bannerlady Oresta", "")


def sbh_card(quality, *abilities, models=1):
    made = own_model("Grim", *abilities)
    made["profile"]["stats"]["quality"] = quality
    return sheet(sbh_list(made | {"models": models})).cards[0]


@pytest.mark.parametrize(("quality", "wounds"), [(2, 5), (3, 4), (5, 2), (6, 1)])
def test_a_tough_model_has_a_box_for_each_wound_till_its_quality_is_7(quality, wounds):
    """Tough: each kill makes Quality 1 worse, and at 7 the model dies."""
    card = sbh_card(quality, "tough", models=3)
    assert card.tracks[0] == Track("Wounds", wounds, wounds, "Wounds")
    assert list(card.rows) == [1, 2, 3]


def test_a_model_that_is_not_tough_has_no_wounds_but_boxes_for_its_states():
    card = sbh_card(3, "terror")
    assert [(track.label, track.boxes) for track in card.tracks] == [("Fallen, Transfixed, Out", 3)]
    assert not any(track.label == "Wounds" for track in card.tracks)
    chainmail = card_of(practice("bannerlady-oresta"))
    assert [track.label for track in chainmail.tracks] == ["Health"]


def test_a_hero_has_a_box_for_its_one_reroll_and_others_have_none():
    boxes = {use.label: use.boxes for use in sbh_card(3, "hero", "leader").abilities}
    assert boxes == {"Hero": 1, "Leader": 0}


@pytest.mark.parametrize(
    ("ability", "name"),
    [("undead", "Undead"), ("terror", "Terror"), ("hero", "Heroes"), ("tough", "Wounds")],
)
def test_special_rules_that_are_easily_forgotten_are_reminded_of_where_somebody_has_them(
    ability, name
):
    def reminders(*abilities):
        return [line.name for line in sheet(sbh_list(own_model("Grim", *abilities))).reminders]

    assert reminders(ability) == [name]
    assert reminders("big") == []
