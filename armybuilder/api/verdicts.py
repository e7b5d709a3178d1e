"""Verdicts on documents that a program sends, and their sheets: nothing is stored."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api.base import OpenView, PdfRenderer, TakesDocument, TakesObject, TextRenderer
from armybuilder.api.describing import PRINT_SWITCHES, SETUP, TEXT_FORM, operation
from armybuilder.api.fields import (
    RESERVATION,
    Answer,
    AnyDocumentField,
    Data,
    Texts,
    answer_of,
    answers,
)
from armybuilder.api.file_lists import (
    Subject,
    at_event,
    choices_data,
    file_line,
    of_our_books,
    offers_data,
    reports_data,
    subject_sent,
)
from armybuilder.api.games import PackSerializer, UnitCardSerializer, entry_of
from armybuilder.api.parsing import body_of, read_fields
from armybuilder.comparing.difference import Difference, ListChange, UnitDifference
from armybuilder.downloads import file_response
from armybuilder.engine import Finding, choices
from armybuilder.engine.choices import Choice
from armybuilder.engine.conditions import Place
from armybuilder.engine.event_report import EventReport, Scored
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from armybuilder.engine.rulebook import may_have
from armybuilder.engine.unchecked import REASONS, Unchecked
from armybuilder.exchange import batch
from armybuilder.exchange.batch import finding_data, report_data, unchecked_data
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.lists.comparing import list_difference, with_report
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.worked_out import WorkedOut
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import catalogue_of, check_document, judge, judge_at, make_roster
from armybuilder.loading.forcelist import check_force_list, is_force_list
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.packs import pack_of_size
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.sheets.content.make import KINDS
from armybuilder.sheets.content.make_units import ViewMaker
from armybuilder.sheets.content.setup import CHOICES, OCCASION, read_setup
from armybuilder.sheets.content.unit_view import UnitView
from armybuilder.sheets.texts.forms import USUAL

#: Documents and texts in one batch.
MAX_DOCUMENTS = 200


class FindingSerializer(serializers.Serializer[Finding]):
    """One thing a rule says about the list. `rule` points into the system file."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning", "note"])
    state = serializers.ChoiceField(
        choices=["missing", "broken"],
        help_text="missing: not there yet, adding or choosing settles it;"
        " broken: what stands there cannot stand",
    )
    origin = serializers.ChoiceField(
        choices=["game", "event"], help_text="Rule of the game, or of an event"
    )
    sentence = serializers.CharField()
    units = Texts(help_text="Ids of units of the document")
    rule = serializers.CharField()
    citation = serializers.CharField()
    reading = serializers.CharField()
    measured = serializers.IntegerField(allow_null=True)
    allowed = serializers.IntegerField(allow_null=True)
    lineup = serializers.CharField()

    def to_representation(self, finding: Any) -> Data:
        return finding_data(finding)


class PartSerializer(serializers.Serializer[Data]):
    """One unit's share of a gauge."""

    unit = serializers.CharField()
    name = serializers.CharField()
    amount = serializers.IntegerField()


class GaugeSerializer(serializers.Serializer[Data]):
    """A number that a rule bounds."""

    name = serializers.CharField()
    used = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)
    lineup = serializers.CharField()
    parts = PartSerializer(many=True)


class FactSerializer(serializers.Serializer[Data]):
    """Something to know on game day."""

    name = serializers.CharField()
    text = serializers.CharField()
    lineup = serializers.CharField()
    citation = serializers.CharField()


class UncheckedSerializer(serializers.Serializer[Unchecked]):
    """A restriction that applies to the list and was not checked."""

    units = Texts(help_text="Ids of the units concerned")
    name = serializers.CharField(help_text="Name of the option or unit")
    restriction = serializers.CharField(help_text="The restriction, in words")
    why = serializers.ChoiceField(choices=list(REASONS))
    sentence = serializers.CharField()
    reason = serializers.CharField()
    citation = serializers.CharField()

    def to_representation(self, restriction: Any) -> Data:
        return unchecked_data(restriction)


