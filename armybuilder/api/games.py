"""Game systems, their books, units and event packs: the shipped ones, the same for everyone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api.base import OpenView, Paged
from armybuilder.api.describing import operation
from armybuilder.api.fields import (
    RESERVATION,
    Answer,
    Data,
    NumbersField,
    QueryField,
    Texts,
    answer_of,
    answers,
)
from armybuilder.api.parsing import read_fields
from armybuilder.editing.unit_edits import new_entry
from armybuilder.engine.amounts import Amount
from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.options import Group, Option
from armybuilder.engine.sentences import TEMPLATES
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Role, Setting
from armybuilder.library.units import found_by
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.unit_fields import UNIT_FIELDS
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import (
    Lines,
    PathSpell,
    StatCell,
    StatRow,
    UnitView,
    Uses,
    WeaponLine,
)
from armybuilder.tables import or_404


class CardStatSerializer(Answer[StatCell]):
    """A printed statistic; `label` is its heading."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # told, not set
    value = serializers.CharField()


class CardRowSerializer(Answer[StatRow]):
    """A stat line, of the unit or a part of it; `note`: values that the source leaves open."""

    name = serializers.CharField()
    cells = CardStatSerializer(many=True)
    note = serializers.CharField()


class CardUseSerializer(Answer[Uses]):
    """An ability or spell, with its boxes to cross off."""

    name = serializers.CharField(source="label")
    boxes = serializers.IntegerField()


class CardSpellSerializer(Answer[PathSpell]):
    """A spell of a path; `text`: its casting value, range and type."""

    name = serializers.CharField()
    text = serializers.CharField()


class CardTextSerializer(Answer[Lines]):
    """A part of a card with its lines, such as a creature's attacks."""

    name = serializers.CharField()
    lines = Texts()


class CardWeaponSerializer(Answer[WeaponLine]):
    """A weapon's effect on statistics; `bearer`: its bearer, if several could have it."""

    name = serializers.CharField()
    bearer = serializers.CharField()
    figures = serializers.CharField()


class UnitCardSerializer(Answer[UnitView]):
    """A unit as its printed card and the pages have it, everything worked out.

    That of a book is the least there is of it.
    """

    title = serializers.CharField()
    price = serializers.CharField()
    about = serializers.CharField(help_text="Faction, type, base")
    bounds = serializers.CharField(help_text="Sizes, and copies allowed in an army")
    marks = Texts(help_text="Roles, what it gives and needs")
    rows = CardRowSerializer(many=True, help_text="Stats; a mount's with its rider's values")
    armour = serializers.CharField(help_text="Total armour; empty: as in its row")
    weapons = CardWeaponSerializer(many=True)
    condition = serializers.CharField(help_text="Total health, and when it is at half or shattered")
    options = Texts(help_text="Options taken")
    items = Texts(help_text="Special items taken")
    given = Texts(help_text="Equipment that it comes with")
    wizard = serializers.CharField(help_text="Wizard level and paths; otherwise empty")
    spell_choices = CardSpellSerializer(many=True, help_text="Spells of the wizard's path")
    rules = Texts()
    abilities = CardUseSerializer(many=True)
    spells = CardUseSerializer(many=True)
    texts = CardTextSerializer(many=True)
    states = Texts(help_text="States of a model, each with a box on sheets")
    blanks = Texts(help_text="What the book leaves open")
    remark = serializers.CharField(help_text="The book's note")

    def make_bounds(self, view: UnitView) -> str:
        return view.entry.bounds if view.entry else ""

    def make_options(self, view: UnitView) -> list[str]:
        return [taken.name for taken in view.options]

    def make_items(self, view: UnitView) -> list[str]:
        return [taken.name for taken in view.items]

    def make_wizard(self, view: UnitView) -> str:
        return view.wizard.label if view.wizard else ""

    def make_spell_choices(self, view: UnitView) -> tuple[PathSpell, ...]:
        return view.wizard.choices if view.wizard else ()


class BookSerializer(Answer[Book]):
    """A book without its units. `revision` is the hash of its content."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=["official", "collected", "imported", "converted", "invented", "house"]
    )
    source = serializers.CharField()  # type: ignore[assignment]  # told, not set
    revision = serializers.CharField()


class SystemSerializer(Answer[System]):
    """A game system with its books."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    reservation = serializers.CharField(help_text=RESERVATION)
    books = BookSerializer(many=True)

    def make_books(self, system: System) -> Iterable[Book]:
        return shipped_library().books[system.id].values()


class ValueSerializer(Answer[Data]):
    """A value that a setting may have."""

    id = serializers.CharField()
    name = serializers.CharField()


