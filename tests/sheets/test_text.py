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


def test_the_sheet_as_plain_text():
    # No line is wider than eighty columns.
    listed = legal_list(name="W" * 120, notes="x" * 300)
    assert max(len(line) for line in text_of(listed).splitlines()) == WIDTH
    # The verdict stands at the head.
    assert "Not legal: 2 errors. Checked on 8 October 2026." in text_of(illegal_list())[:300]
    # Findings stand before the units with citation and reading.
    head, _, _ = text_of(illegal_list()).partition("\nUNITS\n")
    said = " ".join(head.split())
    for finding in sheet(illegal_list()).findings:
        assert f"ERROR: {finding.sentence} [{finding.citation}]" in said
        assert finding.reading in said
    # Every card has its points and own names stand in quotes.
    text = text_of(legal_list())
    for card in sheet(legal_list()).cards:
        title = f"“{card.title}”" if card.title == "Oresta the Unbowed" else card.title
        assert f"\n{title} — {card.price}\n" in text
    # Notes cannot pass for the verdict.
    listed = illegal_list(notes="Legal: 96 of 100 points.")
    assert "\nLegal:" not in text_of(listed)


def test_boxes_in_plain_text():
    # Health boxes of each model are numbered.
    assert "Health: 1 □□  2 □□" in text_of(document(practice("millbrook-spearhand", 2)))
    # A crowd tells the health of each.
    assert "Health: 2 each" in text_of(document(practice("millbrook-spearhand", 200)))
    # Boxes for wounds and states of each model are numbered.
    text = text_of(sbh_list(own_model("Grim", "tough") | {"models": 2}))
    assert "Wounds: 1 □□□□  2 □□□□" in text
    assert "Fallen, Transfixed, Out: 1 □□□  2 □□□" in text
    assert "Fallen, Transfixed, Out: □□□\n" in text_of(sbh_list(own_model("Grim", "hero")))