class ReportSerializer(serializers.Serializer[Any]):
    """The verdict on a list: legal if no finding is an error, complete if nothing was unchecked.

    A list is plainly legal only if it is both. Prices are in points.
    """

    legal = serializers.BooleanField()
    complete = serializers.BooleanField()
    verdict = serializers.CharField(help_text="In words: Legal, 2 restrictions not checked")
    reservation = serializers.CharField(help_text=RESERVATION)
    spent = serializers.IntegerField()
    limit = serializers.IntegerField()
    models = serializers.IntegerField()
    faction = serializers.CharField(allow_null=True)
    findings = FindingSerializer(many=True)
    unchecked = UncheckedSerializer(many=True)
    gauges = GaugeSerializer(many=True)
    facts = FactSerializer(many=True)

    def to_representation(self, report: Any) -> Data:
        return report_data(report)


class PackQuery(serializers.Serializer[Data]):
    """At which event a list is to be judged."""

    pack = serializers.RegexField(
        r"^[a-z0-9_-]{1,80}$",
        required=False,
        help_text="A pack in the box, by its id; for a game from files, by the id in its address. "
        "Where each list of a player has a size of its own, the list is judged as that of its size",
    )


class ScoreSerializer(Answer[Scored]):
    """A score of an event, which never affects the verdict."""

    id = serializers.CharField(source="score.id")
    name = serializers.CharField(source="score.name")
    counted = serializers.CharField(help_text="Share that counts: 2 1/2")
    points = serializers.IntegerField()
    citation = serializers.CharField(source="score.citation")


class EventSerializer(Answer[EventReport]):
    """The verdict of an event.

    `legal`: the list may be played there, by the game's rules but for those that the event lifts,
    and by the event's own.
    """

    pack = PackSerializer()
    legal = serializers.BooleanField()
    verdict = serializers.CharField(
        source="event_verdict", help_text="In words: not at this event: 2 errors"
    )
    findings = FindingSerializer(
        source="refusals", many=True, help_text="Findings of the event besides the game's"
    )
    excused = Texts(help_text="Rules of the game that the list breaks and the event lifts")
    unchecked = UncheckedSerializer(source="event.unchecked", many=True)
    scores = ScoreSerializer(source="scored", many=True)

    def make_pack(self, report: EventReport) -> Any:
        return self.context["pack"]

    def make_excused(self, report: EventReport) -> Iterable[str]:
        return dict.fromkeys(finding.head.id for finding in report.excused)


class BothReportsSerializer(ReportSerializer):
    """The verdict of the game; with a pack also that of the event, kept apart."""

    event = EventSerializer(required=False)

    def to_representation(self, report: Any) -> Data:
        if not isinstance(report, EventReport):
            return reports_data(report) if isinstance(report, WorkedOut) else report_data(report)
        event = self.fields["event"].to_representation(report)
        return {**report_data(report.game), "event": event}


class ChoiceSerializer(Answer[Choice]):
    """Adding a unit at its smallest size: its price and its effect on the findings."""

    unit = serializers.CharField(source="unit.ref", help_text="Reference in documents: book/id")
    name = serializers.CharField(source="unit.name")
    points = serializers.IntegerField()
    entry = serializers.DictField(help_text="What to add to the document; choose an id")
    breaks = FindingSerializer(many=True, help_text="New findings")
    worsens = FindingSerializer(many=True, help_text="Findings that get worse")
    settles = FindingSerializer(many=True, help_text="Findings that go away")

    def make_entry(self, choice: Choice) -> Data:
        return entry_of(choice.unit)


class OfferSerializer(serializers.Serializer[tuple[OptionOffer | GroupOffer, Place]]):
    """An option on a unit, or a group of options with its limits.

    Null means no limit; points are those of one more. Of a group, `least` must be taken.
    """

    kind = serializers.ChoiceField(choices=["option", "group"])
    path = serializers.CharField(help_text="Ids that lead to the option, as documents nest them")
    name = serializers.CharField()
    number = serializers.IntegerField(help_text="Number taken")
    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(help_text="Option: points for one more; group: points spent")
    allowance = serializers.IntegerField(allow_null=True, help_text="Points limit of a group")
    why = serializers.CharField(help_text="Why it can't be taken")
    given = serializers.BooleanField(help_text="Included without being chosen")
    army = serializers.IntegerField(allow_null=True, help_text="Number in the army")
    army_most = serializers.IntegerField(allow_null=True, help_text="Maximum in the army")
    on = serializers.CharField(help_text="Equipment that is enchanted")
    pieces = Texts(help_text="Equipment to choose from")
    unchecked = serializers.CharField(help_text="Restriction that we can't check")
    inner = serializers.ListField(
        child=serializers.DictField(),
        help_text="What is in the group, or may be taken on the option that is taken",
    )

    def to_representation(self, placed: Any) -> Data:
        offer, place = placed
        option = offer if isinstance(offer, OptionOffer) else None
        army, army_most = (option and option.held) or (None, None)
        return {
            "path": offer.path,
            "number": offer.number,
            "most": offer.most,
            "why": offer.why,
            "inner": [self.to_representation((inner, place)) for inner in offer.inner],
            "kind": "option" if option else "group",
            "name": option.option.name if option else offer.group.name,
            "least": option.option.least.number(place) if option else offer.least,
            "points": option.points if option else offer.spent,
            "allowance": None if option else offer.allowance,
            "given": option is not None and option.given,
            "army": army,
            "army_most": army_most,
            "on": option.on if option else "",
            "pieces": list(option.pieces) if option else [],
            "unchecked": option.unchecked if option else "",
        }


