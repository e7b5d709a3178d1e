"""Events, their entries, submissions and decisions, as the API asks, describes and tells them."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework import serializers

from armybuilder.api.serializers import Data, DocumentField
from armybuilder.events.clock import State
from armybuilder.events.judging import need_words
from armybuilder.events.models import Decision, Entry, Event, EventPack, Submission
from armybuilder.events.visibility import Role

_STATES = [one.value for one in State]


class EventHeadSerializer(serializers.Serializer[Data]):
    """An event, by its own times."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    system = serializers.CharField()
    zone = serializers.CharField(help_text="The time zone of its place, by its IANA name")
    state = serializers.ChoiceField(choices=_STATES)
    lists_due = serializers.DateTimeField()
    lists_shown = serializers.DateTimeField()


class EventDetailSerializer(EventHeadSerializer):
    """The same with what it says, your part in it, and the pack that counts."""

    about = serializers.CharField(allow_blank=True)
    place = serializers.CharField(allow_blank=True)
    rules_final = serializers.DateTimeField()
    corrections_due = serializers.DateTimeField()
    ends = serializers.DateTimeField()
    role = serializers.ChoiceField(choices=[one.value for one in Role], allow_null=True)
    entry = serializers.IntegerField(allow_null=True, help_text="The number of your entry")
    entries = serializers.ListField(
        child=serializers.IntegerField(), help_text="One for each list that you hand in"
    )
    pack = serializers.DictField(help_text="The file of the event pack that counts")
    pack_revision = serializers.CharField()


class EntryRequestSerializer(serializers.Serializer[Data]):
    """Who enters."""

    name = serializers.CharField(max_length=80)
    team = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    email = serializers.EmailField(required=False, default="", allow_blank=True)


class SubmissionSerializer(serializers.Serializer[Data]):
    """A submitted list without the list itself."""

    number = serializers.IntegerField()
    received = serializers.DateTimeField()
    late = serializers.BooleanField()
    legal = serializers.BooleanField(help_text="At the event")
    points = serializers.IntegerField()
    limit = serializers.IntegerField()
    commitment = serializers.CharField(help_text="SHA-256 with a salt, as in docs/events.md")
    needs = serializers.ListField(
        child=serializers.ChoiceField(choices=list(need_words())),
        help_text="Why a human has to look at it",
    )
    judged = serializers.CharField(help_text="A mark of the verdict, to decide by")


class EntrySerializer(serializers.Serializer[Data]):
    """Somebody who plays, with the submission that counts."""

    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    team = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=Entry.Status.values)
    submission = SubmissionSerializer(allow_null=True)


class ReceiptSerializer(SubmissionSerializer):
    """The receipt of a submission: with the salt its commitment can be made again."""

    entry = serializers.IntegerField()
    salt = serializers.CharField()


class DecisionRequestSerializer(serializers.Serializer[Data]):
    """What is decided about a list; `seen` is the number of the submission that was looked at,
    `judged` its mark then: with it the decision is refused where the list was judged again since.
    """

    what = serializers.ChoiceField(choices=[Decision.What.ACCEPTED, Decision.What.RETURNED])
    seen = serializers.IntegerField(min_value=1, max_value=1_000_000)
    judged = serializers.CharField(max_length=200, required=False, default="")
    to_player = serializers.CharField(max_length=4000, required=False, default="", allow_blank=True)
    for_staff = serializers.CharField(max_length=4000, required=False, default="", allow_blank=True)


class ShownListSerializer(serializers.Serializer[Data]):
    """A list as far as you may see it: with its document and salt only where that is all of it."""

    number = serializers.IntegerField(help_text="Of the entry")
    name = serializers.CharField()
    team = serializers.CharField(allow_blank=True)
    books = serializers.ListField(child=serializers.CharField())
    legal = serializers.BooleanField(help_text="By the event")
    legal_in_game = serializers.BooleanField()
    state = serializers.CharField(help_text="entered, returned or accepted")
    late = serializers.BooleanField()
    extra_points = serializers.IntegerField(help_text="Penalties and bonuses, summed up")
    points = serializers.IntegerField()
    limit = serializers.IntegerField()
    submission = serializers.IntegerField()
    received = serializers.DateTimeField()
    commitment = serializers.CharField()
    text = serializers.CharField()
    salt = serializers.CharField(required=False)
    document = DocumentField(required=False)


def event_data(event: Event, state: State) -> Data:
    """Return what is told of an event in a list of several."""
    return {
        "id": str(event.pk),
        "name": event.name,
        "system": event.system,
        "zone": event.zone,
        "state": state.value,
        "lists_due": event.due_at,
        "lists_shown": event.revealed_at,
    }


def detail_data(
    event: Event, state: State, pack: EventPack, role: Role | None, entries: Sequence[Entry]
) -> Data:
    """Return the same with all that it says."""
    return {
        **event_data(event, state),
        "about": event.about,
        "place": event.place,
        "rules_final": event.frozen_at,
        "corrections_due": event.corrected_at,
        "ends": event.over_at,
        "role": role.value if role is not None else None,
        "entry": entries[0].number if entries else None,
        "entries": [one.number for one in entries],
        "pack": pack.data,
        "pack_revision": pack.revision,
    }


def submission_data(submission: Submission) -> Data:
    """Return a submission without its list."""
    report = submission.game_report
    return {
        "number": submission.number,
        "received": submission.received,
        "late": submission.late,
        "legal": submission.legal,
        "points": report["spent"],
        "limit": report["limit"],
        "commitment": submission.commitment,
        "needs": submission.needs,
        "judged": submission.judged,
    }


def member_data(entry: Entry, with_submission: bool) -> Data:
    """Return an entry; `with_submission`: also what is known of its list that counts."""
    found = entry.submission if with_submission else None
    return {
        "number": entry.number,
        "name": entry.name,
        "team": entry.team,
        "status": entry.status,
        "submission": submission_data(found) if found is not None else None,
    }
