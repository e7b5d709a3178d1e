"""Repair, fill, look ahead, answer and explain, of documents that are sent and of stored lists."""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.acts.proposals import known_wishes, question_name, questions_by_id, read_wishes
from armybuilder.api.base import OpenView, OwnView
from armybuilder.api.describing import operation
from armybuilder.api.fields import (
    Answer,
    AnyDocumentField,
    Data,
    Texts,
    answer_of,
)
from armybuilder.api.file_lists import (
    Subject,
    clash_data,
    of_our_books,
    subject_of,
    subject_sent,
)
from armybuilder.api.lists import find_list
from armybuilder.api.parsing import DocumentParser, read_fields
from armybuilder.api.verdicts import DifferenceSerializer
from armybuilder.battlescribe.files.building import more_forces
from armybuilder.battlescribe.files.documents import document_of as document_of_picks
from armybuilder.comparing.difference import difference
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from armybuilder.lists.comparing import list_difference
from armybuilder.lists.worked_out import WorkedOut, work_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, judge, judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import Core, explain
from armybuilder.solving.fill import filling
from armybuilder.solving.keeping import read_pins, strays
from armybuilder.solving.look_ahead import Fate, Outlook, look_ahead
from armybuilder.solving.owned import only_owned, owned_on_cards
from armybuilder.solving.picks import verbs as picks
from armybuilder.solving.questions import Sought, answer
from armybuilder.solving.repair import Repair, Repairs, repairs

#: Seconds of solving for one answer.
SECONDS = 0.3
TAG = "Solver"
#: Sentences about a repair's changes, at most.
MAX_SENTENCES = 20
#: Things that a repair may keep, and their maximum number.
KEPT = r"^[A-Za-z0-9_-]{1,80}(:[a-z0-9_-]{1,80}|(/[a-z0-9_-]{1,80}){1,4})?$"
MAX_KEPT = 500
#: How many wishes a filling may hear.
MAX_WISHES = 40
FATES = [fate.value for fate in Fate]


class RepairQuery(serializers.Serializer[Data]):
    """Options for fixes."""

    number = serializers.IntegerField(
        default=3, min_value=1, max_value=3, help_text="Number of fixes"
    )
    keep = serializers.ListField(
        child=serializers.RegexField(KEPT),
        default=list,
        max_length=MAX_KEPT,
        help_text="What must stay: a unit by its id (u1), a role of it (u1:general), an option of"
        " it (u1/shield, u1/horse/barding); of a game from files anything by its id",
    )


class FillQuery(serializers.Serializer[Data]):
    """Options for filling."""

    seed = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Another number gives another suggestion",
    )
    wish = serializers.ListField(
        child=serializers.CharField(max_length=80),
        default=list,
        max_length=MAX_WISHES,
        help_text="What you would like: `bodies` (more models), `few`, `no-copies`, `owned`, or"
        " the id of a wish of the game",
    )


class AnswerQuery(serializers.Serializer[Data]):
    """The question."""

    ask = serializers.CharField(
        default=Sought.MODELS.value,
        max_length=80,
        help_text="`models` (the most), `cheapest` (the fewest points of a legal list), or the id"
        " of a wish of the game (the most points of it)",
    )


class RepairSerializer(Answer[Data]):
    """A fix: the changes, and the resulting list.

    `points` is the difference in points. `proved`: no other fix, among those left at the time,
    changes less; otherwise there may be a smaller one.
    """

    changes = Texts(help_text="One sentence each")
    points = serializers.IntegerField(help_text="Difference; below 0 for fewer points")
    spent = serializers.IntegerField()
    proved = serializers.BooleanField()
    difference = DifferenceSerializer()
    document = AnyDocumentField()


class RepairsSerializer(Answer[Data]):
    """The best ways to make a list legal, the smallest change first; none if it is legal.

    `impossible`: it is proved that no permitted change can make it legal.
    """

    legal = serializers.BooleanField(help_text="Whether the list is legal already")
    repairs = RepairSerializer(many=True)
    impossible = serializers.BooleanField()


