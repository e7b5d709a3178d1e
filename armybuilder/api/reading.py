"""What the API asks for and answers where it reads a text: the list, and each line of it."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from armybuilder.api.serializers import Data, DocumentField, Texts
from armybuilder.battlescribe.rosters import RosterReading
from armybuilder.exchange.files import UploadedList
from armybuilder.exchange.pasting import PastedLine, PastedList, TextPart, read_part
from armybuilder.exchange.pasting.results import UnitRead
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal


class TextRequestSerializer(serializers.Serializer[Data]):
    """A text with a list in it."""

    text = serializers.CharField(trim_whitespace=False, max_length=MAX_TEXT)
    system = serializers.CharField(required=False, help_text="The game; else that of the text")
    books = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Its books; else those of the text"
    )
    choices = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="What was meant: a unit's reference by `unit-12` for line 12, an option's address"
        " by `piece-12-0` for its first name; `-` leaves it out",
    )
    one = serializers.BooleanField(
        required=False, help_text="Take the text for one list, whatever it looks like"
    )


class PieceReadSerializer(serializers.Serializer[Data]):
    """A name on a line: what it was taken for, and how sure that is."""

    text = serializers.CharField()
    kind = serializers.CharField(help_text="option, role, given or unknown")
    name = serializers.CharField(allow_blank=True)
    sure = serializers.CharField(help_text="exact, alike, guess or none")
    choices = Texts(help_text="Addresses of the options that may be meant")


class UnitReadSerializer(serializers.Serializer[Data]):
    """What a line was taken for: so many `times` a unit of so many models, points of each."""

    unit = serializers.CharField(allow_blank=True, help_text="Reference; empty: no unit")
    name = serializers.CharField(allow_blank=True)
    sure = serializers.CharField(help_text="exact, alike, guess or none")
    times = serializers.IntegerField()
    models = serializers.IntegerField()
    printed = serializers.IntegerField(allow_null=True, help_text="Points in the text")
    computed = serializers.IntegerField(allow_null=True, help_text="Points by the books")
    pieces = PieceReadSerializer(many=True)
    choices = Texts(help_text="References of the units that may be meant")


class LineReadSerializer(serializers.Serializer[Data]):
    """A line of the text, and what it was taken for."""

    number = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    kind = serializers.CharField()
    state = serializers.CharField(
        allow_blank=True, help_text="ok, doubt, lost; empty: nothing to read"
    )
    unit = UnitReadSerializer(allow_null=True)


class ListReadSerializer(serializers.Serializer[Data]):
    """A list as read. Without a game that it can be of there is no document."""

    system = serializers.CharField(allow_blank=True)
    books = Texts()
    told = serializers.BooleanField(help_text="Whether the text names its game")
    tells_size = serializers.BooleanField(
        help_text="Whether the text says the size of the game, which is assumed otherwise"
    )
    printed = serializers.IntegerField(allow_null=True, help_text="Points of all in the text")
    doubts = serializers.IntegerField(help_text="Lines that are not sure")
    lost = serializers.IntegerField(help_text="Lines that were not understood")
    document = DocumentField(allow_null=True)
    lines = LineReadSerializer(many=True)


class PartReadSerializer(ListReadSerializer):
    """One of the lists of a text. Its lines are numbered from its first."""

    first = serializers.IntegerField(help_text="The line of the text on which it begins")
    name = serializers.CharField(allow_blank=True, help_text="Its player, as far as told")
    problem = serializers.CharField(allow_blank=True, help_text="Why it was not read")


class TextReadSerializer(ListReadSerializer):
    """A text as read. Of one with many lists these are in `lists`, and nothing else is told."""

    lists = PartReadSerializer(many=True, help_text="Empty: the text holds one list")


class FileQuery(serializers.Serializer[Data]):
    """What the file is called: its ending says what it is."""

    name = serializers.CharField(
        max_length=200, help_text="Such as `army.rosz`: .json, .csv, .ros, .rosz, .txt or .zip"
    )


class RemarkSerializer(serializers.Serializer[Data]):
    """Something that did not go over as it stands in the file."""

    kind = serializers.ChoiceField(choices=["left-out", "guessed", "points", "note"])
    where = serializers.CharField(allow_blank=True, help_text="The unit; empty: the whole list")
    text = serializers.CharField()


class FileListSerializer(serializers.Serializer[Data]):
    """A list that was read, and what is to be known of the reading."""

    document = DocumentField()
    printed = serializers.IntegerField(allow_null=True, help_text="Points in the file, if told")
    remarks = RemarkSerializer(many=True)


class RefusedFileSerializer(serializers.Serializer[Data]):
    """What was not read, and why."""

    name = serializers.CharField()
    problem = serializers.CharField()


class FileReadSerializer(serializers.Serializer[Data]):
    """The lists in a file or zip, and what in it was refused."""

    lists = FileListSerializer(many=True)
    refused = RefusedFileSerializer(many=True)


def file_data(read: UploadedList) -> Data:
    """Return what was read of a file or zip."""
    return {
        "lists": [
            _file_list(document, read.readings.get(place))
            for place, document in enumerate(read.documents)
        ],
        "refused": [{"name": name, "problem": why.sentence} for name, why in read.refused],
    }


def _file_list(document: ArmyList, reading: RosterReading | None) -> Data:
    remarks = () if reading is None else reading.remarks
    return {
        "document": document.to_dict(),
        "printed": None if reading is None else reading.spent,
        "remarks": [{"kind": one.kind, "where": one.where, "text": one.text} for one in remarks],
    }


def parts_data(parts: Iterable[TextPart], library: Library, system: str | None) -> dict[str, Any]:
    """Return a text with many lists as it was read."""
    lists = [_part(part, library, system) for part in parts]
    sums = {key: sum(one[key] for one in lists) for key in ("doubts", "lost")}
    return {**_NOTHING, **sums, "lists": lists}


#: What is told where nothing was read.
_NOTHING: Mapping[str, Any] = {
    "system": "",
    "books": [],
    "told": False,
    "tells_size": False,
    "printed": None,
    "doubts": 0,
    "lost": 0,
    "document": None,
    "lines": [],
}


def _part(part: TextPart, library: Library, system: str | None) -> dict[str, Any]:
    about = {"first": part.first, "name": part.name}
    try:
        return {**about, **reading_data(read_part(part, library, system)), "problem": ""}
    except Refusal as refusal:
        return {**about, **_NOTHING, "problem": refusal.sentence}


def reading_data(reading: PastedList) -> dict[str, Any]:
    """Return a list as it was read."""
    document = reading.document
    return {
        "system": reading.system,
        "books": list(reading.books),
        "told": reading.told,
        "tells_size": reading.tells_size,
        "printed": reading.printed,
        "doubts": reading.count("doubt"),
        "lost": reading.count("lost"),
        "document": None if document is None else document.to_dict(),
        "lines": [_line(line) for line in reading.lines],
    }


def _line(line: PastedLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "text": line.text,
        "kind": line.kind,
        "state": line.state,
        "unit": None if line.unit is None else _unit(line.unit),
    }


def _unit(unit: UnitRead) -> dict[str, Any]:
    return {
        "unit": unit.chosen,
        "name": unit.name,
        "sure": unit.sure,
        "times": unit.times,
        "models": unit.models,
        "printed": unit.printed,
        "computed": unit.computed,
        "pieces": [
            {
                "text": one.text,
                "kind": one.kind,
                "name": one.name,
                "sure": one.sure,
                "choices": [choice.value for choice in one.choices],
            }
            for one in unit.pieces
        ],
        "choices": [choice.value for choice in unit.choices],
    }
