"""A game system and a unit in full: all that a program must know to build a list from nothing."""

from collections.abc import Iterable, Iterator
from typing import Any

from rest_framework import serializers

from armybuilder.api.plain import entry_of
from armybuilder.api.serializers import (
    BookSerializer,
    Data,
    SystemSerializer,
    Texts,
    UnitSerializer,
)
from armybuilder.engine.amounts import Amount
from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.options import Cap, Group, Option
from armybuilder.engine.rules import Rule
from armybuilder.engine.sentences import TEMPLATES
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Setting


class ValueSerializer(serializers.Serializer[Data]):
    """A value that a setting may have."""

    id = serializers.CharField()
    name = serializers.CharField()


class SettingSerializer(serializers.Serializer[Data]):
    """Something that is agreed on or chosen once per list. `low` and `high` bound a number;
    `values` are those of a choice, of an attribute, or of the pieces that may be chosen.
    """

    id = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=["number", "choice", "attribute", "pieces", "pool"])
    help = serializers.CharField(allow_blank=True)
    default = serializers.JSONField(help_text="Null: nothing is chosen at first")
    low = serializers.IntegerField()
    high = serializers.IntegerField()
    points = serializers.IntegerField(help_text="What each of a number costs")
    values = ValueSerializer(many=True)


class RoleSerializer(serializers.Serializer[Data]):
    """A part that a unit plays in a list; `alone`: one unit has it, no more."""

    id = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField(allow_blank=True)
    citation = serializers.CharField(allow_blank=True)
    alone = serializers.BooleanField()


class RuleSerializer(serializers.Serializer[Data]):
    """A rule of the game; its findings have its `code`, and `pointer` as their `rule`."""

    id = serializers.CharField()
    pointer = serializers.CharField()
    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning", "note"])
    summary = serializers.CharField(allow_blank=True)
    reading = serializers.CharField(allow_blank=True, help_text="How we read it where unclear")
    citation = serializers.CharField(allow_blank=True)


class SystemDetailSerializer(SystemSerializer):
    """A game system with its sizes, settings, roles and rules."""

    limit = serializers.IntegerField(help_text="The usual size, in points")
    sizes = serializers.ListField(child=serializers.IntegerField(), help_text="In points")
    points = serializers.CharField(help_text="What points are called")
    sized = serializers.BooleanField(
        help_text="Whether a unit of a document is one of many models; else it is so many single"
        " models of a kind"
    )
    settings = SettingSerializer(many=True)
    roles = RoleSerializer(many=True)
    rules = RuleSerializer(many=True)
    codes = Texts(help_text="That findings may have, those of books' own rules too")


class SizeSerializer(serializers.Serializer[Data]):
    """How many models."""

    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)


class CapSerializer(serializers.Serializer[Data]):
    """How much of it an army may have, before the size of the game changes that: null is any."""

    number = serializers.IntegerField(allow_null=True)
    models = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    one_of_a_kind = serializers.BooleanField()


class OptionGroupSerializer(serializers.Serializer[Data]):
    """A group of options: so many of them, for so many points together."""

    id = serializers.CharField()
    name = serializers.CharField()
    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)
    allowance = serializers.IntegerField(allow_null=True, help_text="In points")
    moves = serializers.BooleanField(help_text="As of an option")


class OptionSerializer(serializers.Serializer[Data]):
    """An option as documents name it. `points` are paid once, `each` for every model; `given` ones
    are there without being chosen; `most` is null where the book sets no bound.
    """

    id = serializers.CharField()
    name = serializers.CharField()
    group = serializers.CharField(allow_blank=True, help_text="Name of the innermost group")
    groups = OptionGroupSerializer(many=True, help_text="That it stands in, the outermost first")
    points = serializers.IntegerField()
    each = serializers.IntegerField()
    given = serializers.BooleanField()
    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)
    cap = CapSerializer(allow_null=True)
    item = serializers.CharField(allow_blank=True, help_text="Kind of special item")
    on = Texts(help_text="What it may be put on")
    moves = serializers.BooleanField(
        help_text="Whether its numbers, or whether it may be taken, hang on the rest of the list:"
        " `/offers/` tells them for one"
    )
    options = serializers.ListField(
        child=serializers.DictField(), help_text="What may be taken on it, each told like this"
    )


