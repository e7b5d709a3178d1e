"""Events by the API: read one, enter, submit a list, read lists and entries, decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api.base import OwnView, Paged, TakesDocument, TakesObject
from armybuilder.api.describing import OF_ENTRY, operation
from armybuilder.api.fields import (
    RESERVATION,
    Answer,
    Data,
    DocumentField,
    NumbersField,
    Texts,
    answer_of,
)
from armybuilder.api.parsing import body_of, document_of, read_fields
from armybuilder.engine.wording import Words
from armybuilder.events import deciding, entering, exporting, selectors
from armybuilder.events.judging import need_words
from armybuilder.events.models import Decision, Entry, Event, Staff, Submission
from armybuilder.events.rules import EventState, Person, Sight, StaffRole
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


class EventHeadSerializer(Answer[Event]):
    """An event, by its own times."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    system = serializers.CharField()
    reservation = serializers.CharField(help_text=RESERVATION)
    zone = serializers.CharField(help_text="Time zone of the venue (IANA name)")
    state = serializers.ChoiceField(choices=[state.value for state in EventState])
    lists_due = serializers.DateTimeField(source="due_at")
    lists_shown = serializers.DateTimeField(source="revealed_at")

    def make_reservation(self, event: Event) -> Words:
        system = shipped_library().systems.get(event.system)
        return system.reservation if system else ""

    def make_state(self, event: Event) -> str:
        return event.state(self.context["now"]).value


class EventDetailSerializer(EventHeadSerializer):
    """The same with the description, your part in it, and the current pack."""

    about = serializers.CharField()
    place = serializers.CharField()
    rules_final = serializers.DateTimeField(source="frozen_at")
    corrections_due = serializers.DateTimeField(source="corrected_at")
    ends = serializers.DateTimeField(source="over_at")
    role = serializers.ChoiceField(choices=[role.value for role in StaffRole], allow_null=True)
    entry = serializers.IntegerField(allow_null=True, help_text="The number of your entry")
    entries = NumbersField(help_text="Numbers of your entries, one for each list")
    pack = serializers.DictField(help_text="The event pack in effect, as a file")
    pack_revision = serializers.CharField()

    def make_role(self, event: Event) -> str | None:
        role: StaffRole | None = self.context["role"]
        return None if role is None else role.value

    def make_entry(self, event: Event) -> int | None:
        return next(iter(self.make_entries(event)), None)

    def make_entries(self, event: Event) -> list[int]:
        return [entry.number for entry in self.context["entries"]]

    def make_pack(self, event: Event) -> Any:
        return self.context["pack"].data

    def make_pack_revision(self, event: Event) -> Any:
        return self.context["pack"].revision


class EntryRequestSerializer(serializers.Serializer[Data]):
    """Registration of a player."""

    name = serializers.CharField(max_length=80)
    team = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    email = serializers.EmailField(required=False, default="", allow_blank=True)
    captain_sees = serializers.BooleanField(
        required=False, default=False, help_text="The team’s captain may see and submit the list"
    )


class SubmissionSerializer(Answer[Submission]):
    """A submitted list without the list itself."""

    number = serializers.IntegerField()
    received = serializers.DateTimeField()
    late = serializers.BooleanField()
    legal = serializers.BooleanField(help_text="Legal by the rules of the event")
    points = serializers.IntegerField(source="game_report.spent")
    limit = serializers.IntegerField(source="game_report.limit")
    commitment = serializers.CharField(help_text="SHA-256 with a salt, as in docs/events.md")
    needs = serializers.ListField(
        child=serializers.ChoiceField(choices=list(need_words())),
        help_text="Why someone has to review it",
    )
    judged = serializers.CharField(help_text="Mark of the verdict; send it with the decision")