class FilledSerializer(Answer[Data]):
    """A list filled up: nothing of it goes.

    `found` is false, and the document null, if it cannot become legal by adding, or nothing was
    found in time. `proved`: no fewer points can be `left`.
    """

    found = serializers.BooleanField()
    left = serializers.IntegerField(allow_null=True)
    proved = serializers.BooleanField()
    difference = DifferenceSerializer(allow_null=True)
    document = AnyDocumentField(allow_null=True)


class AnswerSerializer(Answer[Data]):
    """The most of something that a list can have while it keeps all of this one, and such a list.

    If `found` is false, none was found in time or, if `impossible`, there is none. `proved`: no
    list has more (for a minimum: fewer).
    """

    name = serializers.CharField(help_text="The question")
    found = serializers.BooleanField()
    value = serializers.IntegerField(allow_null=True, help_text="Models or points")
    proved = serializers.BooleanField()
    impossible = serializers.BooleanField()
    difference = DifferenceSerializer(allow_null=True)
    document = AnyDocumentField(allow_null=True)


class FateSerializer(Answer[Data]):
    """Outlook of a list with one more of a unit."""

    unit = serializers.CharField(help_text="Reference in documents: book/id")
    name = serializers.CharField()
    fate = serializers.ChoiceField(choices=FATES)


class OutlookSerializer(Answer[Outlook]):
    """The answer whether a list can become legal if things are only added.

    `open`: it can; `dead`: it is proved that it can't; `unknown`: the time was up, or cards must be
    filled in first.
    """

    whole = serializers.ChoiceField(choices=FATES, source="whole.value")
    units = FateSerializer(many=True)

    def make_units(self, outlook: Outlook) -> list[Data]:
        units = self.context["judged"].catalogue.units
        return [
            {"unit": ref, "name": units[ref].name, "fate": fate.value}
            for ref, fate in outlook.units.items()
        ]


class CoreRuleSerializer(Answer[RuleHead]):
    """A rule. `rule` points into the system file."""

    rule = serializers.CharField(source="pointer")
    summary = serializers.CharField()
    citation = serializers.CharField()


class CoreSerializer(Answer[Core]):
    """Units that can't all stay under some rules, whichever units are added.

    In games of files only some additions are tried. `found` is false if they can, or if that is
    unknown. `proved`: without any one of these they could.
    """

    found = serializers.BooleanField()
    rules = CoreRuleSerializer(many=True)
    units = Texts(help_text="Ids of units of the document")
    proved = serializers.BooleanField(source="minimal")

    def make_found(self, core: Core) -> bool:
        return core is not _NO_CORE


_NO_CORE = Core((), (), minimal=False)
BookQuestion = Callable[[Judged, Request], Data]
FileQuestion = Callable[[WorkedOut, Request], Data]


def _repairs(judged: Judged, request: Request) -> Data:
    query = read_fields(RepairQuery, request.query_params)
    if unknown := strays(query["keep"], judged.document):
        sentence = _("Nothing on the list is called “{name}”.")
        raise Refusal(sentence.format(name=unknown[0]))
    found, number, pins = Repairs(()), query["number"], read_pins(query["keep"])
    if not judged.report.legal:
        found = repairs(judged.document, judged.catalogue, CpSat(), number, pins, seconds=SECONDS)
    ways = [_repair(judged, repair) for repair in found.found]
    data = {"legal": judged.report.legal, "repairs": ways, "impossible": found.impossible}
    return answer_of(RepairsSerializer, data)


def _repair(judged: Judged, repair: Repair) -> Data:
    repaired = judge_by(repair.army_list, judged.catalogue)
    change = difference(judged, repaired)
    return {
        "changes": change.lines(MAX_SENTENCES),
        "points": repaired.report.spent - judged.report.spent,
        "spent": repaired.report.spent,
        "proved": repair.proved,
        "difference": change,
        "document": repair.army_list,
    }