class SettingSerializer(Answer[Setting]):
    """Something that is agreed on or chosen once per list.

    `low` and `high` bound a number; `values` are the values of a choice, of an attribute, or of the
    pieces to choose from.
    """

    id = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=["number", "choice", "attribute", "pieces", "pool"])
    help = serializers.CharField()
    default = serializers.JSONField(help_text="The value of a new list; null: none")
    low = serializers.IntegerField()
    high = serializers.IntegerField()
    points = serializers.IntegerField(help_text="Points for each")
    values = ValueSerializer(many=True)

    def make_values(self, setting: Setting) -> list[Data]:
        names = {key: piece.name for key, piece in setting.values.items()}
        if setting.attribute:
            names = dict(self.context["system"].attributes[setting.attribute].values)
        return [{"id": key, "name": name} for key, name in names.items()]


class RoleSerializer(Answer[Role]):
    """A part that a unit plays in a list; `alone`: one unit has it, no more."""

    id = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    citation = serializers.CharField()
    alone = serializers.BooleanField()


class RuleSerializer(Answer[RuleHead]):
    """A rule of the game; its findings have its `code`, and `pointer` as their `rule`."""

    id = serializers.CharField()
    pointer = serializers.CharField()
    code = serializers.CharField()
    severity = serializers.ChoiceField(
        choices=["error", "warning", "note"], source="severity.value"
    )
    summary = serializers.CharField()
    reading = serializers.CharField(help_text="How we read the rule if it is unclear")
    citation = serializers.CharField()


class SystemDetailSerializer(SystemSerializer):
    """A game system with its sizes, settings, roles and rules."""

    limit = serializers.IntegerField(source="default_size", help_text="Usual points limit")
    sizes = NumbersField(help_text="In points")
    points = serializers.CharField(source="points_name", help_text="The game's word for points")
    sized = serializers.BooleanField(
        help_text="Whether a unit of a document is one of many models; else it is so many single"
        " models of a kind"
    )
    settings = SettingSerializer(source="settings.values", many=True)
    roles = RoleSerializer(source="roles.values", many=True)
    rules = RuleSerializer(many=True)
    codes = Texts(help_text="Codes of findings, those of the books' own rules too")

    def make_rules(self, system: System) -> list[RuleHead]:
        return [rule.head for rule in (*system.always, *system.rules)]

    def make_codes(self, system: System) -> list[str]:
        """Return the codes of the rules and of every sentence there is for findings."""
        heads = self.make_rules(system)
        keys = (key for head in heads for key in (*head.sentences, *TEMPLATES))
        return sorted({*(key.partition(" ")[0] for key in keys), *(head.code for head in heads)})


class ProfileSerializer(Answer[Data]):
    """A stat line of a unit, or of a part of it, as its book prints it."""

    name = serializers.CharField()
    stats = serializers.DictField(child=serializers.CharField())
    rules = Texts()


#: The API's type for a field of a unit, by the type in the form of a card.
_KINDS = {
    "text": serializers.CharField,
    "lines": serializers.CharField,
    "number": serializers.IntegerField,
    "flag": serializers.BooleanField,
}
#: Fields that the API leaves out for units without a value.
_OPTIONAL = {
    field.name: (_KINDS[field.form.kind], field.told)
    for field in UNIT_FIELDS
    if field.form and field.told and field.told.in_api
}


class UnitSerializer(Answer[Unit]):
    """A unit of a book. `points` is null where the book does not know them."""

    ref = serializers.CharField(help_text="Reference in documents: book/id")
    name = serializers.CharField()
    group = serializers.CharField()
    categories = Texts()
    points = serializers.IntegerField(
        source="price.start", allow_null=True, help_text="Points for the smallest size"
    )
    attributes = serializers.DictField(child=Texts())
    stats = serializers.DictField(help_text="Number or text by id of the statistic")
    profiles = ProfileSerializer(many=True)
    abilities = Texts(read_only=True)
    sources = Texts()
    card = UnitCardSerializer(read_only=True)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        start = {name: fields.pop(name) for name in UnitSerializer._declared_fields}
        optional = {
            name: kind(required=False, help_text=told.label.text)
            for name, (kind, told) in _OPTIONAL.items()
        }
        return {**start, **optional, **fields}

    def to_representation(self, thing: Any) -> Data:
        shown = super().to_representation(thing)
        silent = {name for name, (_, told) in _OPTIONAL.items() if not told.words(thing)}
        return {name: value for name, value in shown.items() if name not in silent}

    def make_card(self, unit: Unit) -> UnitView:
        catalogue = shipped_library().catalogue(self.context["system"], [unit.book])
        (card,) = entry_views([unit], catalogue)
        return card

    def make_abilities(self, unit: Unit) -> list[str]:
        return [*(use.label for use in unit.abilities), *(word.name for word in unit.keywords)]


class BookWithUnitsSerializer(BookSerializer):
    """A book with all its units."""

    units = UnitSerializer(source="units.values", many=True, read_only=True)