class EntrySerializer(Answer[Entry]):
    """Somebody who plays, with the submission that counts."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    team = serializers.CharField()
    status = serializers.ChoiceField(choices=Entry.Status.values)
    submission = SubmissionSerializer(allow_null=True)

    def make_submission(self, entry: Entry) -> Submission | None:
        """Return its list that counts, if the one who asks may see the verdict on it."""
        submission, call = entry.submission, self.context.get("call")
        if call is None or submission is None:
            return submission
        sight = selectors.sight_of(call.person, call.event, entry, submission, call.now)
        return submission if sight >= Sight.VERDICT else None


class ReceiptSerializer(SubmissionSerializer):
    """The receipt of a submission: with the salt its commitment can be made again."""

    entry = serializers.IntegerField(source="entry.number")
    salt = serializers.CharField()


class DecisionRequestSerializer(serializers.Serializer[Data]):
    """Decision about a list.

    `seen` is the number of the submission that you read, `judged` its mark then: with it the
    decision is refused if the list was checked again since.
    """

    what = serializers.ChoiceField(choices=[Decision.What.ACCEPTED, Decision.What.RETURNED])
    seen = serializers.IntegerField(min_value=1, max_value=1_000_000)
    judged = serializers.CharField(max_length=200, required=False, default="")
    to_player = serializers.CharField(max_length=4000, required=False, default="", allow_blank=True)
    for_staff = serializers.CharField(max_length=4000, required=False, default="", allow_blank=True)


class ShownListSerializer(serializers.Serializer[Data]):
    """A list as far as you may see it: with its document and salt only if that is all of it."""

    number = serializers.IntegerField(help_text="Number of the entry")
    name = serializers.CharField()
    team = serializers.CharField()
    books = Texts()
    legal = serializers.BooleanField(help_text="Legal by the rules of the event")
    legal_in_game = serializers.BooleanField()
    state = serializers.CharField(help_text="entered, returned or accepted")
    late = serializers.BooleanField()
    extra_points = serializers.IntegerField(help_text="Sum of penalties and bonuses")
    points = serializers.IntegerField()
    limit = serializers.IntegerField()
    submission = serializers.IntegerField()
    received = serializers.DateTimeField()
    commitment = serializers.CharField()
    text = serializers.CharField()
    salt = serializers.CharField(required=False)
    document = DocumentField(required=False)


class _Call(NamedTuple):
    """A call about an event: who asks, and when it came."""

    event: Event
    staff: Staff | None
    entries: list[Entry]
    person: Person
    now: datetime


class _EventView(OwnView):
    """For who has the address of an event; a draft is there for its staff alone."""

    def call(self, event_id: UUID) -> _Call:
        """Return the caller's view of the event. Raises Http404 if they can't see it."""
        now, event = timezone.now(), selectors.find_event(event_id)
        staff = selectors.staff_of(event, self.holder)
        entries = selectors.entries_held(event, self.holder)
        if staff is None and event.state(now) is EventState.DRAFT:
            raise Http404(_("There is no such event."))
        return _Call(event, staff, entries, selectors.person_to(event, staff, entries), now)


class Events(Paged, OwnView):
    @operation("Events", "events", EventHeadSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return the events that you help with or play in, page by page."""
        return self.page(selectors.events_of(self.holder), EventHeadSerializer, now=timezone.now())


class EventDetail(_EventView):
    @operation("Events", "event", EventDetailSerializer)
    def get(self, request: Request, event_id: UUID) -> Response:
        """Return an event: its times, your part in it, and the file of its pack."""
        call = self.call(event_id)
        context = {
            "now": call.now,
            "role": call.person.role,
            "entries": call.entries,
            "pack": selectors.newest_pack(call.event),
        }
        return Response(answer_of(EventDetailSerializer, call.event, **context))


class EventEntry(TakesObject, _EventView):
    @operation("Events", "enter", EntrySerializer, request=EntryRequestSerializer)
    def post(self, request: Request, event_id: UUID) -> Response:
        """Enter an event; who has entered already gets their entry."""
        call = self.call(event_id)
        fields = read_fields(EntryRequestSerializer, body_of(request.data))
        entry = next(iter(call.entries), None)
        if entry is None or entry.status == Entry.Status.WITHDRAWN:
            about = (fields["name"], fields["email"], fields["team"])
            agrees = fields["captain_sees"]
            entry = entering.enter(
                event_id, self.holder, *about, call.now, shipped_library(), agrees=agrees
            )
        return Response(answer_of(EntrySerializer, entry))


class EventSubmissions(TakesDocument, _EventView):
    @operation("Events", "submit", {201: ReceiptSerializer}, parameters=[OF_ENTRY])
    def post(self, request: Request, event_id: UUID) -> Response:
        """Submit a list document for your entry: a numbered copy, in effect from now on.

        If the event takes several lists of a player, say for which of your entries.
        """
        call = self.call(event_id)
        wanted = request.query_params.get("entry", "")
        numbers = [each.number for each in call.entries if wanted in ("", str(each.number))]
        if not numbers:
            raise Refusal(_("You are not registered for this event."))
        document, library = document_of(request.data), shipped_library()
        submission = entering.submit(event_id, numbers[0], document, "api", library, call.now)
        return Response(answer_of(ReceiptSerializer, submission), status=status.HTTP_201_CREATED)


class EventEntries(Paged, _EventView):
    @operation("Events", "entries", EntrySerializer(many=True))
    def get(self, request: Request, event_id: UUID) -> Response:
        """Return, for the staff, all entries with the verdicts on their lists, page by page."""
        call = self.call(event_id)
        if call.person.role is None:
            raise Http404(_("There is no such event."))
        return self.page(selectors.entries_of(call.event), EntrySerializer, call=call)


class EventDecisions(TakesObject, _EventView):
    @operation("Events", "decide", EntrySerializer, request=DecisionRequestSerializer)
    def post(self, request: Request, event_id: UUID, number: int) -> Response:
        """Accept the list that counts, or return it with reasons. For the staff."""
        call = self.call(event_id)
        if call.staff is None or not call.person.decides:
            raise Http404(_("There is no such event."))
        fields = read_fields(DecisionRequestSerializer, body_of(request.data))
        selectors.find_entry(call.event, number)
        what = Decision.What(fields["what"])
        words = fields["to_player"], fields["for_staff"], fields["judged"]
        deciding.decide(event_id, number, fields["seen"], what, call.staff, call.now, *words)
        return Response(answer_of(EntrySerializer, selectors.find_entry(call.event, number)))


class EventLists(_EventView):
    @operation("Events", "event_lists", ShownListSerializer(many=True))
    def get(self, request: Request, event_id: UUID) -> Response:
        """Return the lists that you may see now, each as far as you may."""
        call = self.call(event_id)
        shown = exporting.listed(call.person, call.event, call.now)
        return Response(exporting.as_data(call.event, shown)["entries"])
