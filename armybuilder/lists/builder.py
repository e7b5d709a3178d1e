"""What the builder's page shows, as plain structures, before any template sees it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from armybuilder.engine import Finding, Report, Severity, validate
from armybuilder.engine.catalogue import Book, Catalogue, Option, Role, Setting, System, Unit
from armybuilder.engine.describe import unit_abilities, unit_facts
from armybuilder.engine.facts import Fact
from armybuilder.engine.findings import Gauge, RuleHead
from armybuilder.engine.kinds.available import fits
from armybuilder.engine.report import LineNumbers
from armybuilder.engine.roster import OptionPick, Pick, Roster
from armybuilder.engine.sentences import counted, sentence
from armybuilder.lists.acts import entry_name
from armybuilder.lists.models import Version
from armybuilder.loading.documents import Document, catalogue_of, make_roster
from armybuilder.loading.library import Library

#: Signs of the severities, so that colour is never the only one. Names of icons.
SIGNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}

SELECTED = mark_safe(" selected")


class Culprit(NamedTuple):
    """A unit a finding speaks of."""

    id: str
    name: str


class Answer(NamedTuple):
    """A button that settles a finding: its words and the act's fields."""

    label: str
    fields: Mapping[str, str]


class Telling(NamedTuple):
    """A finding as the page tells it; `rule` is what it comes from."""

    severity: str
    sign: str
    sentence: str
    rule: RuleHead
    citation: str
    culprits: tuple[Culprit, ...]
    answers: tuple[Answer, ...]


