"""Verdicts on documents that a program sends: nothing is stored, nobody needs an account."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import examples, game_examples
from armybuilder.api.describing import operation
from armybuilder.api.events import BothReportsSerializer, PackQuery, both_data
from armybuilder.api.offering import UnitOffersSerializer, offers_of
from armybuilder.api.parsing import DocumentParser, ObjectParser, body_of, document_of
from armybuilder.api.plain import choice_data, difference_data, line_data
from armybuilder.api.serializers import (
    MOST_DOCUMENTS,
    BatchRequestSerializer,
    ChoiceSerializer,
    DifferenceSerializer,
    DiffRequestSerializer,
    LineSerializer,
)
from armybuilder.api.views.base import OpenView
from armybuilder.comparing.difference import difference
from armybuilder.engine import choices
from armybuilder.exchange.batch import judge_documents, judge_text
from armybuilder.exchange.report_data import report_data
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Judged, catalogue_of, check_document, judge
from armybuilder.loading.event_judging import judge_at
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import pack_of_size
from armybuilder.loading.problems import Problem, Refusal


class Validate(OpenView):
    parser_classes = [DocumentParser]

    @operation(
        "Verdicts",
        "validate",
        BothReportsSerializer,
        examples.TEN_MEN,
        examples.REPORT,
        parameters=[PackQuery],
    )
    def post(self, request: Request) -> Response:
        """The verdict on a list document; with a pack also that of the event. Nothing is stored."""
        query = PackQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        document, library = document_of(request.data), shipped_library()
        if "pack" not in query.validated_data:
            return Response(report_data(judge(document, library).report))
        pack = library.packs.get(query.validated_data["pack"])
        if pack is None:
            raise Refusal(_("There is no such event pack."))
        pack = pack_of_size(pack, document.limit)
        both = judge_at(document, catalogue_of(document, library), pack)
        return Response(both_data(both.report, pack))


class Choices(OpenView):
    parser_classes = [DocumentParser]

    @operation(
        "Verdicts", "choices", ChoiceSerializer(many=True), examples.TEN_MEN, examples.CHOICES
    )
    def post(self, request: Request) -> Response:
        """What may be added to a list: each unit of its books, with what that would break."""
        judged = judge(document_of(request.data), shipped_library())
        units = checked(judged.catalogue.units.values())
        found = choices(judged.roster, judged.catalogue, units)
        return Response([choice_data(one) for one in found])


class Offers(OpenView):
    parser_classes = [DocumentParser]

    @operation(
        "Verdicts",
        "offers",
        UnitOffersSerializer(many=True),
        examples.TEN_MEN,
        game_examples.OFFERS,
    )
    def post(self, request: Request) -> Response:
        """What may be taken on each unit of a list as it stands: models, roles, options."""
        judged = judge(document_of(request.data), shipped_library())
        return Response(list(checked(offers_of(judged))))


class Diff(OpenView):
    parser_classes = [ObjectParser]

    @operation(
        "Verdicts",
        "diff",
        DifferenceSerializer,
        examples.TWO_LISTS,
        examples.DIFFERENCE,
        request=DiffRequestSerializer,
    )
    def post(self, request: Request) -> Response:
        """What differs between two list documents: units, options, points, verdict."""
        body = body_of(request.data)
        before, after = (_judged(body, key) for key in ("before", "after"))
        return Response(difference_data(difference(before, after, one_list=False)))


def _judged(body: dict[str, Any], key: str) -> Judged:
    """The document under that key. Its mistakes are told with their places in the whole body."""
    if key not in body:
        raise Refusal(_("The body must be an object with two documents: before and after."))
    try:
        return judge(check_document(body[key], key), shipped_library())
    except Refusal as refusal:
        places = [replace(place, pointer=f"/{key}{place.pointer}") for place in refusal.problems]
        raise Refusal(refusal.sentence, places or [_whole(key, refusal)]) from refusal


def _whole(key: str, refusal: Refusal) -> Problem:
    return Problem(key, f"/{key}", refusal.sentence)


class Batch(OpenView):
    parser_classes = [ObjectParser]

    @operation(
        "Verdicts",
        "batch",
        LineSerializer(many=True),
        examples.BATCH,
        examples.BATCH_OF_TEXTS,
        examples.LINES,
        request=BatchRequestSerializer,
    )
    def post(self, request: Request) -> Response:
        """A line for each of up to 200 documents and texts, in their order, and for each list of a
        text with many: verdict, points, codes, seconds. What cannot be judged says why and keeps no
        other list from being judged.
        """
        library = shipped_library()
        documents, texts, system = _batch(body_of(request.data))
        lines = [
            line_data(f"/documents/{number}", line)
            for number, line in enumerate(judge_documents(documents, library))
        ]
        for number, text in enumerate(checked(texts)):
            told = judge_text(text, library, system)
            lines += [line_data(f"/texts/{number}", line, first) for first, line in told]
        return Response(lines)


def _batch(body: dict[str, Any]) -> tuple[list[Any], list[str], str | None]:
    """The documents and texts of a batch, and the game of the texts where it is told."""
    documents, texts = (body.get(key, []) for key in ("documents", "texts"))
    lists = isinstance(documents, list) and isinstance(texts, list)
    if not lists or not body.keys() & {"documents", "texts"}:
        said = _("The body must be an object with a list of documents, or of texts, or both.")
        raise Refusal(said)
    if len(documents) + len(texts) > MOST_DOCUMENTS:
        said = _("At most {most} documents and texts are checked at once.")
        raise Refusal(said.format(most=MOST_DOCUMENTS))
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            place = Problem("texts", f"/texts/{number}", _("A text is needed."))
            raise Refusal(_("What stands among the texts must be a text."), [place])
    system = body.get("system")
    if system is not None and system not in [*shipped_library().systems]:
        raise Refusal(_("There is no such game."))
    return documents, texts, system
