"""Lists out of texts, line by line, and out of files: nothing is stored, or dropped unsaid."""

from typing import IO, Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api.base import OpenView, TakesObject
from armybuilder.api.describing import operation
from armybuilder.api.fields import Answer, Data, DocumentField, Texts, answer_of
from armybuilder.api.parsing import body_of, read_fields
from armybuilder.battlescribe.rosters.remarks import Remark
from armybuilder.exchange.files import MAX_ZIP, UploadedList, read_files
from armybuilder.exchange.pasting import (
    PastedLine,
    PastedList,
    PastedPart,
    in_one_edition,
    read_part,
    read_text,
    split_text,
)
from armybuilder.exchange.pasting.head import disagreement, fits_summed
from armybuilder.exchange.pasting.results import UnitRead
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.problems import Refusal


class TextRequestSerializer(serializers.Serializer[Data]):
    """A text with a list in it."""

    text = serializers.CharField(trim_whitespace=False, max_length=MAX_TEXT)
    system = serializers.CharField(
        required=False, help_text="Id of the game; otherwise the text names it"
    )
    books = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Ids of its books; otherwise the text names them",
    )
    choices = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="What was meant: a unit's reference by `unit-12` for line 12, an option's address"
        " by `piece-12-0` for its first name; `-` leaves it out",
    )
    one = serializers.BooleanField(required=False, help_text="Read the text as one list")
    several = serializers.BooleanField(required=False, help_text="Read the text as several lists")


class _Meanings(Texts):
    """Possible meanings of a name, by reference or path."""

    def to_representation(self, data: Any) -> list[str]:
        return [choice.value for choice in data]


class PieceReadSerializer(Answer[Any]):
    """A name on a line: how it was read, and how sure that is."""

    text = serializers.CharField()
    kind = serializers.CharField(help_text="option, role, given or unknown")
    name = serializers.CharField()
    sure = serializers.CharField(help_text="exact, alike, guess or none")
    choices = _Meanings(help_text="Paths of options that may be meant")


class UnitReadSerializer(Answer[UnitRead]):
    """Meaning of a line: `times` units of some models each, points of each."""

    unit = serializers.CharField(source="chosen", help_text="Reference; empty: no unit")
    name = serializers.CharField()
    sure = serializers.CharField(help_text="exact, alike, guess or none")
    times = serializers.IntegerField()
    models = serializers.IntegerField()
    printed = serializers.IntegerField(allow_null=True, help_text="Points in the text")
    computed = serializers.IntegerField(allow_null=True, help_text="Points by our books")
    pieces = PieceReadSerializer(many=True)
    choices = _Meanings(help_text="References of the units that may be meant")


class LineReadSerializer(Answer[PastedLine]):
    """A line of the text, and how it was read."""

    number = serializers.IntegerField()
    text = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.CharField(help_text="ok, doubt, lost; empty: nothing to read")
    unit = UnitReadSerializer(allow_null=True)


class ListReadSerializer(Answer[Any]):
    """A list as read. Without a known game there is no document."""

    system = serializers.CharField()
    books = Texts()
    told = serializers.BooleanField(
        help_text="Whether the text names its game, and of one with editions also the year"
    )
    disagreement = serializers.CharField(
        help_text="That the points agree with no edition of the game; empty: they do with one"
    )
    tells_size = serializers.BooleanField(
        help_text="Whether the text says the size of the game, which is assumed otherwise"
    )
    printed = serializers.IntegerField(allow_null=True, help_text="Total in the text")
    doubts = serializers.IntegerField(help_text="Number of uncertain lines")
    lost = serializers.IntegerField(help_text="Number of lines that could not be read")
    document = DocumentField(allow_null=True)
    lines = LineReadSerializer(many=True)

    def make_doubts(self, reading: PastedList) -> int:
        return reading.count("doubt")

    def make_lost(self, reading: PastedList) -> int:
        return reading.count("lost")


#: The answer for a text in which nothing could be read.
_NOTHING = PastedList((), tells_size=False)


class PartReadSerializer(ListReadSerializer):
    """One of the lists of a text. Its lines are numbered from its first."""

    first = serializers.IntegerField(help_text="First line in the text")
    name = serializers.CharField(help_text="Name of the player, if given")
    problem = serializers.CharField(help_text="Why it could not be read")

    def to_representation(self, part: Any) -> Data:
        try:
            reading, problem = read_part(part, self.context["library"], self.context["system"]), ""
        except Refusal as refusal:
            reading, problem = _NOTHING, refusal.sentence
        about = {"first": part.first, "name": part.name}
        return {**about, **answer_of(ListReadSerializer, reading), "problem": problem}


class PartNameSerializer(Answer[PastedPart]):
    """A list that a text may hold."""

    first = serializers.IntegerField(help_text="First line in the text")
    name = serializers.CharField()