class UnitOffersSerializer(Answer[Line]):
    """A unit of a list: its possible numbers of models, roles and options."""

    unit = serializers.CharField(source="pick.id", help_text="Id in the document")
    ref = serializers.CharField(source="unit.ref", help_text="Reference: book/id")
    name = serializers.CharField()
    points = serializers.IntegerField()
    models = serializers.IntegerField()
    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)
    roles = Texts(help_text="Ids of the roles that it can have")
    offers = OfferSerializer(many=True)
    card = UnitCardSerializer(allow_null=True)

    def make_least(self, line: Line) -> int:
        return _bounds(line)[0]

    def make_most(self, line: Line) -> int | None:
        return _bounds(line)[1]

    def make_card(self, line: Line) -> UnitView:
        view: UnitView = self.context["cards"].make(line.pick)
        return view

    def make_roles(self, line: Line) -> list[str]:
        system = self.context["judged"].catalogue.system
        return [role for role in system.roles if may_have(role, line.tags, system)]

    def make_offers(self, line: Line) -> list[tuple[OptionOffer | GroupOffer, Place]]:
        return [(offer, line.place) for offer in offers(line, self.context["judged"].report)]


def _bounds(line: Line) -> tuple[int, int | None]:
    """Return the least and most models; those that are bought singly may be any number."""
    if line.unit.size is None and line.unit.counts:
        return 1, None
    return size_bounds(line.unit, line)


class ChangeSerializer(Answer[ListChange]):
    """One thing that differs; "" on a side that has none."""

    kind = serializers.CharField()
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class UnitDifferenceSerializer(Answer[UnitDifference]):
    """A unit that is new, gone or changed, with its points before and after."""

    kind = serializers.ChoiceField(choices=["new", "gone", "changed"])
    name = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    changes = ChangeSerializer(many=True)


class DifferenceSerializer(Answer[Difference]):
    """Differences between two lists. `numbers`: verdict, points and models of both."""

    numbers = ChangeSerializer(many=True)
    about = ChangeSerializer(many=True)
    units = UnitDifferenceSerializer(many=True)


class DiffRequestSerializer(serializers.Serializer[Data]):
    """Two list documents."""

    before = AnyDocumentField()
    after = AnyDocumentField()


class BatchRequestSerializer(serializers.Serializer[Data]):
    """Up to 200 list documents and texts as players write them, together."""

    documents = serializers.ListField(
        child=AnyDocumentField(), max_length=MAX_DOCUMENTS, required=False
    )
    texts = serializers.ListField(
        child=serializers.CharField(trim_whitespace=False, max_length=MAX_TEXT),
        max_length=MAX_DOCUMENTS,
        required=False,
        help_text="Each with a list in it, or with many; a list is judged where all its lines are"
        " clear, else `problem` tells those that are not: look at them by `read`",
    )
    system = serializers.CharField(
        required=False, help_text="The game of the texts; else what each of them says"
    )


