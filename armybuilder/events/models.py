"""Tables of events."""

import base64
import secrets
import uuid
from datetime import datetime, timedelta

from django.db import models

from armybuilder.events.rules import Audience, EventState, EventTimes, Rules, Standing, state_at
from armybuilder.games.models import Game
from armybuilder.lists.models import ArmyList, ArmyListField, ListDocument, content_of
from armybuilder.tables import NamedTable
from armybuilder.tournament.standings import ScoringKind, TieBreak


def new_salt() -> str:
    """Return the salt of a commitment: 256 random bits as hexadecimal digits."""
    return secrets.token_hex(32)


def new_secret() -> str:
    """Return the secret of an address: 256 random bits, six to a letter."""
    return secrets.token_urlsafe(32)


def usual_tie_breaks() -> list[str]:
    """Return the tie-breaks of an event that names none: opponents' points, then difference."""
    return [TieBreak.OPPONENTS.value, TieBreak.DIFFERENCE.value]


class Event(NamedTable):
    """Event. All times are UTC; `zone` is that of its place, by its IANA name.

    `sequence` counts the lines of its log, and `log_hash` is the hash of the last. Of a `game` from
    files, `system` names that, too; these are kept as long as the event.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=120)
    about = models.TextField(blank=True)
    place = models.CharField(max_length=200, blank=True)
    zone = models.CharField(max_length=64, default="UTC")
    system = models.CharField(max_length=80)
    game = models.ForeignKey(Game, on_delete=models.SET_NULL, null=True, related_name="events")
    standing = models.CharField(max_length=10, default=Standing.DRAFT.value)
    frozen_at = models.DateTimeField()
    due_at = models.DateTimeField()
    corrected_at = models.DateTimeField()
    revealed_at = models.DateTimeField()
    over_at = models.DateTimeField()
    grace_seconds = models.PositiveIntegerField(default=0)
    late_allowed = models.BooleanField(default=False)
    capacity = models.PositiveIntegerField(default=0)
    audience = models.CharField(max_length=10, default=Audience.ENTRANTS.value)
    shows_all = models.BooleanField(default=False)
    sealed = models.BooleanField(default=False)
    staff_plays = models.BooleanField(default=False)
    # Points by reason: penalties, bonuses.
    ladder = models.JSONField(default=dict, blank=True)
    # When play begins, and whether everybody finds the event in the list of events.
    starts_at = models.DateTimeField(null=True, blank=True)
    listed = models.BooleanField(default=False)
    # Until when the staff have a mail of what happened.
    digest_at = models.DateTimeField(null=True, blank=True)
    entry_count = models.PositiveIntegerField(default=0)
    sequence = models.PositiveIntegerField(default=0)
    log_hash = models.CharField(max_length=64, blank=True, default="")
    size = models.BigIntegerField(default=0)
    books_at = models.DateTimeField(null=True, blank=True)
    # What all rounds of a league have in common.
    league = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    created = models.DateTimeField(auto_now_add=True)

    @property
    def times(self) -> EventTimes:
        return EventTimes(
            self.frozen_at,
            self.due_at,
            self.corrected_at,
            self.revealed_at,
            self.over_at,
            timedelta(seconds=self.grace_seconds),
        )

    @property
    def rules(self) -> Rules:
        audience = Audience(self.audience)
        return Rules(audience, self.shows_all, self.sealed, self.staff_plays)

    def state(self, now: datetime) -> EventState:
        """Return its state at a time."""
        return state_at(self.times, Standing(self.standing), now)

    def takes_entries(self, now: datetime) -> bool:
        """Return whether registration is open: never once lists are published."""
        state = self.state(now)
        return state is EventState.OPEN or (state is EventState.CORRECTING and self.late_allowed)


class EventPack(NamedTable):
    """Pack as an event has used it from a time on, never changed; the newest is in effect."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="packs")
    pack_id = models.CharField(max_length=80)
    revision = models.CharField(max_length=16)
    data = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    since = models.DateTimeField(auto_now_add=True)


class EventBook(NamedTable):
    """Book of the game as an event judges by it since its rules were final."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="books")
    book_id = models.CharField(max_length=80)
    revision = models.CharField(max_length=16)

    class Meta:
        indexes = [models.Index(fields=["book_id", "revision"], name="event_books")]


class Webhook(NamedTable):
    """Address that is called of an event; `secret` signs, `said` is the last answer.

    `failures` counts the calls in a row that were not taken.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="webhook")
    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=43, default=new_secret, editable=False)
    said = models.CharField(max_length=200, blank=True)
    called = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)

    @property
    def key(self) -> bytes:
        return base64.urlsafe_b64decode(f"{self.secret}=")


