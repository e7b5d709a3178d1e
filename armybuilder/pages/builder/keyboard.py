"""The keys of the app: one table, from which the help sheet is drawn and the script reads.

A key is named as browsers name it ("j", "ArrowDown"), with "Ctrl+", "Shift+" and "Alt+" before it
where they are held; Ctrl is Command on a Mac. Keys without one of these can be switched off.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy


@dataclass(frozen=True, slots=True)
class Key:
    """What keys do: `does` is the script's name of it, `says` tells it, `shown` are the caps drawn
    for each of the keys.
    """

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
    """The keys pressed together. The plus key itself is one of them."""
    held, _, last = key.rpartition("+") if key != "+" else ("", "", "+")
    return [*filter(None, held.split("+")), last.upper() if held and len(last) == 1 else last]


EVERYWHERE = KeyGroup(
    gettext_lazy("Everywhere"),
    (
        Key("palette", ("Ctrl+k",), gettext_lazy("Do or find anything")),
        Key("find", ("/",), gettext_lazy("Search")),
        Key("keys", ("?",), gettext_lazy("Show these keys")),
    ),
)

BUILDER = (
    KeyGroup(
        gettext_lazy("Go to"),
        (
            Key("list", ("l",), gettext_lazy("The list")),
            Key("book", ("b",), gettext_lazy("The book")),
            Key("verdict", ("v",), gettext_lazy("The verdict")),
            Key("finding", ("n",), gettext_lazy("The next thing to mend or to look at")),
            Key(
                "next",
                ("j", "ArrowDown"),
                gettext_lazy("The next unit, on the list or in the book"),
            ),
            Key("previous", ("k", "ArrowUp"), gettext_lazy("The unit before")),
            Key("print", ("p",), gettext_lazy("Printing, with a preview")),
            Key("history", ("h",), gettext_lazy("The history of the list")),
        ),
    ),
    KeyGroup(
        gettext_lazy("The unit on the list that you are at"),
        (
            Key("open", ("o", "Enter"), gettext_lazy("Open or close it")),
            Key("more", ("+",), gettext_lazy("One model more")),
            Key("fewer", ("-",), gettext_lazy("One model less")),
            Key("duplicate", ("c", "d"), gettext_lazy("Copy it")),
            Key("up", ("Alt+ArrowUp",), gettext_lazy("Move it up")),
            Key("down", ("Alt+ArrowDown",), gettext_lazy("Move it down")),
            Key("remove", ("Delete",), gettext_lazy("Take it off the list")),
        ),
    ),
    KeyGroup(
        gettext_lazy("Change your mind"),
        (
            Key("undo", ("u", "Ctrl+z"), gettext_lazy("Undo")),
            Key("redo", ("y", "Ctrl+Shift+z", "Ctrl+y"), gettext_lazy("Redo")),
        ),
    ),
)

GROUPS = (*BUILDER, EVERYWHERE)
