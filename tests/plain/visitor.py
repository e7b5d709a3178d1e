"""A browser without script: Django's test client that can only do what stands on the page.

It follows links, fills in fields and presses buttons by the names that people see, and sends what
HTML says a form sends. What is hidden, disabled or not there cannot be used; how a page looks is
for the tests in a real browser.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlencode, urljoin

from django.http import HttpResponse
from django.test import Client
from lxml import html
from lxml.html import HtmlElement

#: A part of the page: itself, or a CSS selector.
Place = str | HtmlElement
#: Buttons that send a form; the others do nothing without script.
SENDING = "button:not([type=button]):not([type=reset]), input[type=submit]"
#: What nobody sees or hears: kept out of the page by HTML itself.
UNSEEN = (
    "ancestor-or-self::*[@hidden or @inert or @aria-hidden='true' or self::template"
    " or self::dialog[not(@open)]]"
)
#: Types of fields that send nothing by themselves.
SILENT = ("button", "image", "reset", "submit", "file")


def squeezed(text: str) -> str:
    """The text with every row of spaces as one."""
    return " ".join(text.split())


def words_of(element: HtmlElement) -> str:
    """What stands in an element."""
    return squeezed(element.text_content())


class Visitor:
    """Somebody with a browser without script, who has opened no page yet."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.url = "/"
        self.page: HtmlElement = html.fromstring("<html></html>")

    # Looking

    def all(self, selector: str) -> list[HtmlElement]:
        """The elements of the page that a CSS selector finds, but those nobody sees."""
        return [one for one in self.page.cssselect(selector) if not one.xpath(UNSEEN)]

    def one(self, selector: str) -> HtmlElement:
        """The only element that a CSS selector finds."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} × {selector} on {self.url}"
        return found[0]

    def text(self, selector: str = "body") -> str:
        """The words of the elements that a CSS selector finds."""
        return " ".join(map(words_of, self.all(selector)))

    def saying(self, words: str, selector: str) -> list[HtmlElement]:
        """Those of the elements that hold these words."""
        return [one for one in self.all(selector) if words in words_of(one)]

    def value(self, label: str, within: Place = "body") -> str:
        """What a field holds."""
        return "".join(self._field_values(self.field(label, within)))

    # Going

    def open(self, address: str) -> None:
        """Go to an address."""
        self._show(self.client.get(address, follow=True), address)

    def fetch(self, link: str, within: Place = "body") -> HttpResponse:
        """What a link leads to, without leaving the page: a file."""
        address = urljoin(self.url, self.link(link, within).get("href"))
        response: HttpResponse = self.client.get(address)
        assert response.status_code == 200, address
        return response

    def follow(self, name: str, within: Place = "body") -> None:
        """Press a link."""
        self.open(urljoin(self.url, self.link(name, within).get("href")))

    def press(self, name: str, within: Place = "body") -> None:
        """Press a button, which sends its form."""
        self.send(self.button(name, within))

    def enter(self, label: str, within: Place = "body") -> None:
        """Press Enter in a field, which sends its form as its first button would."""
        form = self._form_of(self.field(label, within))
        buttons = self._inside("body", SENDING)
        self.send(next(button for button in buttons if self._form_of(button) is form))

    def send(self, button: HtmlElement) -> None:
        """Send the form of a button as the browser would."""
        form = self._form_of(button)
        assert form is not None, f"{_name(button, self.page)} belongs to no form"
        address = urljoin(self.url, button.get("formaction") or form.get("action") or self.url)
        checked = not {"novalidate", "formnovalidate"} & {*form.attrib, *button.attrib}
        fields = dict[str, list[Any]]()
        for name, value in self._sent(form, button, checked):
            fields.setdefault(name, []).append(value)
        method = (button.get("formmethod") or form.get("method") or "get").lower()
        if method == "get":
            path = address.partition("?")[0].partition("#")[0]
            self.open(f"{path}?{urlencode(fields, doseq=True)}")
        else:
            self._show(self.client.post(address, fields, follow=True), address)

    # Filling in

    def write(self, label: str, words: object, within: Place = "body") -> None:
        """Write into a field, in place of what stands there."""
        field = self.field(label, within)
        assert field.tag in ("input", "textarea"), label
        assert not field.get("readonly"), label
        if field.tag == "textarea":
            field.text = str(words)
        else:
            field.set("value", str(words))

    def choose(self, label: str, option: str, within: Place = "body") -> None:
        """Choose one of a list of choices, by its words."""
        self.pick(self.field(label, within), option)

    def pick(self, field: HtmlElement, option: str) -> None:
        """Choose one of this list of choices."""
        options = [one for one in field.iter("option") if "disabled" not in one.attrib]
        named = [one for one in options if words_of(one) == option]
        assert len(named) == 1, f"{option}: {len(named)} of {len(options)}"
        for one in field.iter("option"):
            one.attrib.pop("selected", None)
        named[0].set("selected", "")

    def tick(self, label: str, on: bool = True, within: Place = "body") -> None:
        """Tick a box or one of several circles, or with `on` False take the tick away."""
        self.set(self.field(label, within), on)

    def set(self, box: HtmlElement, on: bool = True) -> None:
        """Tick this box or circle."""
        assert box.get("type") in ("checkbox", "radio")
        group = [box]
        if box.get("type") == "radio":
            assert on, "only another circle takes the tick away"
            form, name = self._form_of(box), box.get("name")
            group = [one for one in self._fields(form) if one.get("name") == name]
        for one in group:
            one.attrib.pop("checked", None)
        if on:
            box.set("checked", "")

    # Finding by name

    def link(self, name: str, within: Place = "body") -> HtmlElement:
        """The link of this name."""
        return self._named(name, self._inside(within, "a[href]"))

    def button(self, name: str, within: Place = "body") -> HtmlElement:
        """The button of this name."""
        return self._named(name, self._inside(within, SENDING))

    def field(self, label: str, within: Place = "body") -> HtmlElement:
        """The field with this label."""
        fields = self._inside(within, "input:not([type=hidden]), select, textarea")
        return self._named(label, fields)

    def _inside(self, within: Place, selector: str) -> list[HtmlElement]:
        places = self.all(within) if isinstance(within, str) else [within]
        found = [one for place in places for one in place.cssselect(selector)]
        return [one for one in found if not one.xpath(UNSEEN) and not _disabled(one)]

    def _named(self, name: str, found: Iterable[HtmlElement]) -> HtmlElement:
        """The only one of this name, else the only one whose name holds it."""
        names = [(_name(one, self.page), one) for one in found]
        whole = [one for said, one in names if said == name]
        part = whole or [one for said, one in names if name in said]
        assert len(part) == 1, f"{len(part)} × “{name}” on {self.url}: {[s for s, _ in names]}"
        return part[0]

    # Sending

    def _form_of(self, control: HtmlElement) -> HtmlElement | None:
        if control.get("form"):
            return self.page.get_element_by_id(control.get("form"))
        return next(control.iterancestors("form"), None)

    def _fields(self, form: HtmlElement | None) -> Iterator[HtmlElement]:
        for control in self.page.iter("input", "select", "textarea"):
            if self._form_of(control) is form and not _disabled(control):
                yield control

    def _sent(
        self, form: HtmlElement, button: HtmlElement, checked: bool
    ) -> Iterator[tuple[str, Any]]:
        """Names and values that the form sends; with `checked` it must be filled in."""
        for field in self._fields(form):
            values: list[Any] = self._field_values(field)
            if checked and "required" in field.attrib and field.get("type") != "radio":
                assert any(values), f"{_name(field, self.page)} must be filled in"
            yield from ((field.get("name"), value) for value in values if field.get("name"))
        if button.get("name"):
            yield button.get("name"), button.get("value", "")

    def _field_values(self, field: HtmlElement) -> list[str]:
        if field.tag == "textarea":
            return [(field.text or "").removeprefix("\n")]
        if field.tag == "select":
            return _chosen(field)
        kind = field.get("type", "text")
        if kind in ("checkbox", "radio"):
            return [field.get("value", "on")] if "checked" in field.attrib else []
        return [] if kind in SILENT else [field.get("value", "")]

    def _show(self, response: Any, address: str) -> None:
        chain = response.redirect_chain
        self.url = (chain[-1][0] if chain else address).partition("#")[0]
        self.page = html.fromstring(response.content.decode())


def _chosen(field: HtmlElement) -> list[str]:
    options = [one for one in field.iter("option") if "disabled" not in one.attrib]
    chosen = [one for one in options if "selected" in one.attrib]
    if "multiple" not in field.attrib:
        chosen = chosen[-1:] or options[:1]
    return [one.get("value", words_of(one)) for one in chosen]


def _disabled(control: HtmlElement) -> bool:
    return "disabled" in control.attrib or bool(control.xpath("ancestor::fieldset[@disabled]"))


def _name(control: HtmlElement, page: HtmlElement) -> str:
    """What the control is called: by its own words, or by those of its labels."""
    if control.get("aria-label"):
        return squeezed(control.get("aria-label"))
    if control.get("aria-labelledby"):
        ids = control.get("aria-labelledby").split()
        return squeezed(" ".join(page.get_element_by_id(one).text_content() for one in ids))
    if control.tag in ("a", "button"):
        return words_of(control)
    around = next(control.iterancestors("label"), None)
    labels = [around] if around is not None else []
    if control.get("id"):
        labels += page.xpath("//label[@for=$id]", id=control.get("id"))
    return squeezed(" ".join(label.text_content() for label in labels))