class LineSerializer(serializers.Serializer[Data]):
    """The outcome of one list.

    `legal` is null if it cannot be judged; `problem` says why, and `problems` where.
    """

    source = serializers.CharField(  # type: ignore[assignment]  # told, not set
        help_text="A pointer into the body: `/documents/0`, `/texts/0`"
    )
    first = serializers.IntegerField(
        allow_null=True, help_text="The line of the text on which the list begins"
    )
    name = serializers.CharField()
    game = serializers.CharField()
    legal = serializers.BooleanField(allow_null=True)
    complete = serializers.BooleanField(allow_null=True)
    reservation = serializers.CharField(help_text=RESERVATION)
    spent = serializers.IntegerField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True)
    codes = Texts(help_text="Codes of the findings, each once")
    unchecked = Texts(help_text="Restrictions that were not checked, in sentences")
    seconds = serializers.FloatField()
    problem = serializers.CharField()
    problems = serializers.ListField(child=serializers.DictField())


def _line(source: str, line: batch.BatchLine, first: int | None = None) -> Data:
    """Return a line of a batch. Places count from the top of the body; `first` is a text's line."""
    problems = [place.data(source) for place in line.problems]
    return {"source": source, "first": first, **batch.line_data(line), "problems": problems}


class Validate(TakesDocument, OpenView):
    takes_files = True

    @operation("Verdicts", "validate", BothReportsSerializer, parameters=[PackQuery])
    def post(self, request: Request) -> Response:
        """Return the verdict on a list document; with a pack also that of the event.

        Nothing is stored.
        """
        pack_id = read_fields(PackQuery, request.query_params).get("pack")
        subject = subject_sent(request.data, request.user)
        if isinstance(subject, WorkedOut):
            return Response(answer_of(BothReportsSerializer, at_event(subject, pack_id)))
        document = of_our_books(subject)
        library = self.library_for(document)
        if pack_id is None:
            return Response(answer_of(BothReportsSerializer, judge(document, library).report))
        pack = library.packs.get(pack_id)
        if pack is None:
            raise Refusal(_("There is no such event pack."))
        pack = pack_of_size(pack, document.limit)
        report = judge_at(document, catalogue_of(document, library), pack).report
        return Response(answer_of(BothReportsSerializer, report, pack=pack))


class Choices(TakesDocument, OpenView):
    takes_files = True

    @operation("Verdicts", "choices", ChoiceSerializer(many=True))
    def post(self, request: Request) -> Response:
        """Return the possible additions to a list: each unit of its books, with its new errors."""
        document = subject_sent(request.data, request.user)
        if isinstance(document, WorkedOut):
            return Response(list(choices_data(document)))
        judged = judge(document, self.library_for(document))
        units = checked(judged.catalogue.units.values())
        tried = choices(judged.roster, judged.catalogue, units)
        return Response(answers(ChoiceSerializer, tried))


class Offers(TakesDocument, OpenView):
    takes_files = True

    @operation("Verdicts", "offers", UnitOffersSerializer(many=True))
    def post(self, request: Request) -> Response:
        """Return the models, roles and options that each unit of a list may have."""
        document = subject_sent(request.data, request.user)
        if isinstance(document, WorkedOut):
            return Response(list(offers_data(document)))
        judged = judge(document, self.library_for(document))
        lines = checked(judged.report.full.lines)
        cards = ViewMaker(judged.report)
        return Response(answers(UnitOffersSerializer, lines, judged=judged, cards=cards))


class Diff(TakesObject, OpenView):
    @operation("Verdicts", "diff", DifferenceSerializer, request=DiffRequestSerializer)
    def post(self, request: Request) -> Response:
        """Return the differences between two list documents: units, options, points, verdict."""
        body = body_of(request.data)
        before, after = (_subject(body, key, request.user) for key in ("before", "after"))
        found = list_difference(with_report(before), with_report(after), one_list=False)
        return Response(answer_of(DifferenceSerializer, found))


def _subject(body: dict[str, Any], key: str, user: Any) -> Subject:
    """Return the document under that key. Its mistakes have their places in the whole body."""
    if key not in body:
        raise Refusal(_("The body must be a JSON object with two documents: before and after."))
    try:
        if is_force_list(body[key]):
            return subject_sent(check_force_list(body[key], key), user)
        document = check_document(body[key], key)
        make_roster(document, catalogue_of(document, shipped_library()))
    except Refusal as refusal:
        places = [replace(place, pointer=f"/{key}{place.pointer}") for place in refusal.problems]
        places = places or [Problem(key, f"/{key}", refusal.sentence)]
        raise Refusal(refusal.sentence, places) from refusal
    return document


