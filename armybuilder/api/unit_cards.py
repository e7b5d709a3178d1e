"""Units as cards, sheets and pages have them: everything worked out, in words."""

from rest_framework import serializers

from armybuilder.api.fields import Answer, Texts
from armybuilder.sheets.content.unit_view import (
    Lines,
    PathSpell,
    StatCell,
    StatRow,
    UnitView,
    Uses,
    WeaponLine,
)


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