class BlankField(NamedTuple):
    """A field of a card the player fills in; `choices` (id, name) where it is not a number."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...]


class RoleButton(NamedTuple):
    role: Role
    held: bool


class OptionButton(NamedTuple):
    """An option that can be taken or left; `path` as `edits.switch_option` wants it."""

    path: str
    label: str
    held: bool


class LineView(NamedTuple):
    """An entry of the list. `own_name` is the one the player gave it, or ""; `about` what its
    unit is, in a line; `points` what it costs, "?" where that is not known, and `each` what one
    model does, where there are several.
    """

    id: str
    name: str
    own_name: str
    notes: str
    models: int
    unit: Unit | None
    unit_name: str
    points: str
    each: str
    about: str
    marks: tuple[str, ...]
    worst: str
    blanks: tuple[BlankField, ...]
    roles: tuple[RoleButton, ...]
    options: tuple[OptionButton, ...]


class GaugeView(NamedTuple):
    """A gauge as the page draws it: `fill` is how far, 0 to 100 per cent; `text` says the
    numbers in words and `made_of` what they are made of.
    """

    name: str
    lineup: str
    ok: bool
    fill: int
    text: str
    made_of: str
    rule: RuleHead
    citation: str


class PieceView(NamedTuple):
    """A piece that was chosen, how often, and whether the other settings allow it."""

    id: str
    name: str
    count: int
    fits: bool


class SettingView(NamedTuple):
    """A setting with its value, what may be chosen as HTML options, and the pieces that are."""

    setting: Setting
    value: Any
    options: SafeString
    chosen: tuple[PieceView, ...]


@dataclass
class BuilderPage:
    """Everything about one list that its page shows, worked out when a template asks for it."""

    version: Version
    library: Library

    @cached_property
    def document(self) -> Document:
        document: Document = self.version.document
        return document

    @cached_property
    def catalogue(self) -> Catalogue:
        return catalogue_of(self.document, self.library)

    @property
    def system(self) -> System:
        return self.catalogue.system

    @cached_property
    def roster(self) -> Roster:
        return make_roster(self.document, self.catalogue)

    @cached_property
    def report(self) -> Report:
        return validate(self.roster, self.catalogue)

    @property
    def notes(self) -> str:
        return str(self.document.get("notes", ""))

    @property
    def can_undo(self) -> bool:
        return self.version.number > 1

    @property
    def can_redo(self) -> bool:
        return self.version.number < self.version.army_list.latest

    @property
    def left(self) -> int:
        """Points still free; below 0 when over."""
        return self.report.limit - self.report.spent

    @property
    def over(self) -> int:
        """Points spent beyond the size."""
        return max(0, -self.left)

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        errors = len(self.report.of(Severity.ERROR))
        if not errors:
            return "Legal"
        return f"Not legal: {errors} thing{'s' if errors > 1 else ''} to mend"

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What each entry is called, by its id."""
        return {entry["id"]: entry_name(entry, self.catalogue) for entry in self.document["units"]}

    @cached_property
    def tellings(self) -> list[Telling]:
        return [self._telling(finding) for finding in self.report.findings]

    def _telling(self, finding: Finding) -> Telling:
        # Where everything on the list takes part, naming all of it would tell nothing.
        everything = len(finding.units) == len(self.names) > 1
        return Telling(
            finding.severity.value,
            SIGNS[finding.severity],
            sentence(finding),
            finding.rule,
            str(finding.rule.citation),
            () if everything else tuple(Culprit(unit, self.names[unit]) for unit in finding.units),
            tuple(self._answers(finding)),
        )

    def _answers(self, finding: Finding) -> Iterable[Answer]:
        """The ways out of a tie of factions: one button per tied faction."""
        rule = self.system.faction
        if rule is None or finding.rule is not rule.choose:
            return
        tied = {
            faction
            for standing in self.report.standings
            if standing.allegiance
            for faction in standing.allegiance.tied
        }
        names = self.system.attributes[rule.attribute].values
        for faction in sorted(tied):
            fields = {"act": "setting", "setting": rule.setting, "value": faction}
            yield Answer(f"Choose {names[faction]}", fields)

    @cached_property
    def gauges(self) -> list[GaugeView]:
        return [_gauge_view(gauge) for gauge in self.report.gauges]

    @cached_property
    def facts(self) -> list[tuple[str, Fact]]:
        return list(self.report.facts)

    @cached_property
    def lines(self) -> list[LineView]:
        worst = self._worst_by_unit()
        entries = zip(self.document["units"], self.roster.picks, strict=True)
        return [self._line(entry, pick, worst.get(pick.id, "")) for entry, pick in entries]

    def _worst_by_unit(self) -> dict[str, str]:
        """The gravest severity that concerns an entry by itself, not the list as a whole."""
        worst: dict[str, str] = {}
        for finding in reversed(self.report.findings):
            if len(finding.units) == 1:
                worst[finding.units[0]] = finding.severity.value
        return worst

    def _line(self, entry: Mapping[str, Any], pick: Pick, worst: str) -> LineView:
        unit = pick.unit
        numbers = self.report.lines.get(pick.id)
        return LineView(
            id=pick.id,
            name=self.names[pick.id],
            own_name=pick.name,
            notes=pick.notes,
            models=pick.models,
            unit=unit,
            unit_name=unit.name if unit else "",
            points=_points(unit, numbers),
            each=f"{numbers.each} each" if numbers and pick.models > 1 else "",
            about=_about(unit, self.system) if unit else "",
            marks=tuple(_marks(pick, numbers, self.system)),
            worst=worst,
            blanks=tuple(self._blanks(entry)),
            roles=tuple(
                RoleButton(role, role.id in pick.roles) for role in self.system.roles.values()
            ),
            options=tuple(_option_buttons(unit.options, pick.picks, pick.models)) if unit else (),
        )

    def _blanks(self, entry: Mapping[str, Any]) -> Iterable[BlankField]:
        """Fields for what the book leaves open, also where the player has filled them."""
        unit = self.catalogue.units.get(entry.get("unit", ""))
        card = entry.get("card", {})
        for blank in unit.blanks if unit else ():
            kind, _, key = blank.field.partition(".")
            value = card.get(kind, {}).get(key, "") if key else card.get(kind, "")
            choices: tuple[tuple[str, str], ...] = ()
            if kind == "attributes":
                choices = tuple(self.system.attributes[key].values.items())
            yield BlankField(blank.field, blank.name, str(value), choices)

    @cached_property
    def settings(self) -> list[SettingView]:
        return [self._setting(setting) for setting in self.system.settings.values()]

    def _setting(self, setting: Setting) -> SettingView:
        value = self.roster.settings[setting.id]
        values = setting.values
        if setting.kind == "attribute":
            choices = [("", "not chosen"), *self._attribute_choices(setting)]
            return SettingView(setting, value, options(choices, value), ())
        settings = self.roster.settings
        choices = [(piece.id, piece.name) for piece in values.values() if fits(piece, settings)]
        taken = Counter(value) if isinstance(value, tuple) else Counter()
        chosen = (
            PieceView(key, values[key].name, count, fits(values[key], settings))
            for key, count in taken.items()
        )
        return SettingView(setting, value, options(choices, value), tuple(chosen))

    def _attribute_choices(self, setting: Setting) -> Iterable[tuple[str, str]]:
        """The values of the attribute a setting chooses among, but for "none"."""
        rule = self.system.faction
        none = rule.none if rule is not None and rule.setting == setting.id else None
        values = self.system.attributes[setting.attribute].values
        return ((key, name) for key, name in values.items() if key != none)

    @property
    def other_books(self) -> list[Book]:
        """Books of the system the list does not draw from yet."""
        books = self.library.books[self.system.id].values()
        return [book for book in books if book not in self.catalogue.books]

    @property
    def changed_books(self) -> list[Book]:
        """Books whose content has changed since the list was last saved with them."""
        revisions = {book["id"]: book.get("revision") for book in self.document["books"]}
        return [
            book
            for book in self.catalogue.books
            if revisions.get(book.id) not in (None, book.revision)
        ]


