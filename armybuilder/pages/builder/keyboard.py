"""What the hand finds: the keys of the app in one table, and the lines of the command palette."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from armybuilder.lists.selectors import lists_of
from armybuilder.lists.services import labelled
from armybuilder.loading.library import Library
from armybuilder.pages.builder.page import BuilderPage


@dataclass(frozen=True, slots=True)
class Key:
    """What keys do: `does` is the script's name of it, `says` tells it."""

    does: str
    keys: tuple[str, ...]
    says: str | Promise

    @property
    def names(self) -> str:
        """The keys in one word of a page's attribute."""
        return " ".join(self.keys)

    @property
    def shown(self) -> list[list[str]]:
        """The caps of each key, as people know them."""
        return [[str(CAPS.get(cap, cap)) for cap in _caps(key)] for key in self.keys]


@dataclass(frozen=True, slots=True)
class KeyGroup:
    name: str | Promise
    keys: tuple[Key, ...]


#: Keys that are drawn by another name than the browser's.
CAPS = {
    "ArrowDown": "↓",
    "ArrowUp": "↑",
    "Delete": pgettext_lazy("key", "Delete"),
    "Enter": gettext_lazy("Enter"),
    "Ctrl": gettext_lazy("Ctrl"),
    "Shift": gettext_lazy("Shift"),
    "Alt": "Alt",
    "Escape": gettext_lazy("Escape"),
}


def _caps(key: str) -> list[str]:
    """Return the keys pressed together. The plus key itself is one of them."""
    held, _, last = key.rpartition("+") if key != "+" else ("", "", "+")
    return [*filter(None, held.split("+")), last.upper() if held and len(last) == 1 else last]


EVERYWHERE = KeyGroup(
    gettext_lazy("Everywhere"),
    (
        Key("palette", ("Ctrl+k",), gettext_lazy("Do or find anything")),
        Key("find", ("/",), gettext_lazy("Search")),
        Key("keys", ("?",), gettext_lazy("Show shortcuts")),
    ),
)

BUILDER = (
    KeyGroup(
        gettext_lazy("Go to"),
        (
            Key("list", ("l",), gettext_lazy("The army")),
            Key("book", ("b",), gettext_lazy("The units")),
            Key("verdict", ("v",), gettext_lazy("The errors")),
            Key("finding", ("n",), gettext_lazy("The next error")),
            Key(
                "next",
                ("j", "ArrowDown"),
                gettext_lazy("The next unit"),
            ),
            Key("previous", ("k", "ArrowUp"), gettext_lazy("The previous unit")),
            Key("print", ("p",), gettext_lazy("Print, with a preview")),
            Key("history", ("h",), gettext_lazy("The list’s history")),
        ),
    ),
    KeyGroup(
        gettext_lazy("The current unit of the list"),
        (
            Key("open", ("o", "Enter"), gettext_lazy("Open it")),
            Key("more", ("+",), gettext_lazy("One model more")),
            Key("fewer", ("-",), gettext_lazy("One model fewer")),
            Key("duplicate", ("c", "d"), gettext_lazy("Copy it")),
            Key("up", ("Alt+ArrowUp",), gettext_lazy("Move it up")),
            Key("down", ("Alt+ArrowDown",), gettext_lazy("Move it down")),
            Key("remove", ("Delete",), gettext_lazy("Remove it")),
        ),
    ),
    KeyGroup(
        gettext_lazy("Undo and redo"),
        (
            Key("undo", ("u", "Ctrl+z"), gettext_lazy("Undo")),
            Key("redo", ("y", "Ctrl+Shift+z", "Ctrl+y"), gettext_lazy("Redo")),
        ),
    ),
)

GROUPS = (*BUILDER, EVERYWHERE)


#: How many of a player's lists the palette names, the latest changed first.
MOST_LISTS = 50


class Command(NamedTuple):
    """A line of the palette: what it does in `words`, more `about` it, and one way to do it: the
    fields of an `act`, a place on the page to `go` to, a `url`, or what the script `does`.
    """

    words: str
    about: str = ""
    act: Mapping[str, str] | None = None
    go: str = ""
    url: str = ""
    does: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """What is not empty of it, for JSON."""
        return {key: value for key, value in self._asdict().items() if value}