def _file_repairs(one: WorkedOut, request: Request) -> Data:
    query = read_fields(RepairQuery, request.query_params)
    known, kept = {pick.id for force in one.roster.forces for pick in force.walk()}, query["keep"]
    if unknown := next((id for id in kept if id not in known), ""):
        sentence = _("Nothing on the list is called “{name}”.")
        raise Refusal(sentence.format(name=unknown))
    data: Data = {"legal": one.report.legal, "repairs": [], "impossible": False}
    if not one.report.legal:
        more = partial(more_forces, one.game, one.book)
        found = picks.repair(one.evaluation, CpSat(), SECONDS, lambda pick: pick.id in kept, more)
        data["impossible"] = found.outcome is picks.Outcome.NONE
        if found.roster is not None:
            changes = [edit.words for edit in found.edits][:MAX_SENTENCES]
            way = {"changes": changes, "proved": found.best, **_file_became(one, found.roster)}
            data["repairs"] = [way]
    return answer_of(RepairsSerializer, data)


def _file_filled(one: WorkedOut, request: Request) -> Data:
    query = read_fields(FillQuery, request.query_params)
    _check_known(query["wish"], ())
    cost = next((cost for cost in one.costs if cost.spent < cost.limit), None)
    data: Data = {"found": False, "proved": False}
    if cost is not None:
        found = picks.fill(one.evaluation, cost.id, CpSat(), query["seed"], SECONDS)
        if found.roster is not None:
            became = _file_became(one, found.roster)
            left = int(cost.limit - cost.spent) - became["points"]
            data = {"found": True, "left": left, "proved": found.best, **became}
    return answer_of(FilledSerializer, data)


def _file_became(one: WorkedOut, roster: PickList) -> Data:
    """Return a found list: its document, its price, and the differences."""
    was = one.document
    after = work_out(document_of_picks(roster, was.name, was.game, was.notes), one.pack)
    spent = after.report.numbers[0]
    return {
        "points": spent - one.report.numbers[0],
        "spent": spent,
        "difference": list_difference(one, after, one_list=False),
        "document": after.document,
    }


def _filled(judged: Judged, request: Request) -> Data:
    query = read_fields(FillQuery, request.query_params)
    catalogue, owned = judged.catalogue, owned_on_cards(judged.catalogue)
    _check_known(query["wish"], known_wishes(catalogue, owned))
    wishes = read_wishes(query["wish"], catalogue)
    if "owned" in query["wish"]:
        catalogue = only_owned(catalogue, judged.roster, owned)
    filled = filling(judged.document, catalogue, CpSat(), query["seed"], wishes, SECONDS).filled
    if filled is None:
        return answer_of(FilledSerializer, {"found": False, "proved": False})
    data = {"found": True, "left": filled.left, "proved": filled.proved}
    return answer_of(FilledSerializer, {**data, **_became(judged, filled.army_list)})


def _became(judged: Judged, army_list: ArmyList) -> Data:
    change = difference(judged, judge_by(army_list, judged.catalogue))
    return {"difference": change, "document": army_list}


def _answer(judged: Judged, request: Request) -> Data:
    asked = read_fields(AnswerQuery, request.query_params)["ask"]
    known = questions_by_id(judged.catalogue)
    _check_known([asked], known)
    reply = answer(known[asked], judged.document, judged.catalogue, CpSat(), SECONDS)
    data = {"name": question_name(known[asked]), "found": reply.army_list is not None}
    data |= {"proved": reply.proved, "impossible": reply.impossible}
    if reply.army_list is not None:
        data |= {"value": reply.value, **_became(judged, reply.army_list)}
    return answer_of(AnswerSerializer, data)


def _file_answer(worked: WorkedOut, request: Request) -> Data:
    goals = picks.goals(cost.id for cost in worked.costs)
    known = {question.id: question for question in goals}
    asked = read_fields(AnswerQuery, request.query_params)["ask"]
    _check_known([asked], known)
    question, goal = known[asked], goals[known[asked]]
    reply = picks.extreme(worked.evaluation, goal, CpSat(), SECONDS)
    data: Data = {"name": question_name(question), "found": reply.roster is not None}
    data |= {"proved": reply.best, "impossible": reply.outcome is picks.Outcome.NONE}
    if reply.roster is not None:
        data["value"] = int(goal.counted(Evaluation(reply.roster, worked.evaluation)))
        data |= _file_became(worked, reply.roster)
    return answer_of(AnswerSerializer, data)


