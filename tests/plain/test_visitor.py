"""A browser without script does what HTML says, and nothing that is not on the page."""

from urllib.parse import parse_qsl

import pytest
from lxml import html

from tests.plain.visitor import Visitor

PAGE = """<!doctype html><html><body>
<a href="/there">There</a> <a href="/away" hidden>Away</a>
<form method="post" action="/done" id="one"><label for="name">Name</label>
<input id="name" name="name" value="old" required><input type="hidden" name="key" value="7">
<label><input type="checkbox" name="box" value="a">A</label>
<label><input type="checkbox" name="box" value="b" checked>B</label>
<label><input type="radio" name="ring" value="1" checked>Un</label>
<label><input type="radio" name="ring" value="2">Deux</label>
<select name="many" aria-label="Many"><option>x</option><option value="why">y</option></select>
<input name="off" value="off" disabled><textarea name="words" aria-label="Words">\nsome</textarea>
<button>Save</button> <button name="act" value="go" formaction="/gone">Go</button>
<button type="button">Nothing</button></form>
<input form="one" name="beside" value="yes"></body></html>"""


class Sent(Visitor):
    """Shows `PAGE`, and keeps what it would send."""

    def __init__(self) -> None:
        super().__init__()
        self.page = html.fromstring(PAGE)
        self.posted: tuple[str, list[tuple[str, str]]] = ("", [])
        self.client.post = self._post  # type: ignore[method-assign, assignment]

    def _post(self, address: str, fields: dict[str, list[str]], follow: bool) -> object:
        pairs = [(name, value) for name, values in fields.items() for value in values]
        self.posted = (address, pairs)
        return self.client.get("/keys/", follow=follow)


@pytest.fixture
def visitor(db: None) -> Sent:
    return Sent()


def test_a_form_sends_what_it_holds_and_the_button_that_was_pressed(visitor: Sent) -> None:
    visitor.press("Save")
    sent = "name=old&key=7&box=b&ring=1&many=x&words=some&beside=yes"
    assert visitor.posted == ("/done", parse_qsl(sent))


def test_what_is_filled_in_is_sent(visitor: Sent) -> None:
    visitor.write("Name", "new")
    visitor.write("Words", "other")
    visitor.choose("Many", "y")
    visitor.tick("A")
    visitor.tick("Deux")
    visitor.press("Go")
    sent = "name=new&key=7&box=a&box=b&ring=2&many=why&words=other&beside=yes&act=go"
    assert visitor.posted == ("/gone", parse_qsl(sent))


@pytest.mark.parametrize(("act", "name"), [("press", "Nothing"), ("follow", "Away")])
def test_what_is_hidden_or_needs_script_cannot_be_used(visitor: Sent, act: str, name: str) -> None:
    with pytest.raises(AssertionError, match=f"0 × “{name}”"):
        getattr(visitor, act)(name)


def test_a_form_with_an_empty_field_that_must_be_filled_in_is_not_sent(visitor: Sent) -> None:
    visitor.write("Name", "")
    with pytest.raises(AssertionError, match="Name must be filled in"):
        visitor.press("Save")