class Staff(NamedTable):
    """Helper, or invitation without a `holder`; `conflicts`: teams whose lists they don't see."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="staff")
    holder = models.CharField(max_length=64, blank=True, db_index=True)
    role = models.CharField(max_length=10)
    name = models.CharField(max_length=80)
    conflicts = models.JSONField(default=list, blank=True)
    secret = models.CharField(max_length=43, default=new_secret, unique=True, editable=False)


class Entry(NamedTable):
    """Somebody who plays, by a running `number`.

    `secret` is part of the link by which they return in another browser. Of a `forgotten` player
    the number and the verdicts stay. The `captain` of a team submits for it; a player whom the
    captain added has no holder until they open their link.

    The desk ticks who has `paid`, is `checked_in` and whose army is `painted`; `army` is its note
    of an army before there was a list. Mails are `unreached` since the first that the mail server
    refused.

    If a player submits several lists, each has an entry of its own: `main` is that of the first,
    which players are counted, paired and named by; `part` counts them, from 1.
    """

    class Status(models.TextChoices):
        ENTERED = "entered"
        RETURNED = "returned"
        ACCEPTED = "accepted"
        WITHDRAWN = "withdrawn"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    holder = models.CharField(max_length=64, blank=True, db_index=True)
    name = models.CharField(max_length=80, blank=True)
    email = models.EmailField(blank=True)
    team = models.CharField(max_length=80, blank=True)
    captain = models.BooleanField(default=False)
    # In the team, by its key in the event pack.
    role = models.CharField(max_length=80, blank=True, default="")
    main = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="further")
    part = models.PositiveSmallIntegerField(default=1)
    status = models.CharField(max_length=10, choices=Status, default=Status.ENTERED)
    submission = models.ForeignKey(
        "events.Submission", on_delete=models.SET_NULL, null=True, related_name="+"
    )
    extended_to = models.DateTimeField(null=True, blank=True)
    secret = models.CharField(max_length=43, default=new_secret, unique=True, editable=False)
    language = models.CharField(max_length=12, default="en")
    entered = models.DateTimeField(auto_now_add=True)
    forgotten = models.DateTimeField(null=True, blank=True)
    paid = models.BooleanField(default=False)
    checked_in = models.BooleanField(default=False)
    painted = models.BooleanField(default=False)
    army = models.CharField(max_length=80, blank=True)
    unreached = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_number_per_entry")
        ]


class Waiting(NamedTable):
    """Somebody who waits for a place at a full event, in the order of their keys."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="waiting")
    holder = models.CharField(max_length=64, db_index=True)
    name = models.CharField(max_length=80)
    email = models.EmailField(blank=True)
    team = models.CharField(max_length=80, blank=True)
    language = models.CharField(max_length=12, default="en")
    since = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "holder"], name="waits_once")]


class EventList(NamedTable):
    """List that is built for an event: for which `part` of what its player submits, from 1."""

    army_list = models.OneToOneField(ArmyList, on_delete=models.CASCADE, related_name="+")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="lists")
    part = models.PositiveSmallIntegerField(default=1)