class TextReadSerializer(ListReadSerializer):
    """A text as read. If it holds many lists, only `lists` is filled."""

    lists = PartReadSerializer(many=True, help_text="Empty: the text was read as one list")
    perhaps = PartNameSerializer(
        many=True, help_text="Lists that the text may hold instead; `several` reads it so"
    )

    def to_representation(self, read: Any) -> Data:
        if isinstance(read, PastedList):
            perhaps = self.fields["perhaps"].to_representation(self.context["perhaps"])
            return {**answer_of(ListReadSerializer, read), "lists": [], "perhaps": perhaps}
        lists = self.fields["lists"].to_representation(read)
        sums = {key: sum(part[key] for part in lists) for key in ("doubts", "lost")}
        fits = [fit for part in read for fit in part.chosen.fits]
        sums["disagreement"] = disagreement(fits_summed(fits))
        return {**answer_of(ListReadSerializer, _NOTHING), **sums, "lists": lists, "perhaps": []}


class FileQuery(serializers.Serializer[Data]):
    """Name of the file: its ending gives the format."""

    name = serializers.CharField(
        max_length=200, help_text="Such as `army.rosz`: .json, .csv, .ros, .rosz, .txt or .zip"
    )


class RemarkSerializer(Answer[Remark]):
    """Something that was not taken over unchanged from the file."""

    kind = serializers.ChoiceField(choices=["left-out", "guessed", "points", "note"])
    where = serializers.CharField(help_text="The unit; empty: the whole list")
    text = serializers.CharField()


class FileListSerializer(Answer[Data]):
    """A list read from a file, with remarks on the reading."""

    document = DocumentField()
    printed = serializers.IntegerField(allow_null=True, help_text="Points in the file, if given")
    remarks = RemarkSerializer(many=True)


class RefusedFileSerializer(Answer[Data]):
    """A file that was not read, with the reason."""

    name = serializers.CharField()
    problem = serializers.CharField()


class FileReadSerializer(Answer[UploadedList]):
    """The lists in a file or zip, and the refused files."""

    lists = FileListSerializer(many=True)
    refused = RefusedFileSerializer(many=True)

    def make_lists(self, read: UploadedList) -> list[Data]:
        readings = [read.readings.get(place) for place in range(len(read.documents))]
        return [
            {
                "document": document,
                "printed": reading.spent if reading else None,
                "remarks": reading.remarks if reading else (),
            }
            for document, reading in zip(read.documents, readings, strict=True)
        ]

    def make_refused(self, read: UploadedList) -> list[Data]:
        return [{"name": name, "problem": refusal.sentence} for name, refusal in read.refused]


class ReadText(TakesObject, OpenView):
    @operation("Lists out of texts", "read", TextReadSerializer, request=TextRequestSerializer)
    def post(self, request: Request) -> Response:
        """Return the list in a text as players write it: the document, and how sure each line is.

        A text with many lists, such as an organiser's pack, gives each of them in `lists`.
        """
        fields = read_fields(TextRequestSerializer, body_of(request.data))
        library, system, books = self.library, fields.get("system"), fields.get("books", [])
        if system is not None and system not in library.systems:
            raise Refusal(_("There is no such game."))
        if any(system is None or book not in library.books[system] for book in books):
            raise Refusal(_("There is no such book."))
        text = fields["text"].replace("\0", "")
        parts = list[PastedPart]()
        if not books and not fields.get("one"):
            parts = split_text(text, library, system, fields.get("several", False))
        if len(parts) > 1:
            parts = parts if system else in_one_edition(parts, library)
            return Response(answer_of(TextReadSerializer, parts, system=system, library=library))
        read = read_text(text, library, system, books, choices=fields.get("choices"))
        perhaps = parts[0].perhaps if parts else ()
        return Response(answer_of(TextReadSerializer, read, perhaps=perhaps))


class FileParser(BaseParser):
    """A file as it was sent; the view looks at its name."""

    media_type = "application/octet-stream"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        return stream.read(MAX_ZIP + 1)


class ReadFile(OpenView):
    parser_classes = [FileParser]

    @operation(
        "Lists out of texts",
        "read_file",
        FileReadSerializer,
        parameters=[FileQuery],
        request={"application/octet-stream": {"type": "string", "format": "binary"}},
    )
    def post(self, request: Request) -> Response:
        """Return the lists in a file.

        It is a document, a table, a roster of BattleScribe, a text of which every line is clear, or
        a zip of these.
        """
        name = read_fields(FileQuery, request.query_params)["name"]
        content = request.data if isinstance(request.data, bytes) else b""
        read = read_files([SimpleUploadedFile(name, content)], self.library)
        return Response(answer_of(FileReadSerializer, read))