class _Least(serializers.IntegerField):
    """An amount without its changes; nothing is 0."""

    def to_representation(self, value: Any) -> int:
        least: int | None = value.base
        return least or 0


class _Most(serializers.IntegerField):
    """A bound without its changes; null is none."""

    def __init__(self, **named: Any) -> None:
        super().__init__(allow_null=True, **named)

    def to_representation(self, value: Any) -> Any:
        return value.base


class SizeSerializer(Answer[Data]):
    """Number of models."""

    least = _Least()
    most = _Most()


class CapSerializer(Answer[Data]):
    """Copies that an army may have, before the points limit changes that: null is any number."""

    number = _Most()
    models = _Most()
    points = _Most()
    one_of_a_kind = serializers.BooleanField()


class OptionGroupSerializer(Answer[Group]):
    """A group of options with limits on number and points."""

    id = serializers.CharField()
    name = serializers.CharField()
    least = _Least()
    most = _Most()
    allowance = _Most(help_text="In points")
    moves = serializers.BooleanField(help_text="Whether it depends on the rest of the list")

    def make_moves(self, group: Group) -> bool:
        return _moves(group, group.least, group.most, group.allowance)


class PlacedOption(NamedTuple):
    """An option with its enclosing groups, outermost first."""

    option: Option
    groups: tuple[Group, ...]


class OptionSerializer(Answer[PlacedOption]):
    """An option as documents name it.

    `points` are paid once, `each` for every model; `given` ones are there without being chosen;
    `most` is null if the book sets no bound.
    """

    id = serializers.CharField(source="option.id")
    name = serializers.CharField(source="option.name")
    group = serializers.CharField(help_text="Name of the innermost group")
    groups = OptionGroupSerializer(many=True, help_text="Enclosing groups, outermost first")
    points = _Least(source="option.points")
    each = _Least(source="option.each")
    given = serializers.BooleanField(source="option.given")
    least = _Least(source="option.least")
    most = _Most(source="option.most")
    cap = CapSerializer(source="option.cap", allow_null=True)
    item = serializers.CharField(source="option.item", help_text="Kind of special item")
    on = Texts(source="option.on", help_text="Equipment that it can enchant")
    moves = serializers.BooleanField(
        help_text="Whether its numbers, or whether it may be taken, hang on the rest of the list:"
        " `/offers/` tells them for one"
    )
    options = serializers.ListField(
        child=serializers.DictField(), help_text="Options that can be taken on it, in the same form"
    )

    def make_group(self, placed: PlacedOption) -> str:
        return placed.groups[-1].name if placed.groups else ""

    def make_moves(self, placed: PlacedOption) -> bool:
        option = placed.option
        return _moves(option, option.points, option.each, option.least, option.most)

    def make_options(self, placed: PlacedOption) -> list[Data]:
        return [self.to_representation(inner) for inner in _placed(placed.option.offer.nodes)]


def _moves(node: Option | Group, *amounts: Amount) -> bool:
    return node.needs is not None or any(amount.changes for amount in amounts)


def _placed(
    nodes: Iterable[Option | Group], groups: tuple[Group, ...] = ()
) -> Iterator[PlacedOption]:
    for node in nodes:
        if isinstance(node, Group):
            yield from _placed(node.nodes, (*groups, node))
        else:
            yield PlacedOption(node, groups)


class UnitDetailSerializer(UnitSerializer):
    """A unit with its sizes, its caps and the tree of its options."""

    size = SizeSerializer(allow_null=True, help_text="Null: models are bought one by one")
    extra = serializers.IntegerField(
        source="price.extra", help_text="Points for each model above the smallest size"
    )
    cap = CapSerializer(allow_null=True)
    entry = serializers.DictField(help_text="What to put into a document, without an id")
    options = OptionSerializer(many=True)

    def make_size(self, unit: Unit) -> Data | None:
        return None if unit.size is None else {"least": unit.size[0], "most": unit.size[1]}

    def make_entry(self, unit: Unit) -> Data:
        return entry_of(unit)

    def make_options(self, unit: Unit) -> Iterator[PlacedOption]:
        return _placed(unit.offer.nodes)


def entry_of(unit: Unit) -> Data:
    """Return the entry that a click on a unit adds to a document, without its id."""
    return {key: value for key, value in new_entry(unit).to_dict().items() if key != "id"}


