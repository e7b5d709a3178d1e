"""A print set-up: paper, kinds of sheet, how they look, and parts left out of a sheet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from reportlab.lib.pagesizes import A4, A5, LETTER

from armybuilder.engine.wording import say
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.structure import NamedValue, Sheet, SheetArmy
from armybuilder.sheets.content.unit_view import UnitView

#: Width and height in points (1/72 inch), upright.
PAPERS: Mapping[str, tuple[float, float]] = {"A4": A4, "letter": LETTER, "A5": A5}
#: Papers that nine cards fit on.
CARD_PAPERS = {name: PAPERS[name] for name in ("A4", "letter")}
#: By how much everything on a page but its size grows or shrinks.
SCALES: Mapping[str, float] = {"small": 0.92, "normal": 1.0, "large": 1.2}
#: Sizes of a card: 63 by 88 mm, and 94 by 132 mm, which goes into a sleeve of A6.
CARDS = ("poker", "A6")
#: Kinds of sheet, in the order in which they are offered.
KINDS = ("full", "compact", "cards", "judge", "opponent", "hidden", "quick", "blank")
#: Those that carry a QR code, and what the frozen copy it leads to shows.
CODED: Mapping[str, str] = {
    "full": "full",
    "compact": "full",
    "judge": "full",
    "opponent": "open",
    "hidden": "open",
}


@dataclass(frozen=True, slots=True)
class PageRoom:
    """Room on a page for its sheet, in points as the sheet measures them."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Setup:
    """Print settings: paper, `kinds` in the order of printing, each once, and their contents.

    `size` names a scale of the letters; `duplex`: for printing on both sides, each kind on its own
    paper; cards with `backs`, room for `portraits`, or heads `outlined`; `qr`: the code of a frozen
    copy; `certificate`: this server's signed verdict, in a code. `player` to `table` are at the
    head of every sheet.
    """

    paper: str = "A4"
    landscape: bool = False
    duplex: bool = False
    kinds: tuple[str, ...] = ("full",)
    size: str = "normal"
    colour: bool = False
    prices: bool = True
    notes: bool = True
    portraits: bool = False
    cards: str = "poker"
    backs: bool = False
    outlined: bool = False
    qr: bool = False
    certificate: bool = False
    player: str = ""
    team: str = ""
    event: str = ""
    round: str = ""
    table: str = ""

    @property
    def page(self) -> tuple[float, float]:
        short, long = PAPERS[self.paper]
        return (long, short) if self.landscape else (short, long)

    @property
    def both_sides(self) -> bool:
        return self.duplex or (self.backs and "cards" in self.kinds)

    @property
    def scale(self) -> float:
        return SCALES[self.size]


#: What a set-up may choose among, by field; and its fields that are yes or no.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "paper": tuple(PAPERS),
    "size": tuple(SCALES),
    "cards": CARDS,
}
SWITCHES = (
    *("landscape", "duplex", "colour", "prices", "notes", "portraits", "backs"),
    *("outlined", "qr", "certificate"),
)
#: Its texts, in their order on paper, and letters of each.
OCCASION: Mapping[str, object] = {
    "player": gettext_lazy("Player"),
    "team": gettext_lazy("Team"),
    "event": gettext_lazy("Event"),
    "round": gettext_lazy("Round"),
    "table": pgettext_lazy("where one plays", "Table"),
}
MOST_LETTERS = 60


def read_setup(fields: Mapping[str, str]) -> Setup:
    """Read form or query fields: kinds separated by commas, switches "1" or "0".

    Missing ones are as usual. Raises Refusal for a choice that is not offered.
    """
    known = {key: fields[key] for key in CHOICES if fields.get(key)}
    for key, value in known.items():
        if value not in CHOICES[key]:
            raise Refusal(_("“{value}” is not a valid choice.").format(value=value[:80]))
    switches = {key: fields[key] == "1" for key in SWITCHES if key in fields}
    kinds = tuple(dict.fromkeys(filter(None, fields.get("kinds", "").split(","))))
    for kind in kinds:
        if kind not in KINDS:
            raise Refusal(_("There is no sheet “{kind}”.").format(kind=kind[:80]))
    # Fields that stand in the tables above, so that no type but their names holds them.
    chosen: dict[str, Any] = {**known, **switches, **read_occasion(fields)}
    return Setup(**chosen, kinds=kinds or Setup().kinds)


def read_occasion(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the texts of a set-up that say who plays where, each on one line."""
    return {key: one_line(fields.get(key, ""))[:MOST_LETTERS] for key in OCCASION}


def written(setup: Setup) -> dict[str, str]:
    """Return the set-up as fields for `read_setup`, only those that differ from the usual."""
    usual = _fields(Setup())
    return {key: value for key, value in _fields(setup).items() if value != usual[key]}


def _fields(setup: Setup) -> dict[str, str]:
    choices = {key: str(getattr(setup, key)) for key in CHOICES}
    switches = {key: str(int(getattr(setup, key))) for key in SWITCHES}
    told = {key: getattr(setup, key) for key in OCCASION}
    return {**choices, **switches, **told, "kinds": ",".join(setup.kinds)}


def at_table(sheet: Sheet, setup: Setup) -> Sheet:
    """Return the sheet with who plays where at its head."""
    told = tuple(NamedValue(str(name), getattr(setup, key)) for key, name in OCCASION.items())
    return replace(sheet, occasion=told)


def left_out(sheet: Sheet, setup: Setup) -> Sheet:
    """Return the sheet without unwanted notes and prices, with who plays where at its head."""
    sheet = at_table(sheet, setup)
    if not setup.notes:
        cards = tuple(replace(card, notes="") for card in sheet.cards)
        army = _changed(sheet.army, lambda unit: replace(unit, notes=""))
        sheet = replace(sheet, notes="", cards=cards, army=army)
    if not setup.prices:
        cards = tuple(map(unpriced, sheet.cards))
        text = _("The points of single units are left out.")
        sheet = replace(sheet, cards=cards, army=_changed(sheet.army, unpriced), left_out=text)
    return sheet


def _changed(army: SheetArmy | None, change: Callable[[UnitView], UnitView]) -> SheetArmy | None:
    """Return the army, if there is one, with every unit changed."""
    if army is None:
        return None
    divisions = tuple(
        replace(division, units=tuple(map(change, division.units))) for division in army.divisions
    )
    return replace(army, divisions=divisions)


def unpriced(unit: UnitView) -> UnitView:
    """Return a unit without points, and without a line to write them on."""
    options, items = (
        tuple(replace(taken, points=0) for taken in part) for part in (unit.options, unit.items)
    )
    blanks = tuple(name for name in unit.blanks if name != capfirst(say("points")))
    return replace(unit, priced=False, options=options, items=items, blanks=blanks)
