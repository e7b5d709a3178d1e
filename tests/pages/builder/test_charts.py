"""Charts of a list: what is drawn and what the tables say are the same numbers."""

from collections.abc import Callable
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given

from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.documents import make_roster
from armybuilder.pages.builder.beside import LETTERS, WIDTH, Chart, charts_of, letters_beside
from tests.building.documents import list_of, value_of
from tests.building.tiny import take
from tests.conftest import Builder
from tests.markup import found_in, lacking
from tests.properties.lists import GAMES, LAW, lists
from tests.properties.trees import games
from tests.queries import queries_of

Data = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"
LADY = "practice/bannerlady-oresta"


def charts(document: Data, catalogue: Catalogue) -> dict[str, Chart]:
    report = validate(make_roster(value_of(document), catalogue), catalogue)
    return {chart.id: chart for chart in charts_of(report, catalogue)}


def number(words: str) -> int:
    return int(words) if words.lstrip("-").isdigit() else 0


def texts(chart: Chart) -> list[str]:
    return [element.text or "" for element in fromstring(chart.svg).iter(f"{SVG}text")]


def hold_everywhere(document: Data, catalogue: Catalogue) -> None:
    report = validate(make_roster(value_of(document), catalogue), catalogue)
    made = {chart.id: chart for chart in charts_of(report, catalogue)}
    if not report.full.lines:
        assert made == {}
        return
    assert sum(number(row.cells[0]) for row in made["by-unit"].rows) == report.spent
    assert sum(number(row.cells[0]) for row in made["by-kind"].rows) == report.spent
    counted = sum(number(row.cells[0]) for row in made["curve"].rows)
    units = sum(line.unit.counts for line in report.full.lines)
    assert counted == (units if catalogue.system.sized else report.models)
    if "commanders" in made:
        rows = made["commanders"].rows
        assert sum(number(row.cells[0]) for row in rows) == report.models
        assert sum(number(row.cells[1]) for row in rows) == sum(
            line.points for line in report.full.lines
        )
    for chart in made.values():
        hold_drawing(chart)


def hold_drawing(chart: Chart) -> None:
    """The drawing parses, is named and described, holds no style, and stays in its frame."""
    drawing = fromstring(chart.svg)
    assert drawing.findtext(f"{SVG}title") == chart.title
    said = drawing.findtext(f"{SVG}desc") or ""
    _, _, width, height = map(float, drawing.attrib["viewBox"].split())
    for element in drawing.iter():
        assert "style" not in element.attrib
        if element.tag == f"{SVG}rect" and "x" in element.attrib:
            at = {key: float(element.attrib[key]) for key in ("x", "y", "width", "height")}
            assert min(at.values()) >= 0
            assert at["x"] + at["width"] <= width
            assert at["y"] + at["height"] <= height
    shown = " ".join(texts(chart))
    for row in chart.rows:
        assert len(row.cells) == len(chart.columns) - 1
        for cell in row.cells:
            assert cell in said or row.cells[0] == "0"
            assert cell in shown or cell == "0" or row.name == "unknown"


@LAW
@given(lists())
def test_charts_of_a_warband_draw_the_numbers_of_the_list(document: Data) -> None:
    hold_everywhere(document, GAMES[document["system"]])


@pytest.mark.slow
@LAW
@given(games())
def test_charts_of_an_army_draw_the_numbers_of_the_list(game: tuple[Catalogue, Data]) -> None:
    hold_everywhere(game[1], game[0])


def warband(**more: Any) -> Data:
    units = [take(LADY), take("practice/millbrook-spearhand", 3)]
    return list_of("chainmail-2002", ["practice"], units, **{"limit": 100, **more})


def test_commanders_stand_against_troops_and_command_against_need() -> None:
    document = warband(settings={"faction": "ravilla"})
    made = charts(document, GAMES["chainmail-2002"])
    assert [row.name for row in made["commanders"].rows] == ["Commanders", "Troops"]
    assert [row.cells[0] for row in made["commanders"].rows] == ["1", "3"]
    assert [row.name for row in made["command"].rows] == ["Given", "Needed"]
    second = made["commanders"].svg.count('class="chart-bar second"')
    assert second == 1

    document = list_of("sbh", ["profiles"], [take("profiles/human-warrior", 2)], limit=300)
    assert set(charts(document, GAMES["sbh"])) == {"by-unit", "by-kind", "curve"}
    # Points of settings are drawn too.
    document = warband(settings={"tactical_advantage": 4})
    names = [row.name for row in charts(document, GAMES["chainmail-2002"])["by-kind"].rows]
    assert "Choices for the game" in names


def test_a_long_name_is_cut_in_the_drawing_and_none_breaks_out_of_it() -> None:
    document = warband()
    document["units"][0]["name"] = "A" * 100
    chart = charts(document, GAMES["chainmail-2002"])["by-unit"]
    assert "A" * 39 + "…" in texts(chart)
    assert any(row.name == "A" * 100 for row in chart.rows)
    document["units"][0]["name"] = '</text><script>alert("x")</script>'
    chart = charts(document, GAMES["chainmail-2002"])["by-unit"]
    assert "<script>" not in chart.svg
    for words in ("7", "1800 · 40 %", "12 Punkte · 3 Kreaturen", "x" * 60):
        letters = letters_beside(words)
        assert 1 <= letters <= LETTERS, words
        assert letters == 1 or 6.6 * letters + 7.4 * len(words) <= WIDTH
    assert letters_beside("1800") == LETTERS, "short words leave a name all its letters"


def test_the_page_shows_charts_tables_and_parts_and_the_fold_out_charts_alone(
    chainmail: Builder,
) -> None:
    empty = chainmail.client.get(f"{chainmail.url}charts/").text
    assert "Nothing to draw yet" in empty
    chainmail.act("add", ref=LADY)
    page = chainmail.client.get(f"{chainmail.url}charts/")
    text = page.text
    assert text.count('<svg class="chart"') == text.count('<table class="compared">') >= 4
    assert lacking(text, "Points breakdown", f'href="{chainmail.url}#u1"') == []
    assert "style=" not in text
    assert "HX-Request" in page["Vary"]
    part = chainmail.client.get(f"{chainmail.url}charts/", headers={"HX-Request": "true"})
    text = part.text
    assert found_in(text, "<html", "Points breakdown") == []
    assert '<svg class="chart"' in text
    # The builder draws no chart before it is asked.
    builder = chainmail.page
    assert '<svg class="chart"' not in builder
    assert f'href="{chainmail.url}charts/"' in builder
    assert f'hx-get="{chainmail.url}charts/"' in builder


def test_the_page_takes_a_constant_number_of_queries(build: Callable[..., Builder]) -> None:
    for units in (1, 12):
        builder = build("sbh", limit=300, books=["profiles"])
        refs = sorted(GAMES["sbh"].units)[:units]
        builder.store(units=[{"id": ref, "unit": ref, "models": 1} for ref in refs])
        queries = queries_of(builder.client.get, f"{builder.url}charts/")
        assert len(queries) <= 4, units
