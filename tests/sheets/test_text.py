"""The sheet as plain text."""

from armybuilder.sheets.texts.full import WIDTH, draw_text
from tests.sheets.papers import (
    document,
    illegal_list,
    legal_list,
    own_model,
    practice,
    sbh_list,
    sheet,
)


def text_of(listed):
    return draw_text(sheet(listed))


def test_no_line_is_wider_than_eighty_columns():
    listed = legal_list(name="W" * 120, notes="x" * 300)
    assert max(len(line) for line in text_of(listed).splitlines()) == WIDTH


def test_the_verdict_stands_at_the_head():
    assert "Not legal: 2 errors. Checked on 8 October 2026." in text_of(illegal_list())[:300]


def test_findings_stand_before_the_units_with_citation_and_reading():
    head, _, _ = text_of(illegal_list()).partition("\nUNITS\n")
    said = " ".join(head.split())
    for finding in sheet(illegal_list()).findings:
        assert f"ERROR: {finding.sentence} [{finding.citation}]" in said
        assert finding.reading in said


def test_every_card_has_its_points_and_own_names_stand_in_quotes():
    text = text_of(legal_list())
    for card in sheet(legal_list()).cards:
        title = f"“{card.title}”" if card.title == "Oresta the Unbowed" else card.title
        assert f"\n{title} — {card.price}\n" in text


def test_notes_cannot_pass_for_the_verdict():
    listed = illegal_list(notes="Legal: 96 of 100 points.")
    assert "\nLegal:" not in text_of(listed)


def test_health_boxes_of_each_model_are_numbered():
    assert "Health: 1 □□  2 □□" in text_of(document(practice("millbrook-spearhand", 2)))


def test_a_crowd_tells_the_health_of_each():
    assert "Health: 2 each" in text_of(document(practice("millbrook-spearhand", 200)))


def test_boxes_for_wounds_and_states_of_each_model_are_numbered():
    text = text_of(sbh_list(own_model("Grim", "tough") | {"models": 2}))
    assert "Wounds: 1 □□□□  2 □□□□" in text
    assert "Fallen, Transfixed, Out: 1 □□□  2 □□□" in text
    assert "Fallen, Transfixed, Out: □□□\n" in text_of(sbh_list(own_model("Grim", "hero")))
