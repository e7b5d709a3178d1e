"""The forms of text: what each says and keeps back, and that nothing typed is taken for a mark."""

import html
import re
from dataclasses import replace

import pytest

from armybuilder.loading.problems import Refusal
from armybuilder.sheets.texts.forms import FORMS, Markdown
from armybuilder.sheets.texts.lines import WIDTH, draw_text, places
from tests.building.towers import (
    army_document,
    army_sheet_of,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.sheets.papers import (
    EXAMPLES,
    document,
    example,
    illegal_list,
    legal_list,
    material,
    own_model,
    practice,
    sbh_list,
    sheet,
)

PLAIN = ("compact", "lines", "secret")
#: Forms of every list; that of tournaments has tests of its own.
EVERYWHERE = tuple(form for form in FORMS if not FORMS[form].armies)
OPEN_HANDED = tuple(form for form in EVERYWHERE if not FORMS[form].hides)
NASTY = "[b]Bold[/b] *stars* _low_ `tick` <i>tag</i> # | ~~ &lt; [link](http://x) \\"


def said(form, listed, kind="full"):
    """The form's text of a skirmish list or, where it is one, of an army."""
    army = listed["system"] == "t9a-2023"
    kind = "open" if FORMS[form].hides else kind
    return FORMS[form].draw(army_sheet_of(listed, kind) if army else sheet(listed))


def head(text):
    return text.split("\n\n", 1)[0].splitlines()


def body(form, listed, kind="full"):
    """The lines below the head, without notes on the list."""
    lines = said(form, listed, kind).split("\n\n", 1)[1].splitlines()
    return lines[: lines.index("")] if "" in lines and form == "lines" else lines


@pytest.mark.parametrize("form", EVERYWHERE)
@pytest.mark.parametrize("listed", [legal_list(), legal_army(), document(), army_document()])
def test_every_form_names_list_game_verdict_and_hash(form, listed):
    kind = "open" if FORMS[form].hides else "full"
    told = sheet(listed) if listed["system"] != "t9a-2023" else army_sheet_of(listed, kind)
    text = said(form, listed)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    for part in (told.title, told.system, f"#{told.hash}"):
        assert part in text
    assert ("Legal" if told.legal else "Not legal") in text


def test_a_list_that_is_not_legal_says_so_and_why_in_its_first_lines():
    for form in EVERYWHERE:
        for listed in (illegal_list(), illegal_army()):
            first = said(form, listed).splitlines()[:5]
            assert any("Not legal: " in line for line in first), form
    for form in set(OPEN_HANDED) - {"bbcode", "markdown", "discord"}:
        text = " ".join(said(form, illegal_list()).split())
        for finding in sheet(illegal_list()).findings:
            assert f"ERROR: {finding.sentence} [{finding.citation}]" in text, form


def test_the_line_format_has_one_line_per_unit():
    # The head of a plain form has a line for each thing.
    assert head(said("lines", legal_list()))[:4] == [
        "Test list",
        "Legal.",
        f"87 of 100 points, 7 models, #{sheet(legal_list()).hash}",
        "Chainmail 2002: Practice models (invented)",
    ]
    assert "Environment: Above ground" in head(said("lines", legal_list()))
    # One line for each unit of an army.
    assert body("lines", legal_army()) == [
        "1 Champion, General, Crown, 260",
        "17 Guard, Standard Bearer, Red Banner, 500",
        "19 Guard, Captain, 490",
        "40 Peasants, 230",
    ]
    # One line for each entry of a warband.
    assert body("lines", legal_list()) == [
        "1 Bannerlady Oresta “Oresta the Unbowed”, 38",
        "1 Sunhill Chaplain, 24",
        "4 Millbrook Spearhand, 24",
        "  Notes: Number 3 has the broken spear.",
        "1 Gatehouse Recruit, Reserve, 1",
    ]
    # A path of magic stands before items.
    wizard = unit("champion", options=[option("wizard-master"), option("alchemy"), option("crown")])
    assert body("lines", army_document(wizard)) == [
        "1 Champion, Wizard Master, Alchemy, Crown, 430"
    ]
    # Quotation marks in a name cannot end it early.
    listed = document(practice("sunhill-chaplain", name="The “Old” one, 99"))
    assert body("lines", listed) == ['1 Sunhill Chaplain “The "Old" one, 99”, 24']
    # A unit that no book has costs a question mark.
    assert "1 practice/gone, ?" in body("lines", illegal_list())
    assert "1 towers/gone, ?" in body("lines", illegal_army())


def test_the_compact_format_shows_stats_and_rule_names():
    # The compact form sets what a unit has below its line.
    lines = body("compact", legal_list())
    stats = lines[lines.index("1 Sunhill Chaplain, 24") + 1]
    assert stats.startswith("  Lvl ")
    assert any(line.startswith("  Special rules: ") for line in lines)
    assert all(re.match(r"\d+ |  \S", line) for line in lines)
    # The compact form of an army goes by categories.
    lines = body("compact", legal_army())
    assert [line for line in lines if line.endswith(":")] == ["Characters:", "Core:"]
    assert "  Rules: Fearless" in lines
    # Where a rule stands is said behind its name.
    text = FORMS["compact"].draw(
        material(example("t9a-2023/the-long-table")).sheet, frozenset({"rules", "pages"})
    )
    assert "Scoring (Rulebook 21.A.b.30), " in text
    assert "  Rules: Sons of the Avalanche\n" in text
    # A rule that is found under its name has no place behind it.
    told = material(example("sbh/gruks-green-flood")).sheet
    assert places(told) == {}
    with_pages = FORMS["compact"].draw(told, frozenset({"rules", "pages"}))
    assert with_pages == FORMS["compact"].draw(told, frozenset({"rules"}))


@pytest.mark.parametrize("listed", [legal_list(), illegal_list(), legal_army(), illegal_army()])
def test_the_secret_form_tells_no_price_of_anything(listed):
    told = army_sheet_of(listed) if listed["system"] == "t9a-2023" else sheet(listed)
    text = said("secret", listed)
    assert str(told.spent) not in text.replace(told.hash, "").replace(str(told.limit), "")
    for line in body("secret", listed):
        assert not re.search(r", [\d?]+$", line)


def test_the_secret_form_keeps_back_what_it_may_not_say():
    # The secret form tells no items settings or notes.
    text = said("secret", legal_army(notes="The crown is the trick."))
    assert body("secret", legal_army()) == [
        "1 Champion, General",
        "17 Guard, Standard Bearer",
        "19 Guard, Captain",
        "40 Peasants",
    ]
    for word in ("Crown", "crown", "Red Banner"):
        assert word not in text
    skirmish = said("secret", legal_list(notes="A trap."))
    assert "Environment" not in skirmish
    assert "trap" not in skirmish
    assert "broken spear" not in skirmish
    # The secret form tells units apart that look the same.
    guards = [unit("guard", 10, options=[option("standard", "red-banner")])]
    guards.append(unit("guard", 10, options=[option("standard")]))
    assert body("secret", army_document(*guards)) == [
        "10 Guard [A], Standard Bearer",
        "10 Guard [B], Standard Bearer",
    ]
    # An armys full sheet is no source of a secret list.
    with pytest.raises(ValueError, match="open sheet"):
        FORMS["secret"].draw(army_sheet_of(legal_army()))
    for form in OPEN_HANDED:
        text = said(form, legal_army(), "open")
        assert "Crown" not in text, form
        assert "Red Banner" not in text, form
        assert "without special items" in text, form


@pytest.mark.parametrize(
    "form", [key for key, one in FORMS.items() if one.offers and not one.armies]
)
def test_a_text_says_what_is_asked_for_and_no_more(form):
    told = material(example("chainmail-2001-advanced/knives-of-the-matron")).sheet
    drawn = {
        part: FORMS[form].draw(told, frozenset({part, "rules"})) for part in FORMS[form].offers
    }
    none = FORMS[form].draw(told, frozenset())
    marks = {"stats": "Lvl 4", "rules": "Sneak Attack", "pages": "p. 26, 32", "notes": "Three drow"}
    for part, mark in marks.items():
        assert part not in drawn or mark in drawn[part], part
        others = [text for other, text in drawn.items() if part not in ("rules", other)]
        assert all(mark not in text for text in (none, *others)), part
    assert FORMS[form].draw(told) == FORMS[form].draw(told, FORMS[form].usual)


def test_what_a_form_does_not_offer_is_refused():
    assert FORMS["compact"].parts([]) == {"stats", "rules", "notes"}
    assert FORMS["markdown"].parts(["", "notes,stats"]) == {"notes", "stats"}
    assert FORMS["markdown"].parts([""]) == set()
    for form, asked in (("compact", "plans"), ("lines", "stats"), ("markdown", "poetry")):
        with pytest.raises(Refusal, match=asked):
            FORMS[form].parts([asked])


def test_markdown_and_bbcode_escape_every_mark():
    # Markdown has headings and a list of units.
    lines = said("markdown", legal_army()).splitlines()
    assert lines[0] == "# Test army"
    assert "**Legal.**" in lines
    assert "## Core" in lines
    assert "- **17 Guard**, Standard Bearer, Red Banner, 500" in lines
    # Bbcode has a list for each category and closes what it opens.
    text = said("bbcode", illegal_army(notes="Two\nlines"))
    assert "[*][b]10 Guard[/b], " in text
    for tag in ("b", "u", "i", "list"):
        assert text.count(f"[{tag}]") == text.count(f"[/{tag}]")
    # No text that is typed becomes bbcode: An unseen space behind a typed bracket keeps it from
    # being a mark.
    typed = legal_list(name=NASTY, notes=NASTY)
    typed["units"][0] |= {"name": NASTY, "notes": NASTY}
    text = said("bbcode", typed)
    tags = set(re.findall(r"\[(?!\u200b)[^\]]*\]?", text))
    assert tags <= {"[b]", "[/b]", "[u]", "[/u]", "[i]", "[/i]", "[list]", "[/list]", "[*]"}
    assert text.count("[\u200bb]Bold[\u200b/b]") == 4
    # Each line of notes is a paragraph in markdown.
    lines = said("markdown", legal_list(notes="One.\nTwo.\n\nThree.")).splitlines()
    assert lines[-7:] == ["## Notes", "", "One.", "", "Two.", "", "Three."]
    marked = (
        "- no item",
        "1. no number",
        "12) nor this",
        "+ x",
        "= y",
        "> z",
        "# t",
        "&amp; &",
        "*",
    )
    for typed in (NASTY, *marked):
        escaped = Markdown().text(typed)
        assert not re.search(r"(?<!\\)(?:\\\\)*[*_`\[\]<>#|~]", escaped.replace("\\\\", ""))
        assert not re.match(r"[-+=>#]|\d+[.)]", escaped)
        unescaped = re.sub(r"\\([!-/:-@\[-`{-~])", lambda mark: f"\0{ord(mark[1])}\0", escaped)
        read = re.sub(r"\0(\d+)\0", lambda code: chr(int(code[1])), html.unescape(unescaped))
        assert read == typed


def test_names_in_any_script_and_of_any_length_stay_whole():
    name = "شيخ 🐉 " + "W" * 110
    for form in EVERYWHERE:
        text = said(form, sbh_list(name=name)).replace("\u2068", "").replace("\u2069", "")
        assert name in " ".join(text.split()).replace("W W", "WW"), form
        assert said(form, sbh_list(name=name)) == said(form, sbh_list(name=name)), form
    # No line of a plain form is broken.
    listed = legal_list()
    listed["units"][0]["name"] = "W" * 120
    for form in PLAIN:
        assert any("W" * 120 in line for line in said(form, listed).splitlines()), form


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("t9a-")])
def test_an_army_fits_into_a_message_of_a_chat(name):
    text = FORMS["discord"].draw(replace(material(example(name)).sheet, notes=""))
    assert len(text) < 2000
    assert "**Legal" in text


def text_of(listed):
    return draw_text(sheet(listed))


def test_the_full_format_is_the_sheet_in_lines():
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
    # Health boxes of each model are numbered.
    assert "Health: 1 □□  2 □□" in text_of(document(practice("millbrook-spearhand", 2)))
    # A crowd tells the health of each.
    assert "Health: 2 each" in text_of(document(practice("millbrook-spearhand", 200)))
    # Boxes for wounds and states of each model are numbered.
    text = text_of(sbh_list(own_model("Grim", "tough") | {"models": 2}))
    assert "Wounds: 1 □□□□  2 □□□□" in text
    assert "Fallen, Transfixed, Out: 1 □□□  2 □□□" in text
    assert "Fallen, Transfixed, Out: □□□\n" in text_of(sbh_list(own_model("Grim", "hero")))