def _check_known(wishes: Iterable[str], known: Collection[str]) -> None:
    for wish in wishes:
        if not known:
            raise Refusal(_("“{value}” is not a valid choice.").format(value=wish))
        if wish not in known:
            sentence = _("“{name}” is not valid. Use one of: {known}.")
            raise Refusal(sentence.format(name=wish, known=", ".join(known)))


def _outlook(judged: Judged, request: Request) -> Data:
    outlook = look_ahead(judged.document, judged.catalogue, CpSat(), SECONDS)
    return answer_of(OutlookSerializer, outlook, judged=judged)


def _file_outlook(one: WorkedOut, request: Request) -> Data:
    """Return the fate of a list of files; that with each unit more is not looked for."""
    outcome = picks.look_ahead(one.evaluation, CpSat(), SECONDS).outcome
    fates = {picks.Outcome.FOUND: Fate.OPEN, picks.Outcome.NONE: Fate.DEAD}
    return {"whole": fates.get(outcome, Fate.UNKNOWN).value, "units": []}


def _file_core(one: WorkedOut, request: Request) -> Data:
    clash = picks.explain(one.evaluation, CpSat(), SECONDS) if not one.report.legal else None
    return answer_of(CoreSerializer, _NO_CORE if clash is None else clash_data(one, clash))


def _core(judged: Judged, request: Request) -> Data:
    core = explain(judged.document, judged.catalogue, CpSat(), SECONDS)
    return answer_of(CoreSerializer, core or _NO_CORE)


def _views(
    name: str,
    question: BookQuestion,
    answer: Any,
    of_document: str,
    of_list: str,
    *parameters: Any,
    of_files: FileQuestion | None = None,
) -> tuple[type[OpenView], type[OwnView]]:
    """Return the views that ask a question of a document that is sent and of a stored list.

    Both texts describe them; nothing is stored, and the list stays as it is. `of_files` asks it of
    lists of a community's files.
    """

    def asked(subject: Subject, request: Request) -> Response:
        if of_files is not None and isinstance(subject, WorkedOut):
            return Response(of_files(subject, request))
        return Response(question(judge(of_our_books(subject), shipped_library()), request))

    def post(self: OpenView, request: Request) -> Response:
        return asked(subject_sent(request.data, request.user), request)

    def get(self: OwnView, request: Request, list_id: UUID) -> Response:
        return asked(subject_of(find_list(self.holder, list_id)), request)

    post.__doc__, get.__doc__ = of_document, of_list
    sent = operation(TAG, name, answer, parameters=list(parameters))(post)
    stored = operation(TAG, f"{name}_of_list", answer, parameters=list(parameters))(get)
    document_view = {
        "asks_solver": True,
        "parser_classes": [DocumentParser],
        "takes_files": of_files is not None,
        "post": sent,
    }
    list_view = {"asks_solver": True, "get": stored}
    return type(name, (OpenView,), document_view), type(name, (OwnView,), list_view)


RepairDocument, RepairList = _views(
    "repair",
    _repairs,
    RepairsSerializer,
    "Return different ways to make a list legal, each by the smallest change that is left.",
    "Return different ways to make one of your lists legal; it stays as it is.",
    RepairQuery,
    of_files=_file_repairs,
)
FillDocument, FillList = _views(
    "fill",
    _filled,
    FilledSerializer,
    "Return a list with units, models and options added until its points are spent.",
    "Return one of your lists with its points spent; it stays as it is.",
    FillQuery,
    of_files=_file_filled,
)
AnswerDocument, AnswerList = _views(
    "answer",
    _answer,
    AnswerSerializer,
    "Return how much of something a list can have, such as the most models.",
    "Return how much of something one of your lists can have; it stays as it is.",
    AnswerQuery,
    of_files=_file_answer,
)
OutlookDocument, OutlookList = _views(
    "outlook",
    _outlook,
    OutlookSerializer,
    "Return whether a list can become legal by adding alone, as it is and with each unit.",
    "Return whether one of your lists can become legal by adding alone.",
    of_files=_file_outlook,
)
ExplainDocument, ExplainList = _views(
    "explain",
    _core,
    CoreSerializer,
    "Return why a list cannot become legal by adding alone: rules and units that clash.",
    "Return why one of your lists cannot become legal by adding alone.",
    of_files=_file_core,
)