class Batch(TakesObject, OpenView):
    @operation("Verdicts", "batch", LineSerializer(many=True), request=BatchRequestSerializer)
    def post(self, request: Request) -> Response:
        """Return a line for each of up to 200 documents and texts, in their order.

        A text with many lists has a line for each of them: verdict, points, codes, seconds. What
        cannot be judged says why and keeps no other list from being judged.
        """
        library = self.library
        documents, texts, system = _batch(body_of(request.data), library)
        judged = (
            file_line(document, request.user)
            if is_force_list(document)
            else batch.judge_documents([document], library)[0]
            for document in checked(documents)
        )
        lines = [_line(f"/documents/{number}", line) for number, line in enumerate(judged)]
        for number, text in enumerate(checked(texts)):
            found = batch.judge_text(text, library, system)
            lines += [_line(f"/texts/{number}", line, first) for first, line in found]
        return Response(lines)


def _batch(body: dict[str, Any], library: Library) -> tuple[list[Any], list[str], str | None]:
    """Return documents and texts of a batch, and the game of the texts if it is named."""
    documents, texts = (body.get(key, []) for key in ("documents", "texts"))
    lists = isinstance(documents, list) and isinstance(texts, list)
    if not lists or not body.keys() & {"documents", "texts"}:
        sentence = _("The body must be a JSON object with a list of documents, of texts, or both.")
        raise Refusal(sentence)
    if len(documents) + len(texts) > MAX_DOCUMENTS:
        sentence = _("At most {most} documents and texts can be checked at once.")
        raise Refusal(sentence.format(most=MAX_DOCUMENTS))
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            place = Problem("texts", f"/texts/{number}", _("Send a text."))
            raise Refusal(_("Every item in “texts” must be a string."), [place])
    system = body.get("system")
    if system is not None and system not in [*library.systems]:
        raise Refusal(_("There is no such game."))
    return documents, texts, system


PDF = {(200, "application/pdf"): OpenApiTypes.BINARY}
TEXT = {(200, "text/plain"): OpenApiTypes.STR}


class SheetOfDocument(TakesDocument, OpenView):
    takes_files = True
    renderer_classes = [PdfRenderer, JSONRenderer]

    @operation("Sheets", "sheet", PDF, parameters=SETUP)
    def post(self, request: Request) -> HttpResponse:
        """Return the sheets of a list document in one PDF."""
        return pdf(subject_sent(request.data, request.user), request.query_params)


class TextOfDocument(TakesDocument, OpenView):
    takes_files = True
    renderer_classes = [TextRenderer, JSONRenderer]

    @operation("Sheets", "text", TEXT, parameters=TEXT_FORM)
    def post(self, request: Request) -> HttpResponse:
        """Return a list document as text, in one of several forms."""
        return text(subject_sent(request.data, request.user), request.query_params)


def pdf(subject: Subject, fields: Mapping[str, Any]) -> HttpResponse:
    """Print a list as the fields ask for. Raises Refusal for choices that aren't offered."""
    keys = (*CHOICES, *PRINT_SWITCHES, *OCCASION, "kinds")
    known = {key: fields[key] for key in keys if key in fields}
    offered = {**CHOICES, **dict.fromkeys(PRINT_SWITCHES, ("0", "1"))}
    for key, value in known.items():
        if value not in offered.get(key, (value,)):
            raise Refusal(_("“{value}” is not a valid choice.").format(value=value[:80]))
    made = drawn_list(subject).printout(read_setup(known))
    return file_response(made.content, made.title, "pdf")


def text(subject: Subject, fields: Mapping[str, Any]) -> HttpResponse:
    """Return a list as text.

    The fields are `form`, `kind` "full" or "open", and `parts`, separated by commas. Raises Refusal
    for choices that aren't offered.
    """
    name, kind = fields.get("form", USUAL), fields.get("kind", KINDS[0])
    drawn = drawn_list(subject)
    form = drawn.forms.get(name)
    if form is None or kind not in (KINDS[:1] if isinstance(subject, WorkedOut) else KINDS):
        wrong = kind if form else name
        raise Refusal(_("“{value}” is not a valid choice.").format(value=wrong[:80]))
    parts = form.parts([fields["parts"]] if "parts" in fields else [])
    drawn = replace(drawn, kind="open" if form.hides else kind)
    content = drawn.text(form, parts).encode()
    title = drawn.sheet.title if form.hides else drawn.sheet.heading
    return file_response(content, title, form.ending)
