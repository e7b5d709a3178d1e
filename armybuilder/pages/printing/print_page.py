"""What the page of printing shows: the set-up as a form, its pages, and the set-ups saved."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from armybuilder.loading.problems import Refusal
from armybuilder.printing.models import PrintSetup
from armybuilder.sheets.content.material import SheetLinks
from armybuilder.sheets.content.setup import (
    CARDS,
    CHOICES,
    CODED,
    MOST_LETTERS,
    OCCASION,
    PAPERS,
    SCALES,
    SWITCHES,
    Setup,
    read_setup,
    written,
)
from armybuilder.sheets.content.setup import KINDS as ALL_KINDS
from armybuilder.sheets.printing.chapters import KINDS
from armybuilder.sheets.printing.printouts import WIDTH, Printout

#: How many pages are shown as pictures.
MOST_PICTURES = 12

#: What the choices of a set-up are called.
NAMES: Mapping[str, object] = {
    "A4": "A4",
    "letter": gettext_lazy("US Letter"),
    "A5": "A5",
    "small": pgettext_lazy("letters", "small"),
    "normal": pgettext_lazy("letters", "normal"),
    "large": pgettext_lazy("letters", "large"),
    "poker": "63 × 88 mm",
    "A6": gettext_lazy("94 × 132 mm, for sleeves of A6"),
}


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """What an address asks for: `chosen` kinds, maybe none; `plain`: written as `query_of` does;
    `wrong` says what cannot be read.
    """

    setup: Setup
    chosen: tuple[str, ...]
    plain: bool = True
    wrong: str = ""


def asked_for(query: QueryDict, usual: Setup) -> SetupRequest:
    """Read the query of an address, or of the form without script (`up` and `down` move a kind);
    one that says nothing means the usual set-up.
    """
    fields = {str(key): str(value) for key, value in query.items()}
    if not set(fields) & {"kinds", "up", "down", *CHOICES, *SWITCHES, *OCCASION}:
        return SetupRequest(usual, usual.kinds)
    ticked = ",".join(query.getlist("kinds"))
    try:
        setup = read_setup({**fields, "kinds": ticked})
    except Refusal as refusal:
        return SetupRequest(Setup(), Setup().kinds, wrong=refusal.sentence)
    if "kinds" in fields and not ticked.strip(","):
        return SetupRequest(setup, ())
    kinds = _moved(setup.kinds, fields.get("up", ""), fields.get("down", ""))
    setup = replace(setup, kinds=kinds)
    # `mark` tells the pictures of one printout from those of the next.
    said = {key: value for key, value in fields.items() if key != "mark"}
    plain = said == _query_fields(setup) and all(len(query.getlist(key)) == 1 for key in said)
    return SetupRequest(setup, kinds, plain)


def _moved(kinds: Sequence[str], up: str, down: str) -> tuple[str, ...]:
    """Return the kinds with one of them a place earlier or later."""
    order = list(kinds)
    for kind, step in ((up, -1), (down, 1)):
        if kind in order:
            to = max(order.index(kind) + step, 0)
            order.remove(kind)
            order.insert(to, kind)
    return tuple(order)


def query_of(setup: Setup) -> str:
    """Return the set-up as a query, always with kinds: without them the usual set-up is meant."""
    return urlencode(_query_fields(setup), safe=",")


def _query_fields(setup: Setup) -> dict[str, str]:
    return {"kinds": ",".join(setup.kinds), **written(setup)}


def coded_views(kinds: Iterable[str]) -> list[str]:
    """Return what the frozen copies show that the QR codes of these sheets lead to."""
    return list(dict.fromkeys(CODED[kind] for kind in kinds if kind in CODED))


def lacking(kinds: Iterable[str], links: SheetLinks) -> list[str]:
    """Return those of them to which there is no link yet."""
    return [view for view in coded_views(kinds) if not getattr(links, view)]


@dataclass(frozen=True, slots=True)
class KindRow:
    """A kind of sheet in the form, and whether it can be moved within those chosen."""

    id: str
    name: object
    about: object
    chosen: bool
    earlier: bool
    later: bool


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """A field of the form with its options: value, name, and whether it is chosen."""

    key: str
    label: object
    options: list[tuple[str, object, bool]]


@dataclass(frozen=True, slots=True)
class Switch:
    """A field of the form that is on or off."""

    key: str
    label: object
    about: object
    on: bool


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of the preview; `width` and `height` of its picture in pixels."""

    number: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A saved set-up; `current` is one that says what the form says."""

    saved: PrintSetup
    query: str
    current: bool


@dataclass(frozen=True)
class PrintPage:
    """All of the page: `printout` None where `wrong` says why; `links` None for many lists."""

    setup: Setup
    chosen: tuple[str, ...]
    saved: list[PrintSetup]
    printout: Printout | None = None
    wrong: str = ""
    links: SheetLinks | None = None

    @property
    def query(self) -> str:
        return query_of(self.setup)

    @property
    def kinds(self) -> Iterator[KindRow]:
        """The kinds chosen in their order, then the others."""
        last = len(self.chosen) - 1
        for place, kind in enumerate(self.chosen):
            about = (KINDS[kind].name, KINDS[kind].about)
            yield KindRow(kind, *about, True, place > 0, place < last)
        for kind in ALL_KINDS:
            if kind not in self.chosen:
                yield KindRow(kind, KINDS[kind].name, KINDS[kind].about, False, False, False)

    @property
    def paper(self) -> list[SetupChoice]:
        """What is chosen about the paper."""
        ways = (("0", gettext_lazy("portrait")), ("1", gettext_lazy("landscape")))
        way = str(int(self.setup.landscape))
        return [
            self._choice("paper", _("Size"), PAPERS),
            SetupChoice(
                "landscape", _("Orientation"), [(key, name, key == way) for key, name in ways]
            ),
            self._choice("size", _("Text size"), SCALES),
        ]

    @property
    def occasion(self) -> list[tuple[str, object, str]]:
        """Who plays where: fields with their names and texts."""
        return [(key, name, getattr(self.setup, key)) for key, name in OCCASION.items()]

    @property
    def most_letters(self) -> int:
        """Of each of them."""
        return MOST_LETTERS

    @property
    def sides(self) -> Switch:
        """Whether paper is printed on both sides."""
        about = _("each sheet and each list begins on paper of its own")
        return Switch("duplex", _("Both sides"), about, self.setup.duplex)

    @property
    def card_sizes(self) -> SetupChoice:
        return self._choice("cards", _("Size of a card"), CARDS)

    @property
    def contents(self) -> list[Switch]:
        """What may be left out, and colour."""
        setup = self.setup
        return [
            Switch("prices", _("Points"), _("what each unit and option costs"), setup.prices),
            Switch(
                "notes", _("Notes"), _("what you wrote about the list and its units"), setup.notes
            ),
            Switch("colour", _("In colour"), "", setup.colour),
            *self._code_switch(),
        ]

    def _code_switch(self) -> Iterator[Switch]:
        if self.links is not None:
            about = _("links to a copy of the list as it is now")
            yield Switch("qr", _("QR code"), about, self.setup.qr)
            about = _("what this site found, signed, on full and judge’s sheets")
            yield Switch("certificate", _("Certificate"), about, self.setup.certificate)

    @property
    def code(self) -> str:
        """Return "" (none wanted), "nowhere" (no sheet has a place), "missing" or "ready"."""
        if self.links is None or not self.setup.qr:
            return ""
        if not coded_views(self.chosen):
            return "nowhere"
        return "missing" if lacking(self.chosen, self.links) else "ready"

    @property
    def card_contents(self) -> list[Switch]:
        setup = self.setup
        return [
            Switch("portraits", _("Space for a picture"), "", setup.portraits),
            Switch("outlined", _("Outlined heads"), _("saves ink"), setup.outlined),
            Switch("backs", _("Backs"), _("for printing on both sides"), setup.backs),
        ]

    def _choice(self, key: str, label: object, values: Iterable[str]) -> SetupChoice:
        now = getattr(self.setup, key)
        return SetupChoice(key, label, [(value, NAMES[value], value == now) for value in values])

    @property
    def leaves(self) -> list[Leaf]:
        """The first pages, as they are shown."""
        sizes = self.printout.sizes[:MOST_PICTURES] if self.printout else []
        return [
            Leaf(number, WIDTH, round(WIDTH * height / width))
            for number, (width, height) in enumerate(sizes, 1)
        ]

    @property
    def pages(self) -> int:
        return len(self.printout.sizes) if self.printout else 0

    @property
    def kilobytes(self) -> int:
        """How large the file is, rounded up."""
        return -(-len(self.printout.content) // 1024) if self.printout else 0

    @property
    def saved_rows(self) -> list[SavedRow]:
        return [
            SavedRow(saved, query_of(saved.setup), saved.setup == self.setup)
            for saved in self.saved
        ]