class Submission(NamedTable):
    """A submitted list, by the running `number` of its entry; never changed.

    It is deleted with a forgotten player; the verdicts are those by the last `pack` in effect while
    it was the current list. `commitment` is the SHA-256 of a prefix, the `salt` and the canonical
    document: it is published before the list, and can't be guessed. `list_hash` is that of the
    document alone, as printed on sheets and certificates for people who may see the list;
    `paper_hash` that of the list as received, which may lack revisions of its books: the player's
    own sheets have it. The reports are both verdicts as `reports.report_then` makes them; the
    event's also has the number of errors by its own rules (`refusals`) and the `language` of its
    sentences. `needs` has the codes of the points to review.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="submissions")
    number = models.PositiveIntegerField()
    document = ArmyListField()
    salt = models.CharField(max_length=64, default=new_salt, editable=False)
    commitment = models.CharField(max_length=64, unique=True)
    list_hash = models.CharField(max_length=64)
    paper_hash = models.CharField(max_length=64, blank=True, default="")
    source = models.CharField(max_length=10)
    received = models.DateTimeField()
    late = models.BooleanField(default=False)
    engine = models.CharField(max_length=20)
    pack = models.ForeignKey(EventPack, on_delete=models.RESTRICT, related_name="+")
    revisions = models.JSONField(default=dict)
    game_report = models.JSONField()
    event_report = models.JSONField()
    legal = models.BooleanField()
    needs = models.JSONField(default=list)
    unsealed = models.BooleanField(default=False)
    size = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "number"], name="one_number_per_submission")
        ]

    @property
    def content(self) -> ListDocument | None:
        """The list, of either kind; None if its player was forgotten."""
        content: ListDocument | None = content_of(self)
        return content

    @property
    def judged(self) -> str:
        """Mark of the verdict: another if a pack or books since have changed it."""
        return ".".join([str(self.pack_id), "legal" if self.legal else "wrong", *self.needs])


class SubmissionBook(NamedTable):
    """Book that a submission draws from: its content stays as long as the submission."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="books")
    book_id = models.CharField(max_length=80)
    revision = models.CharField(max_length=16)

    class Meta:
        indexes = [models.Index(fields=["book_id", "revision"], name="submitted_books")]


class Decision(NamedTable):
    """Decision of a staff member about a submission."""

    class What(models.TextChoices):
        ACCEPTED = "accepted"
        RETURNED = "returned"
        UNSEALED = "unsealed"
        WIDENED = "widened"

    #: Those about who sees the list, not about its contents.
    OF_SIGHT = (What.UNSEALED, What.WIDENED)

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="decisions")
    what = models.CharField(max_length=10, choices=What)
    by = models.CharField(max_length=80)
    at = models.DateTimeField(auto_now_add=True)
    to_player = models.TextField(blank=True)
    for_staff = models.TextField(blank=True)
    # Restrictions that the decider checked because the program can't: [restriction, citation].
    checked = models.JSONField(default=list, blank=True)


class BookCheck(NamedTable):
    """Restriction that somebody has checked for all lists of these books, by its `mark`."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    books = models.CharField(max_length=400)
    mark = models.CharField(max_length=16)
    by = models.CharField(max_length=80)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "books", "mark"], name="one_check_per_book")
        ]


class TournamentFormat(NamedTable):
    """Format of an event's games: how they score, what parts ties, who is kept apart.

    `tie_breaks` are codes in their order; games within a club are avoided in the first
    `clubs_apart` rounds; in an event `by_teams` teams play teams.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="format")
    by_teams = models.BooleanField(default=False)
    clubs_apart = models.PositiveSmallIntegerField(default=1)
    scoring = models.CharField(max_length=10, default=ScoringKind.WINS.value)
    win = models.PositiveSmallIntegerField(default=3)
    draw = models.PositiveSmallIntegerField(default=1)
    loss = models.PositiveSmallIntegerField(default=0)
    bye = models.PositiveSmallIntegerField(default=3)
    total = models.PositiveSmallIntegerField(default=0)
    tie_breaks = models.JSONField(default=usual_tie_breaks, blank=True)


class Round(NamedTable):
    """A planned round: its beginning and scenario."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField(null=True, blank=True)
    scenario = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number")
        ]


class Pairing(NamedTable):
    """Two entries that play each other in a round; without a `second` it is a bye.

    Until it is `shown` only organisers see it. The scores are the final ones.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="pairings")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField(default=0)
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, related_name="+")
    shown = models.BooleanField(default=True)
    first_score = models.PositiveIntegerField(null=True, blank=True)
    second_score = models.PositiveIntegerField(null=True, blank=True)


class Report(NamedTable):
    """Result of a game as one of its players reports it; `by` is their entry."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    first_score = models.PositiveIntegerField()
    second_score = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pairing", "by"], name="one_report_per_player")
        ]


class LedgerLine(NamedTable):
    """Points given to an entry besides its games, unless `undone`; `key` makes them unique."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="ledger")
    key = models.UUIDField(unique=True)
    reason = models.CharField(max_length=80)
    points = models.IntegerField()
    by = models.CharField(max_length=80)
    at = models.DateTimeField()
    undone = models.DateTimeField(null=True, blank=True)


class LogLine(NamedTable):
    """Line of the log; its hash and that of the one before bind it. It names entries by number."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="log")
    sequence = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=20)
    act = models.CharField(max_length=20)
    entry = models.PositiveIntegerField(null=True, blank=True)
    data = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "sequence"], name="one_line_per_sequence")
        ]