def commands_of(page: BuilderPage) -> Iterator[Command]:
    """Everything that can be done with a list on its page."""
    yield from _acts(page)
    yield from _entries(page)
    yield from _book(page)
    yield from _fields(page)
    yield from _pages_of(page)


def commands_everywhere(holder: str, library: Library, but: object = None) -> Iterator[Command]:
    """Return the player's lists, but for one, and the pages of the site."""
    if holder:
        named = lists_of(holder).values_list("pk", "name")
        for list_id, name in named[:MOST_LISTS]:
            if list_id != but:
                yield Command(
                    _("List: {name}").format(name=name), url=reverse("builder", args=[list_id])
                )
    for system in library.systems.values():
        url = reverse("new-list", args=[system.id])
        yield Command(_("New list: {game}").format(game=system.name), url=url)
    yield Command(_("My lists"), url=reverse("my-lists"))
    yield Command(_("Custom books"), url=reverse("my-books"))
    yield Command(_("My account"), url=reverse("account"))
    yield Command(_("All my data"), url=reverse("my-data"))
    yield Command(_("Games and books"), url=reverse("library"))
    yield Command(_("Start page"), url=reverse("home"))
    yield Command(_("Show shortcuts"), does="keys")


def _acts(page: BuilderPage) -> Iterator[Command]:
    if page.can_undo:
        yield Command(_("Undo"), page.version.act, act={"act": "undo"})
    if page.can_redo:
        yield Command(_("Redo"), str(page.version.next_act), act={"act": "redo"})
    yield Command(_("Go to the next error"), does="finding")


def _entries(page: BuilderPage) -> Iterator[Command]:
    """Return the units on the list: go there, copy, take off."""
    for entry, name in page.names.items():
        yield Command(_("Go to {name}").format(name=name), _("on the list"), go=f"#{entry}")
    for entry, name in page.names.items():
        copy = {"act": "duplicate", "unit": entry}
        yield Command(_("Copy {name}").format(name=name), act=copy)
        yield Command(_("Remove {name}").format(name=name), act={"act": "remove", "unit": entry})


def _book(page: BuilderPage) -> Iterator[Command]:
    """Return the units that can be added, with their group in the book."""
    for ref, unit in page.catalogue.units.items():
        add = {"act": "add", "ref": ref}
        yield Command(_("Add {name}").format(name=unit.name), unit.group or "", act=add)


def _fields(page: BuilderPage) -> Iterator[Command]:
    """Fields of the page that are filled in there."""
    yield Command(_("Rename the list"), go="#list-name")
    yield Command(_("Change the size"), page.points_name, go="#list-limit")
    yield Command(_("Write notes"), go="#list-notes")
    for setting in page.system.settings.values():
        if setting.matters(page.roster.limit, page.roster.settings):
            words = _("Set: {name}").format(name=_(setting.name))
            yield Command(words, _(setting.help) if setting.help else "", go=f"#set-{setting.id}")


def _pages_of(page: BuilderPage) -> Iterator[Command]:
    """Return the list's other pages."""
    for name, words in (
        ("print", _("Print: choose sheets and paper")),
        ("print-pdf", _("Print as PDF")),
        ("share", _("Share: links to the list")),
        ("sheet", _("Roster sheet")),
        ("cards-pdf", _("Print as cards")),
        ("list-text", _("As text")),
        ("history", _("History of the list")),
        ("charts", _("Charts")),
        ("document", _("Save as a file")),
        ("list-csv", _("Save as a table (CSV)")),
    ):
        yield Command(words, url=reverse(name, args=[page.version.army_list_id]))
    for number, label in labelled(page.version.army_list_id):
        url = reverse("version", args=[page.version.army_list_id, number])
        told = _("version {number} of the list").format(number=number)
        yield Command(_("View “{label}”").format(label=label), told, url=url)
    if page.system.own_models:
        url = reverse("own-model", args=[page.version.army_list_id])
        yield Command(_("Create a custom model"), url=url)
