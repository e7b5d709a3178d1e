"""Units as cards, sheets and pages have them: everything worked out, in words."""

from rest_framework import serializers

from armybuilder.api.fields import Answer, Texts
from armybuilder.sheets.content.unit_view import (
    Lines,
    StatCell,
    StatRow,
    UnitView,
    Uses,
    WeaponLine,
)


class CardStatSerializer(Answer[StatCell]):
    """One statistic as it is printed; `label` stands over it."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # told, not set
    value = serializers.CharField()


class CardRowSerializer(Answer[StatRow]):
    """A stat line, of the unit or a part of it; `note`: what stays open."""

    name = serializers.CharField()
    cells = CardStatSerializer(many=True)
    note = serializers.CharField()


class CardUseSerializer(Answer[Uses]):
    """An ability or spell, with its boxes to cross off."""

    name = serializers.CharField(source="label")
    boxes = serializers.IntegerField()


class CardTextSerializer(Answer[Lines]):
    """A part of a card with its lines, such as a creature's attacks."""

    name = serializers.CharField()
    lines = Texts()


class CardWeaponSerializer(Answer[WeaponLine]):
    """What a weapon makes of statistics; `bearer`: whose it is, where others could bear it."""

    name = serializers.CharField()
    bearer = serializers.CharField()
    figures = serializers.CharField()


class UnitCardSerializer(Answer[UnitView]):
    """A unit as its printed card and the pages have it, everything worked out.

    That of a book is the least there is of it.
    """

    title = serializers.CharField()
    price = serializers.CharField()
    about = serializers.CharField(help_text="What it is: faction, type, base")
    bounds = serializers.CharField(help_text="Sizes, and how many an army may have")
    marks = Texts(help_text="Its roles, and what it gives or needs")
    rows = CardRowSerializer(many=True, help_text="A mount's with the rider's values")
    armour = serializers.CharField(help_text="Armour in all; empty: as its row says")
    weapons = CardWeaponSerializer(many=True)
    condition = serializers.CharField(help_text="Health in all, and what is half, or shatters")
    options = Texts(help_text="What is taken")
    items = Texts(help_text="Special items that are taken")
    given = Texts(help_text="What it comes with")
    wizard = serializers.CharField(help_text="What a wizard is and knows; else empty")
    rules = Texts()
    abilities = CardUseSerializer(many=True)
    spells = CardUseSerializer(many=True)
    texts = CardTextSerializer(many=True)
    states = Texts(help_text="What each model can be, with a box on sheets")
    blanks = Texts(help_text="What the book leaves open, for its player's own card")
    remark = serializers.CharField(help_text="The book's note")

    def make_bounds(self, view: UnitView) -> str:
        return view.entry.bounds if view.entry else ""

    def make_options(self, view: UnitView) -> list[str]:
        return [taken.name for taken in view.options]

    def make_items(self, view: UnitView) -> list[str]:
        return [taken.name for taken in view.items]

    def make_wizard(self, view: UnitView) -> str:
        return view.wizard.label if view.wizard else ""