def options(choices: Iterable[tuple[str, str]], chosen: object) -> SafeString:
    """The options of a select, from (id, name). Long selects in a template cost the most of it."""
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((key, SELECTED if key == chosen else "", name) for key, name in choices),
    )


def _gauge_view(gauge: Gauge) -> GaugeView:
    top = gauge.maximum if gauge.maximum is not None else max(gauge.used, 1)
    fill = 100 if gauge.used >= top and gauge.used else round(100 * gauge.used / max(top, 1))
    if gauge.minimum is not None and gauge.minimum == gauge.maximum:
        text = f"{gauge.used}, exactly {gauge.maximum} needed"
    elif gauge.minimum is not None and gauge.maximum is not None:
        text = f"{gauge.used}, from {gauge.minimum} to {gauge.maximum} needed"
    elif gauge.maximum is not None:
        text = f"{gauge.used} of {gauge.maximum}"
    else:
        text = f"{gauge.used}"
    parts = [f"{part.label} {part.amount}" if part.unit else part.label for part in gauge.parts]
    return GaugeView(
        name=gauge.name,
        lineup=gauge.lineup,
        ok=gauge.ok,
        fill=fill,
        text=text,
        made_of=", ".join(parts) or "Nothing yet",
        rule=gauge.rule,
        citation=str(gauge.rule.citation),
    )


def _points(unit: Unit | None, numbers: LineNumbers | None) -> str:
    if unit is None or numbers is None:
        return ""
    return "?" if unit.price.start is None else str(numbers.points)


def _option_buttons(
    options: Mapping[str, Option],
    taken: Iterable[OptionPick],
    models: int,
    path: tuple[str, ...] = (),
) -> Iterable[OptionButton]:
    """The options of a unit; those inside an option only where that is taken."""
    picks = {pick.id: pick for pick in taken}
    for option in options.values():
        here = (*path, option.id)
        points = counted(option.price.of(models), "points")
        held = picks.get(option.id)
        yield OptionButton("/".join(here), f"{option.name}, {points}", held is not None)
        if held is not None:
            yield from _option_buttons(option.options, held.picks, models, here)


def _about(unit: Unit, system: System) -> str:
    return " · ".join(filter(None, (unit_facts(unit, system), unit_abilities(unit))))


def _marks(pick: Pick, numbers: LineNumbers | None, system: System) -> Iterable[str]:
    """Short remarks beside an entry: roles, side, what it needs or gives of command capacity."""
    for role in pick.roles:
        yield system.roles[role].name
    if numbers is None:
        return
    if numbers.cross_faction:
        yield "Cross-faction"
    if numbers.supply:
        yield f"Gives {numbers.supply} command"
    if numbers.need:
        yield f"Needs {numbers.need} command"