class UnitDetailSerializer(UnitSerializer):
    """A unit with its sizes, its caps and the tree of its options."""

    size = SizeSerializer(allow_null=True, help_text="Null: models are bought singly")
    extra = serializers.IntegerField(help_text="Points of each model above the least")
    cap = CapSerializer(allow_null=True)
    entry = serializers.DictField(help_text="What adding it puts into a document, but for its id")
    options = OptionSerializer(many=True)


def system_data(system: System, books: Iterable[Book]) -> Data:
    """Return a game system in full."""
    rules = (*system.always, *system.rules)
    return {
        "id": system.id,
        "name": system.name,
        "about": system.about,
        "books": [BookSerializer(book).data for book in books],
        "limit": system.default_size,
        "sizes": list(system.sizes),
        "points": system.points_name,
        "sized": system.sized,
        "settings": [_setting(setting, system) for setting in system.settings.values()],
        "roles": [
            {
                "id": role.id,
                "name": role.name,
                "summary": role.summary,
                "citation": str(role.citation),
                "alone": role.alone,
            }
            for role in system.roles.values()
        ],
        "rules": [_rule(rule) for rule in rules],
        "codes": _codes(rules),
    }


def _codes(rules: Iterable[Rule]) -> list[str]:
    """Return the codes of the rules and of every sentence there is for findings."""
    heads = [rule.head for rule in rules]
    said = (key.partition(" ")[0] for head in heads for key in (*head.sentences, *TEMPLATES))
    return sorted({*said, *(head.code for head in heads)})


def _setting(setting: Setting, system: System) -> Data:
    names = {key: piece.name for key, piece in setting.values.items()}
    if setting.attribute:
        names = dict(system.attributes[setting.attribute].values)
    return {
        "id": setting.id,
        "name": setting.name,
        "kind": setting.kind,
        "help": setting.help,
        "default": setting.default,
        "low": setting.low,
        "high": setting.high,
        "points": setting.points,
        "values": [{"id": key, "name": name} for key, name in names.items()],
    }


def _rule(rule: Rule) -> Data:
    head = rule.head
    return {
        "id": head.id,
        "pointer": head.pointer,
        "code": head.code,
        "severity": head.severity.value,
        "summary": str(head.summary),
        "reading": str(head.reading),
        "citation": str(head.citation),
    }


def unit_data(unit: Unit) -> dict[str, Any]:
    """Return a unit in full, its options by the ids that documents name them by."""
    size = None
    if unit.size is not None:
        size = {"least": unit.size[0].base or 0, "most": unit.size[1].base}
    return {
        **UnitSerializer(unit).data,
        "size": size,
        "extra": unit.price.extra,
        "cap": _cap(unit.cap),
        "entry": entry_of(unit),
        "options": list(_options(unit.offer.nodes, ())),
    }


def _options(nodes: Iterable[Option | Group], groups: tuple[Group, ...]) -> Iterator[Data]:
    """Return options of one level, as they are without what moves with other options."""
    for node in nodes:
        if isinstance(node, Group):
            yield from _options(node.nodes, (*groups, node))
            continue
        yield {
            "id": node.id,
            "name": node.name,
            "group": groups[-1].name if groups else "",
            "groups": [_group(group) for group in groups],
            "points": node.points.base or 0,
            "each": node.each.base or 0,
            "given": node.given > 0,
            "least": node.least.base or 0,
            "most": node.most.base,
            "cap": _cap(node.cap),
            "item": node.item,
            "on": list(node.on),
            "moves": _moves(node, node.points, node.each, node.least, node.most),
            "options": list(_options(node.offer.nodes, ())),
        }


def _group(group: Group) -> Data:
    return {
        "id": group.id,
        "name": group.name,
        "least": group.least.base or 0,
        "most": group.most.base,
        "allowance": group.allowance.base,
        "moves": _moves(group, group.least, group.most, group.allowance),
    }


def _moves(node: Option | Group, *amounts: Amount) -> bool:
    return node.needs is not None or any(amount.changes for amount in amounts)


def _cap(cap: Cap | None) -> Data | None:
    if cap is None:
        return None
    return {
        "number": cap.number.base,
        "models": cap.models.base,
        "points": cap.points.base,
        "one_of_a_kind": cap.one_of_a_kind,
    }
