"""Questions about the lists that may be, of a document that a program sends and of a stored list:
repair, fill, look ahead, answer, explain.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.acts.proposals import known_wishes, question_name, questions_by_id, read_wishes
from armybuilder.api import examples
from armybuilder.api.describing import operation
from armybuilder.api.parsing import DocumentParser, document_of
from armybuilder.api.solved import (
    AnswerQuery,
    AnswerSerializer,
    CoreSerializer,
    FilledSerializer,
    FillQuery,
    OutlookSerializer,
    RepairQuery,
    RepairsSerializer,
    answer_data,
    core_data,
    filled_data,
    outlook_data,
    repairs_data,
)
from armybuilder.api.views.base import OpenView, OwnView
from armybuilder.api.views.lists import find_list
from armybuilder.loading.documents import Judged, judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import fill
from armybuilder.solving.keeping import read_pins, strays
from armybuilder.solving.look_ahead import look_ahead
from armybuilder.solving.questions import answer
from armybuilder.solving.repair import Repairs, repairs

#: Seconds of solving for one answer.
SECONDS = 0.3
TAG = "What may be"
Asked = Callable[[Judged, Request], dict[str, Any]]


def _repairs(judged: Judged, request: Request) -> dict[str, Any]:
    query = _query(RepairQuery, request)
    if unknown := strays(query["keep"], judged.document):
        said = _("Nothing on the list is called “{name}”.")
        raise Refusal(said.format(name=unknown[0]))
    found = Repairs(())
    if not judged.report.legal:
        found = repairs(
            judged.document,
            judged.catalogue,
            CpSat(),
            query["number"],
            read_pins(query["keep"]),
            seconds=SECONDS,
        )
    return repairs_data(judged, found)


def _filled(judged: Judged, request: Request) -> dict[str, Any]:
    query = _query(FillQuery, request)
    _check_known(query["wish"], known_wishes(judged.catalogue))
    wishes = read_wishes(query["wish"], judged.catalogue)
    found = fill(judged.document, judged.catalogue, CpSat(), query["seed"], wishes, SECONDS)
    return filled_data(judged, found)


def _answer(judged: Judged, request: Request) -> dict[str, Any]:
    asked = _query(AnswerQuery, request)["ask"]
    known = questions_by_id(judged.catalogue)
    _check_known([asked], known)
    reply = answer(known[asked], judged.document, judged.catalogue, CpSat(), SECONDS)
    return answer_data(judged, question_name(known[asked]), reply)


def _check_known(asked: Iterable[str], known: Collection[str]) -> None:
    for one in asked:
        if one not in known:
            said = _("“{name}” is not known here. These are: {known}.")
            raise Refusal(said.format(name=one, known=", ".join(known)))


def _outlook(judged: Judged, request: Request) -> dict[str, Any]:
    found = look_ahead(judged.document, judged.catalogue, CpSat(), SECONDS)
    return outlook_data(judged.catalogue, found)


def _core(judged: Judged, request: Request) -> dict[str, Any]:
    return core_data(explain(judged.document, judged.catalogue, CpSat(), SECONDS))


def _query(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    query = kind(data=request.query_params)
    query.is_valid(raise_exception=True)
    found: dict[str, Any] = query.validated_data
    return found


class _OfDocument(OpenView):
    """Asked of a document; nothing is stored."""

    asks_solver = True
    parser_classes = [DocumentParser]

    def answer(self, request: Request, asked: Asked) -> Response:
        judged = judge(document_of(request.data), shipped_library())
        return Response(asked(judged, request))


class Repair(_OfDocument):
    @operation(
        TAG,
        "repair",
        RepairsSerializer,
        examples.ELEVEN_MEN,
        examples.REPAIRS,
        parameters=[RepairQuery],
    )
    def post(self, request: Request) -> Response:
        """Different ways to make a list legal, each by the smallest change that is left."""
        return self.answer(request, _repairs)


class Fill(_OfDocument):
    @operation(
        TAG,
        "fill",
        FilledSerializer,
        examples.NINE_MEN,
        examples.FILLED,
        parameters=[FillQuery],
    )
    def post(self, request: Request) -> Response:
        """A list with units, models and options added until its points are spent."""
        return self.answer(request, _filled)


class Answer(_OfDocument):
    @operation(
        TAG,
        "answer",
        AnswerSerializer,
        examples.NINE_MEN,
        examples.ANSWER,
        parameters=[AnswerQuery],
    )
    def post(self, request: Request) -> Response:
        """How much of something a list can have, such as the most models."""
        return self.answer(request, _answer)


class Outlook(_OfDocument):
    @operation(TAG, "outlook", OutlookSerializer, examples.NINE_MEN, examples.OUTLOOK)
    def post(self, request: Request) -> Response:
        """Whether a list can become legal by adding alone, as it is and with each unit."""
        return self.answer(request, _outlook)


class Explain(_OfDocument):
    @operation(TAG, "explain", CoreSerializer, examples.ELEVEN_MEN, examples.CORE)
    def post(self, request: Request) -> Response:
        """Why a list cannot become legal by adding alone: the rules and units that clash."""
        return self.answer(request, _core)


class _OfList(OwnView):
    """Asked of a stored list, which stays as it is."""

    asks_solver = True

    def answer(self, request: Request, list_id: UUID, asked: Asked) -> Response:
        judged = judge(find_list(self.holder, list_id).document, shipped_library())
        return Response(asked(judged, request))


class ListRepair(_OfList):
    @operation(TAG, "repair_of_list", RepairsSerializer, examples.REPAIRS, parameters=[RepairQuery])
    def get(self, request: Request, list_id: UUID) -> Response:
        """Different ways to make one of your lists legal; it stays as it is."""
        return self.answer(request, list_id, _repairs)


class ListFill(_OfList):
    @operation(TAG, "fill_of_list", FilledSerializer, examples.FILLED, parameters=[FillQuery])
    def get(self, request: Request, list_id: UUID) -> Response:
        """One of your lists with its points spent; it stays as it is."""
        return self.answer(request, list_id, _filled)


class ListAnswer(_OfList):
    @operation(TAG, "answer_of_list", AnswerSerializer, examples.ANSWER, parameters=[AnswerQuery])
    def get(self, request: Request, list_id: UUID) -> Response:
        """How much of something one of your lists can have; it stays as it is."""
        return self.answer(request, list_id, _answer)


class ListOutlook(_OfList):
    @operation(TAG, "outlook_of_list", OutlookSerializer, examples.OUTLOOK)
    def get(self, request: Request, list_id: UUID) -> Response:
        """Whether one of your lists can become legal by adding alone."""
        return self.answer(request, list_id, _outlook)


class ListExplain(_OfList):
    @operation(TAG, "explain_of_list", CoreSerializer, examples.CORE)
    def get(self, request: Request, list_id: UUID) -> Response:
        """Why one of your lists cannot become legal by adding alone."""
        return self.answer(request, list_id, _core)
