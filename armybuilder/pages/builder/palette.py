"""What the command palette offers, as plain structures: acts of a list, its units, those of its
books, and the player's other lists and pages.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.lists.labels import labelled
from armybuilder.lists.selectors import lists_of
from armybuilder.loading.library import Library
from armybuilder.pages.builder.page import BuilderPage

#: How many of a player's lists the palette names, the latest changed first.
MOST_LISTS = 50


class Command(NamedTuple):
    """A line of the palette: `words` are what it does, `about` more about it, searched too. One of
    the others is how: `act` are fields of an act, `go` a place on the page ("#u1"), `url` another
    page, `does` a name that the script knows.
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
    """The player's lists, but for one, and the pages of the site."""
    if holder:
        named = lists_of(holder).values_list("pk", "name")
        for list_id, name in named[:MOST_LISTS]:
            if list_id != but:
                yield Command(
                    _("List: {name}").format(name=name), url=reverse("builder", args=[list_id])
                )
    for system in library.systems.values():
        url = reverse("new-list", args=[system.id])
        yield Command(_("Start a new list: {game}").format(game=system.name), url=url)
    yield Command(_("My lists"), url=reverse("my-lists"))
    yield Command(_("My books"), url=reverse("my-books"))
    yield Command(_("My account"), url=reverse("account"))
    yield Command(_("All my data"), url=reverse("my-data"))
    yield Command(_("Games and books"), url=reverse("library"))
    yield Command(_("Start page"), url=reverse("home"))
    yield Command(_("Show the keys"), does="keys")


def _acts(page: BuilderPage) -> Iterator[Command]:
    if page.can_undo:
        yield Command(_("Undo"), page.version.act, act={"act": "undo"})
    if page.can_redo:
        yield Command(_("Redo"), str(page.version.next_act), act={"act": "redo"})
    yield Command(_("Go to the next thing to mend or to look at"), does="finding")


def _entries(page: BuilderPage) -> Iterator[Command]:
    """The units on the list: go there, copy, take off."""
    for entry, name in page.names.items():
        yield Command(_("Go to {name}").format(name=name), _("on the list"), go=f"#{entry}")
    for entry, name in page.names.items():
        copy = {"act": "duplicate", "unit": entry}
        yield Command(_("Copy {name}").format(name=name), act=copy)
        yield Command(_("Remove {name}").format(name=name), act={"act": "remove", "unit": entry})


def _book(page: BuilderPage) -> Iterator[Command]:
    """The units that can be added, with their group in the book."""
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
            words = _("Set: {name}").format(name=setting.name)
            yield Command(words, setting.help or "", go=f"#set-{setting.id}")


def _pages_of(page: BuilderPage) -> Iterator[Command]:
    """The list's other pages."""
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
        yield Command(_("Look at “{label}”").format(label=label), told, url=url)
    if page.system.own_models:
        url = reverse("own-model", args=[page.version.army_list_id])
        yield Command(_("Make a model of your own"), url=url)