class PackSerializer(Answer[Pack]):
    """An event pack: rules of an event besides those of the game."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    system = serializers.CharField()
    revision = serializers.CharField(help_text="Hash of the content")
    sizes = NumbersField(help_text="Points limits that it allows; none: any")


class PackWithRulesSerializer(PackSerializer):
    """An event pack with its file."""

    file = serializers.DictField(source="data", help_text="The event pack as a JSON file")


class UnitQuery(serializers.Serializer[Data]):
    """Filter of units."""

    q = QueryField(max_length=200, help_text="Words in names, rules, options, groups and notes")
    book = QueryField(max_length=80, help_text="Id of a book")
    group = QueryField(max_length=120, help_text="Group or category, by name or id")
    ability = QueryField(max_length=120, help_text="Ability or special rule, by name or id")
    points_from = serializers.IntegerField(required=False, min_value=0, max_value=99999)
    points_to = serializers.IntegerField(required=False, min_value=0, max_value=99999)


def find_units(library: Library, system_id: str, query: Mapping[str, Any]) -> list[Unit]:
    """Return the units of a system or one of its books that fit a `UnitQuery`, in book order."""
    text = query.get("q", "")
    matches = []
    for book in library.books[system_id].values():
        if query.get("book") and query["book"] != book.id:
            continue
        catalogue = library.catalogue(book.system, [book.id]) if text else None
        matches += [
            unit
            for unit in book.units.values()
            if _fits(unit, book, query)
            and (catalogue is None or found_by(unit, text, catalogue) is not None)
        ]
    return matches


def _fits(unit: Unit, book: Book, query: Mapping[str, Any]) -> bool:
    group, ability = (query.get(key, "").casefold() for key in ("group", "ability"))
    groups = (unit.group, *unit.categories, *map(book.categories.get, unit.categories))
    if group and group not in (name.casefold() for name in groups if name):
        return False
    if ability and ability not in _abilities(unit):
        return False
    points = unit.price.start
    if "points_from" in query and (points is None or points < query["points_from"]):
        return False
    return not ("points_to" in query and (points is None or points > query["points_to"]))


def _abilities(unit: Unit) -> Iterator[str]:
    """Yield names and ids of its abilities and special rules.

    A rule is listed as printed, and again without its brackets.
    """
    for use in unit.abilities:
        yield from (use.ability.id.casefold(), use.ability.name.casefold(), use.label.casefold())
    rules = (rule for profile in unit.profiles for rule in profile.rules)
    for rule in (*(keyword.name for keyword in unit.keywords), *rules):
        printed = rule.casefold()
        yield from (printed, printed.partition("(")[0].strip())


class Systems(OpenView):
    @operation("Games and books", "systems", SystemSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return every game system with its books."""
        return Response(answers(SystemSerializer, shipped_library().systems.values()))


class SystemDetail(OpenView):
    @operation("Games and books", "system", SystemDetailSerializer)
    def get(self, request: Request, system_id: str) -> Response:
        """Return a game system with its books, sizes, settings, roles and rules."""
        system = shipped_library().systems.get(system_id)
        system = or_404(system, _("There is no such game system."))
        return Response(answer_of(SystemDetailSerializer, system, system=system))


def _book(system_id: str, book_id: str) -> Book:
    book = shipped_library().books.get(system_id, {}).get(book_id)
    return or_404(book, _("There is no such book."))


class BookDetail(OpenView):
    @operation("Games and books", "book", BookWithUnitsSerializer)
    def get(self, request: Request, system_id: str, book_id: str) -> Response:
        """Return a book with its units."""
        return Response(
            answer_of(BookWithUnitsSerializer, _book(system_id, book_id), system=system_id)
        )


class UnitDetail(OpenView):
    @operation("Games and books", "unit", UnitDetailSerializer)
    def get(self, request: Request, system_id: str, book_id: str, unit_id: str) -> Response:
        """Return a unit with its sizes, caps and options, by the ids that documents name."""
        unit = _book(system_id, book_id).units.get(f"{book_id}/{unit_id}")
        unit = or_404(unit, _("There is no such unit."))
        return Response(answer_of(UnitDetailSerializer, unit, system=system_id))


class UnitsOfSystem(Paged, OpenView):
    @operation("Games and books", "units", UnitSerializer(many=True), parameters=[UnitQuery])
    def get(self, request: Request, system_id: str) -> Response:
        """Return the units of a system's books that fit all you ask for, page by page."""
        library = shipped_library()
        or_404(library.systems.get(system_id), _("There is no such game system."))
        query = read_fields(UnitQuery, request.query_params)
        return self.page(find_units(library, system_id, query), UnitSerializer, system=system_id)


class Packs(OpenView):
    @operation("Events", "packs", PackSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return every event pack in the box."""
        return Response(answers(PackSerializer, shipped_library().packs.values()))


class PackDetail(OpenView):
    @operation("Events", "pack", PackWithRulesSerializer)
    def get(self, request: Request, pack_id: str) -> Response:
        """Return an event pack with its rules."""
        pack = or_404(shipped_library().packs.get(pack_id), _("There is no such event pack."))
        return Response(answer_of(PackWithRulesSerializer, pack))
