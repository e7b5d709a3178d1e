"""The keyboard shortcuts of the app in one table, and the lines of the command palette."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import pgettext_lazy

from armybuilder.engine.nouns import known
from armybuilder.lists.selectors import lists_of
from armybuilder.lists.services import labelled
from armybuilder.loading.library import Library
from armybuilder.pages.builder.page import BuilderPage

#: Keys that are drawn by another name than the browser's.
CAPS = {
    "ArrowDown": "↓",
    "ArrowUp": "↑",
    "Delete": pgettext_lazy("key", "Delete"),
    "Enter": _lazy("Enter"),
    "Ctrl": _lazy("Ctrl"),
    "Shift": _lazy("Shift"),
    "Alt": "Alt",
    "Escape": _lazy("Escape"),
}


class Key(NamedTuple):
    """A shortcut: `does` is the script's name of the action, `keys` the browser's names."""

    does: str
    keys: tuple[str, ...]
    says: str | Promise

    @property
    def names(self) -> str:
        return " ".join(self.keys)

    @property
    def shown(self) -> list[list[str]]:
        return [[str(CAPS.get(cap, cap)) for cap in _caps(key)] for key in self.keys]


def _caps(key: str) -> list[str]:
    """Return the keys pressed together. The plus key itself is one of them."""
    held, _, last = key.rpartition("+") if key != "+" else ("", "", "+")
    return [*filter(None, held.split("+")), last.upper() if held and len(last) == 1 else last]


#: All keys, by the names of their groups.
GROUPS: dict[str | Promise, tuple[Key, ...]] = {
    _lazy("Go to"): (
        Key("list", ("l",), _lazy("The army")),
        Key("book", ("b",), _lazy("The units")),
        Key("verdict", ("v",), _lazy("The errors")),
        Key("finding", ("n",), _lazy("The next error")),
        Key("next", ("j", "ArrowDown"), _lazy("The next unit")),
        Key("previous", ("k", "ArrowUp"), _lazy("The previous unit")),
        Key("print", ("p",), _lazy("Print, with a preview")),
        Key("history", ("h",), _lazy("The list’s history")),
    ),
    _lazy("The current unit of the list"): (
        Key("open", ("o", "Enter"), _lazy("Open it")),
        Key("more", ("+",), _lazy("One more model")),
        Key("fewer", ("-",), _lazy("One fewer model")),
        Key("duplicate", ("c", "d"), _lazy("Copy it")),
        Key("up", ("Alt+ArrowUp",), _lazy("Move it up")),
        Key("down", ("Alt+ArrowDown",), _lazy("Move it down")),
        Key("remove", ("Delete",), _lazy("Remove it")),
    ),
    _lazy("Undo and redo"): (
        Key("undo", ("u", "Ctrl+z"), _lazy("Undo")),
        Key("redo", ("y", "Ctrl+Shift+z", "Ctrl+y"), _lazy("Redo")),
    ),
    _lazy("Everywhere"): (
        Key("palette", ("Ctrl+k",), _lazy("Do or find anything")),
        Key("find", ("/",), _lazy("Search")),
        Key("keys", ("?",), _lazy("Show shortcuts")),
    ),
}

#: How many of a player's lists the palette names, the latest changed first.
MOST_LISTS = 50


class Command(NamedTuple):
    """A line of the palette: its `words`, more `about` it, and one way to do it.

    The way is the fields of an `act`, a place on the page to `go` to, a `url`, or a function of the
    script (`does`).
    """

    words: str
    about: str = ""
    act: Mapping[str, str] | None = None
    go: str = ""
    url: str = ""
    does: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        return {key: value for key, value in self._asdict().items() if value}


def commands_of(page: BuilderPage) -> Iterator[Command]:
    """Yield everything that can be done with a list on its page."""
    if page.can_undo:
        yield Command(_("Undo"), page.version.act, act={"act": "undo"})
    if page.can_redo:
        yield Command(_("Redo"), str(page.version.next_act), act={"act": "redo"})
    yield Command(_("Go to the next error"), does="finding")
    for entry, name in page.names.items():
        yield Command(_("Go to {name}").format(name=name), _("on the list"), go=f"#{entry}")
    for entry, name in page.names.items():
        yield Command(_("Copy {name}").format(name=name), act={"act": "duplicate", "unit": entry})
        yield Command(_("Remove {name}").format(name=name), act={"act": "remove", "unit": entry})
    for ref, unit in page.catalogue.units.items():
        add = {"act": "add", "ref": ref}
        yield Command(_("Add {name}").format(name=unit.name), unit.group or "", act=add)
    yield Command(_("Rename the list"), go="#list-name")
    yield Command(_("Change the size"), known(page.system.points_name), go="#list-limit")
    yield Command(_("Write notes"), go="#list-notes")
    for setting in page.system.settings.values():
        if setting.matters(page.roster.limit, page.roster.settings):
            words = _("Set: {name}").format(name=_(setting.name))
            yield Command(words, _(setting.help) if setting.help else "", go=f"#set-{setting.id}")
    yield from _pages_of(page)


def _pages_of(page: BuilderPage) -> Iterator[Command]:
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
        about = _("version {number} of the list").format(number=number)
        yield Command(_("View “{label}”").format(label=label), about, url=url)
    if page.system.own_models:
        yield Command(_("Create a custom model"), act={"act": "own-new"})


def commands_everywhere(holder: str, library: Library, but: object = None) -> Iterator[Command]:
    """Yield the player's lists, but for one, and the pages of the site."""
    named = lists_of(holder).values_list("pk", "name")[:MOST_LISTS] if holder else ()
    for list_id, name in named:
        if list_id != but:
            url = reverse("builder", args=[list_id])
            yield Command(_("List: {name}").format(name=name), url=url)
    for system in library.systems.values():
        url = reverse("new-list", args=[system.id])
        yield Command(_("New list: {game}").format(game=system.name), url=url)
    for address, words in (
        ("my-lists", _("My lists")),
        ("collections", _("My collection")),
        ("my-books", _("Custom books")),
        ("account", _("My account")),
        ("my-data", _("All my data")),
        ("library", _("Games and books")),
        ("home", _("Start page")),
    ):
        yield Command(words, url=reverse(address))
    yield Command(_("Show shortcuts"), does="keys")
