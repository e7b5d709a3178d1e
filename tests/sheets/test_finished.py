"""The reader of finished pages: what it must notice, and what it must let pass."""

from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.drawing.typeface import REGULAR, load_fonts
from tests.sheets.finished import Box, flaws, read

ROOM = Box(20, 20, 280, 180)


def page(draw):
    load_fonts()
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 200), initialFontName=REGULAR)
    canvas.setFont(REGULAR, 10)
    draw(canvas)
    canvas.save()
    (only,) = read(buffer.getvalue())
    return only


def neighbours(canvas):
    canvas.drawString(30, 100, "Ágpq Ágpq")
    canvas.drawString(30, 88, "ÁÖ below")
    canvas.drawString(100, 100, "beside")
    canvas.line(30, 97, 200, 97)
    canvas.roundRect(25, 80, 200, 40, 3)


def over_each_other(canvas):
    canvas.drawString(30, 100, "one two")
    canvas.drawString(55, 103, "three")


def across_a_frame(canvas):
    canvas.drawString(30, 100, "a long text")
    canvas.roundRect(25, 90, 40, 40, 3)


def struck_through(canvas):
    canvas.drawString(30, 100, "a long text")
    canvas.line(20, 104, 200, 104)


def outside(canvas):
    canvas.drawString(240, 100, "leaves the room")


def turned(canvas):
    canvas.translate(150, 100)
    canvas.rotate(90)
    canvas.drawString(0, 0, "upwards")


def turned_over_another(canvas):
    canvas.drawString(130, 110, "something")
    turned(canvas)


def test_texts_beside_and_below_each_other_are_let_pass():
    found = page(neighbours)
    assert [text.said for text in found.texts] == ["Ágpq Ágpq", "ÁÖ below", "beside"]
    assert flaws(found, ROOM) == []


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (over_each_other, "“one two” stands over “three”"),
        (across_a_frame, "“a long text” crosses a frame"),
        (struck_through, "“a long text” is struck through"),
        (outside, "“leaves the room” leaves the page"),
        (turned_over_another, "“something” stands over “upwards”"),
    ],
)
def test_what_a_reader_could_not_read_is_found(draw, said):
    assert flaws(page(draw), ROOM) == [said]


def test_turned_text_stands_where_it_is_seen():
    (text,) = page(turned).texts
    assert text.box.high - text.box.low > 3 * (text.box.right - text.box.left)
    assert text.box.within(Box(140, 99, 152, 150))
