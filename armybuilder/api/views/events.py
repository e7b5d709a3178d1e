"""Events by the API: read one, enter, submit a list, read lists and entries, decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import examples
from armybuilder.api.describing import OF_ENTRY, operation
from armybuilder.api.event_data import (
    DecisionRequestSerializer,
    EntryRequestSerializer,
    EntrySerializer,
    EventDetailSerializer,
    EventHeadSerializer,
    ReceiptSerializer,
    ShownListSerializer,
    detail_data,
    event_data,
    member_data,
    submission_data,
)
from armybuilder.api.parsing import DocumentParser, ObjectParser, body_of, document_of
from armybuilder.api.views.base import OwnView, Paged
from armybuilder.events import deciding, entering, exporting, notifications
from armybuilder.events.clock import State
from armybuilder.events.models import Decision, Entry, Event, Staff
from armybuilder.events.selectors import (
    entries_held,
    entries_of,
    events_of,
    find_entry,
    find_event,
    newest_pack,
    person_to,
    sight_of,
    staff_of,
)
from armybuilder.events.submitting import submit
from armybuilder.events.visibility import Person, Sight
from armybuilder.events.visible_lists import shown_lists
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


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
        """Return who asks. Raises Http404 where there is no such event for them."""
        now, event = timezone.now(), find_event(event_id)
        staff, entries = staff_of(event, self.holder), entries_held(event, self.holder)
        if staff is None and event.state(now) is State.DRAFT:
            raise Http404(_("There is no such event."))
        return _Call(event, staff, entries, person_to(event, staff, entries), now)

    def address(self, event: Event) -> str:
        """Return the address of the event's page, for mails."""
        return self.request.build_absolute_uri(reverse("event", args=[event.pk]))


class Events(Paged, OwnView):
    @operation("Events", "events", EventHeadSerializer(many=True), examples.EVENTS)
    def get(self, request: Request) -> Response:
        """The events that you help with or play in, page by page."""
        now = timezone.now()

        def told(event: Event) -> Any:
            return event_data(event, event.state(now))

        return self.page(events_of(self.holder), told, request)


class EventDetail(_EventView):
    @operation("Events", "event", EventDetailSerializer, examples.EVENT)
    def get(self, request: Request, event_id: UUID) -> Response:
        """An event: its times, your part in it, and the file of its pack."""
        call = self.call(event_id)
        state, pack = call.event.state(call.now), newest_pack(call.event)
        return Response(detail_data(call.event, state, pack, call.person.role, call.entries))


class EventEntry(_EventView):
    parser_classes = [ObjectParser]

    @operation(
        "Events",
        "enter",
        EntrySerializer,
        examples.ENTER,
        examples.ENTERED,
        request=EntryRequestSerializer,
    )
    def post(self, request: Request, event_id: UUID) -> Response:
        """Enter an event; who has entered already gets their entry."""
        call = self.call(event_id)
        asked = EntryRequestSerializer(data=body_of(request.data))
        asked.is_valid(raise_exception=True)
        said, mine = asked.validated_data, next(iter(call.entries), None)
        if mine is None or mine.status == Entry.Status.WITHDRAWN:
            told = (said["name"], said["email"], said["team"])
            mine = entering.enter(event_id, self.holder, *told, call.now, shipped_library())
        return Response(member_data(mine, with_submission=True))


class EventSubmissions(_EventView):
    parser_classes = [DocumentParser]

    @operation(
        "Events",
        "submit",
        {201: ReceiptSerializer},
        examples.TEN_MEN,
        examples.RECEIPT,
        parameters=[OF_ENTRY],
    )
    def post(self, request: Request, event_id: UUID) -> Response:
        """Submit a list document for your entry, or for another of yours where the event takes
        several lists of a player: a numbered copy, which counts from now on.
        """
        call = self.call(event_id)
        number = request.query_params.get("entry", "")
        mine = [one.number for one in call.entries if number in ("", str(one.number))]
        if not mine:
            raise Refusal(_("You have not entered this event."))
        library = shipped_library()
        document = document_of(request.data)
        made = submit(event_id, mine[0], document, "api", library, call.now)
        notifications.submitted(made, self.address(call.event))
        data = {**submission_data(made), "entry": mine[0], "salt": made.salt}
        return Response(data, status=status.HTTP_201_CREATED)


class EventEntries(Paged, _EventView):
    @operation("Events", "entries", EntrySerializer(many=True), examples.ENTRIES_OF_EVENT)
    def get(self, request: Request, event_id: UUID) -> Response:
        """For the staff: all entries with the verdicts on their lists, page by page."""
        call = self.call(event_id)
        if call.person.role is None:
            raise Http404(_("There is no such event."))

        def told(entry: Entry) -> Any:
            kept, sight = entry.submission, Sight.NOTHING
            if kept is not None:
                sight = sight_of(call.person, call.event, entry, kept, call.now)
            return member_data(entry, sight >= Sight.VERDICT)

        return self.page(entries_of(call.event), told, request)


class EventDecisions(_EventView):
    parser_classes = [ObjectParser]

    @operation(
        "Events",
        "decide",
        EntrySerializer,
        examples.DECISION,
        examples.DECIDED,
        request=DecisionRequestSerializer,
    )
    def post(self, request: Request, event_id: UUID, number: int) -> Response:
        """For the staff: accept the list that counts, or return it with reasons."""
        call = self.call(event_id)
        if call.staff is None or not call.person.decides:
            raise Http404(_("There is no such event."))
        asked = DecisionRequestSerializer(data=body_of(request.data))
        asked.is_valid(raise_exception=True)
        said, entry = asked.validated_data, find_entry(call.event, number)
        what = Decision.What(said["what"])
        words = said["to_player"], said["for_staff"], said["judged"]
        made = deciding.decide(event_id, number, said["seen"], what, call.staff, call.now, *words)
        notifications.decided(made, entry, self.address(call.event))
        return Response(member_data(find_entry(call.event, number), with_submission=True))


class EventLists(_EventView):
    @operation("Events", "event_lists", ShownListSerializer(many=True), examples.SHOWN_LISTS)
    def get(self, request: Request, event_id: UUID) -> Response:
        """The lists that you may see now, each as far as you may."""
        call = self.call(event_id)
        shown = shown_lists(call.person, call.event, call.now, shipped_library())
        return Response(exporting.as_data(call.event, shown)["entries"])
