"""What a unit's printed card says stands in its open pane, too; what is long is not cut."""

import re
from collections.abc import Callable, Iterator
from random import Random

import lxml.html
import pytest
from django.template.loader import render_to_string
from django.test import Client

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.cards import faces_of_list
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.unit_view import StatCell, StatRow, UnitView
from armybuilder.sheets.printing.printouts import draw_pdf
from tests.building.documents import list_of, value_of
from tests.building.said import figures_and_names, said
from tests.conftest import Builder
from tests.effort import THOROUGH, scaled
from tests.exchange.pasted import DAY
from tests.markup import flat, lacking
from tests.pdfs import text_of
from tests.queries import queries_of

pytestmark = pytest.mark.long

UNITS = scaled(12, 60, 200)


def pane_of(builder: Builder, unit: str) -> str:
    """The text of the open pane with what stands in its fields."""
    headers = {"HX-Request": "true", "X-Shown": "unit"}  # no other pane is drawn
    page = builder.client.get(builder.url, {"open": unit, "part": "list"}, headers=headers)
    (pane,) = lxml.html.fromstring(page.text).xpath("//section[@id='unit']")
    fields = pane.xpath(".//input[not(@type='hidden')]/@value")
    return " ".join([*pane.itertext(), *fields])


def lists_of(system: str) -> Iterator[ArmyList]:
    """Yield its examples, then lists of random units, the books' smallest of each."""
    for example in shipped_examples().by_system[system]:
        yield example.document
    library, rng = shipped_library(), Random(system)  # noqa: S311
    books = sorted(library.books[system])
    for _number in range(UNITS // 4):
        book = rng.choice(books)
        units = library.catalogue(system, [book]).units
        refs = rng.sample(sorted(units), min(4, len(units)))
        picks = [{"unit": ref, "models": units[ref].smallest} for ref in refs]
        yield value_of(list_of(system, [book], picks, limit=4500))


@pytest.mark.one_in(4)
@pytest.mark.django_db
@pytest.mark.parametrize("system", sorted(shipped_examples().by_system))
def test_the_open_pane_says_what_the_printed_card_says(client: Client, system: str) -> None:
    tried, rng = 0, Random(1)  # noqa: S311
    builder = Builder(client, system, limit=300, books=sorted(shipped_library().books[system])[:1])
    for document in lists_of(system):
        builder.store(**document.to_dict())
        sheet = sheet_of(document, shipped_library(), DAY)
        views = {view.id: view for view in (sheet.army.units if sheet.army else sheet.cards)}
        faces = dict(
            zip(
                (unit.id for unit in document.units),
                faces_of_list(document, shipped_library()),
                strict=True,
            )
        )
        for unit in rng.sample(sorted(views), min(len(views), 20 if THOROUGH else 2)):
            there = figures_and_names(pane_of(builder, unit))
            printed = figures_and_names(" ".join((*said(views[unit]), *said(faces[unit]))))
            assert printed - there == set(), (document.name, views[unit].name)
            tried += 1
    assert tried >= UNITS // 2


LONG = "Aldershield " * 10


def test_a_long_name_forty_rules_and_a_stat_that_is_text_are_whole(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    sbh.act("describe", unit="u1", name=LONG.strip(), notes="Stands <b>first</b>")
    page = flat(pane_of(sbh, "u1"))
    assert page.count(LONG.strip()) >= 1
    assert "Human Warrior" in page
    assert "Stands <b>first</b>" in page
    cell = StatCell("Move", "as the slowest of those beside it", "Move", "m")
    rows = (StatRow("Throng", (cell,)), StatRow("<b>Drum</b>", (StatCell("<i>", "<u>", '"', "i"),)))
    view = UnitView("u1", "Throng", 1, rows=rows, rules=tuple(f"Rule {n}" for n in range(40)))
    drawn = flat(render_to_string("builder/_card.html", {"card": view, "linked": True}))
    assert "wide-12" in drawn
    assert not re.search("<[biu]>", drawn)
    assert "&lt;b&gt;Drum" in drawn
    assert "as the slowest of those beside it" in drawn
    assert all(f">Rule {number}</a>" in drawn for number in range(40))


@pytest.mark.slow
def test_a_unit_without_stat_line_says_so(build: Callable[..., Builder]) -> None:
    army = build("t9a-3rd", limit=1000, books=["vampire-covenant"])
    army.act("add", ref="vampire-covenant/altar-of-undeath")
    assert "The file has no stat line for this unit." in flat(pane_of(army, "u1"))
    # It is told before printing; on paper there is a line to write on.
    assert "1 unit has no stat line in the file." in flat(
        army.client.get(f"{army.url}print/", follow=True).text
    )
    document = army.version.document
    sheet = sheet_of(document, shipped_library(), DAY)
    assert sheet.army is not None
    assert [column.short for column in sheet.army.columns][::11] == ["Adv", "Agi"]
    assert re.search(r"Altar of Undeath\s+320\s+Adv\s+Mar", text_of(draw_pdf(sheet)))
    other = build("t9a-2023", limit=1000, books=["highborn-elves"])
    other.act("add", ref="highborn-elves/citizen-spears")
    assert "The file has no stat line" not in flat(pane_of(other, "u1"))


def peek(builder: Builder, ref: str, **fields: str) -> str:
    headers = {"HX-Request": "true"} if "part" in fields else {}
    return builder.client.get(builder.url, {"preview": ref, **fields}, headers=headers).text


def test_a_unit_is_looked_at_before_it_is_added(chainmail: Builder) -> None:
    ref = "practice/sunhill-chaplain"
    assert f'href="?preview={ref}&amp;view=unit"' in chainmail.page
    # Without script on the whole page, with it the pane alone.
    alone, whole = peek(chainmail, ref, part="preview"), peek(chainmail, ref, view="unit")
    assert alone.lstrip().startswith('<section id="unit"')
    for page in (alone, whole):
        (pane,) = lxml.html.fromstring(page).xpath("//section[@id='unit']")
        assert "data-unit" not in pane.attrib
        text = flat(" ".join(pane.itertext()))
        assert (
            lacking(text, "Sunhill Chaplain", "Thalos · Good · Humanoid (Human)", "Lvl", "Add")
            == []
        )
        (form,) = (one for one in pane.forms if "ref" in one.fields)
        assert (form.fields["ref"], form.xpath(".//button/@value")) == (ref, ["add"])
    # Nothing is on the list yet; its button adds it, and shows it as it is then.
    assert chainmail.document["units"] == []
    chainmail.act("add", ref=ref)
    assert [unit["unit"] for unit in chainmail.document["units"]] == [ref]
    printed = figures_and_names(
        " ".join(lxml.html.fromstring(alone).find(".//*[@class='unit-card']").itertext())
    )
    assert printed - figures_and_names(pane_of(chainmail, "u1")) == set()
    # What is not in the books is no preview.
    assert "Choose a unit of the army" in peek(chainmail, "practice/nobody", part="preview")


def test_a_look_tells_what_adding_breaks_and_asks_little(elves: Builder) -> None:
    asked = {"preview": "highborn-elves/high-prince", "part": "preview"}
    headers = {"HX-Request": "true"}
    counts = []
    for number in (1, 12):
        prince = {"unit": "highborn-elves/high-prince", "models": 1}
        elves.store(units=[{"id": f"u{one}", **prince} for one in range(number)])
        counts.append(len(queries_of(elves.client.get, elves.url, asked, headers=headers)))
    assert counts[0] == counts[1]
    page = flat(peek(elves, asked["preview"], part="preview"))
    assert re.search('class="entry-told breaks"><span class="entry-says">.* over', page)
    # What can be taken has its meaning, too.
    assert 'href="meaning/sliver-of-the-blazing-dawn/"' in page
    # An answer to a click holds no preview.
    assert "add-previewed" not in elves.act("duplicate", htmx=True, unit="u1").text
