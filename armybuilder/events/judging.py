"""Verdicts on lists for an event: at submission, by another pack or books, and of teams.

Once the rules of an event are locked, lists are checked by the books of that moment, not by later
ones. They are taken with the first list that arrives afterwards, or by `manage.py tidy`, so nothing
has to run at that very moment; and taken again if the moment is postponed.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import keep_content, missing
from armybuilder.engine.citations import Severity
from armybuilder.engine.names import look_key
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Decision, Entry, Event, EventBook, EventPack, Submission
from armybuilder.events.news import CLOCK
from armybuilder.events.rules import Standing
from armybuilder.events.selectors import newest_pack, pack_of_entry, shown_entries
from armybuilder.events.unchecked import (
    OpenRule,
    books_of,
    checks_of,
    open_rules,
    restrictions_of,
    restrictions_told,
)
from armybuilder.exchange.batch import AnyReport, report_then
from armybuilder.lists.models import ListDocument
from armybuilder.lists.worked_out import check_pack_fits, work_out
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import canonical, catalogue_of, judge_at, judge_team
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, pack_for
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of

#: Prefix of a commitment: it names the hashed content.
COMMITMENT = b"armylist-commit/1"

Finding = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BothVerdicts:
    """Verdicts on a list by its game and by an event, as a submission keeps them."""

    game_report: Mapping[str, Any]
    event_report: Mapping[str, Any]
    legal: bool
    needs: tuple[str, ...]
    revisions: Mapping[str, str]

    @property
    def errors(self) -> list[Finding]:
        """Reasons why the list may not be played at the event."""
        return errors_of(self.event_report["findings"])


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return the errors among the findings that a report keeps."""
    return [finding for finding in findings if finding["severity"] == Severity.ERROR]


def verdicts_on(document: ListDocument, pack: Pack, library: Library) -> BothVerdicts:
    """Return both verdicts. Raises Refusal for a list of another game, or that cannot be judged."""
    game: AnyReport
    event: AnyReport
    if isinstance(document, ForceList):
        check_pack_fits(document, pack)
        if not isinstance(pack, FilePack):
            raise Refusal(_("This pack is for another game."))
        game, event = work_out(document).report, work_out(document, pack).report
        refusals = sum(one.of_event and one.is_error for one in event.findings)
        restrictions = restrictions_told(event.unchecked)
        revisions = {force.catalogue_name: force.revision for force in document.all_forces()}
    else:
        judged = judge_at(document, catalogue_of(document, library), pack)
        game, event = judged.report.game, judged.report.event
        refusals = sum(one.severity is Severity.ERROR for one in judged.report.refusals)
        restrictions = restrictions_of(event)
        revisions = {book.id: book.revision for book in judged.game.catalogue.books}
    more = {"refusals": refusals, "language": get_language() or "en"}
    kept = {**report_then(event), "restrictions": restrictions, **more}
    needs = tuple(_needs(document, event))
    return BothVerdicts(report_then(game), kept, event.legal, needs, revisions)


def _needs(document: ListDocument, event: AnyReport) -> Iterator[str]:
    if not event.legal:
        yield "errors"
    if event.unchecked:
        yield "unchecked"
    if isinstance(document, ForceList):
        return
    if any(is_own_id(book.id) for book in document.books):
        yield "own-book"
    if any(unit.profile is not None for unit in document.units):
        yield "own-model"


def need_words() -> dict[str, str]:
    """Return the reasons to review a list, as pages word them."""
    return {
        "errors": _("not legal at this event"),
        "unchecked": _("has restrictions that are not checked"),
        "own-book": _("uses a custom book"),
        "own-model": _("uses a custom model"),
        "late": _("came late"),
        "books": _("uses an outdated version of a book"),
    }


def commitment_of(document: ListDocument, salt: str) -> str:
    """Return the hash published before the list (64 hexadecimal digits, as `salt`)."""
    return hashlib.sha256(COMMITMENT + bytes.fromhex(salt) + canonical(document)).hexdigest()


class EventFindings(NamedTuple):
    """Findings as reports keep them, the unchecked rules, and the language of their sentences."""

    findings: Sequence[Finding]
    language: str
    unchecked: Sequence[OpenRule] = ()

    @property
    def errors(self) -> list[Finding]:
        """Those for which the list may not be played."""
        return errors_of(self.findings)


def findings_on(submission: Submission, library: Library) -> EventFindings:
    """Return the event's findings on a list, in the reader's language if possible."""
    report, reader = submission.event_report, get_language() or "en"
    event, books = submission.entry.event, books_of(submission)
    checks = checks_of(event) if report["unchecked"] else {}
    then = EventFindings(report["findings"], report["language"], open_rules(report, checks, books))
    is_empty = not then.findings and not then.unchecked
    if then.language == reader or is_empty or (document := submission.content) is None:
        return then
    pack = pack_of_entry(submission.entry, submission.pack)
    try:
        again = verdicts_on(document, pack, library).event_report
    except Refusal:
        return then
    # What of a finding is the same in all languages.
    facts = itemgetter("code", "severity", "state")
    if list(map(facts, again["findings"])) != list(map(facts, then.findings)):
        return then
    return EventFindings(again["findings"], reader, open_rules(again, checks, books))


class Error(NamedTuple):
    """Error that a list would have, with the place that its rule is cited by."""

    code: str
    citation: str
    said: str


@dataclass(frozen=True, slots=True)
class PackOutcome:
    """Verdict of a pack on an entry's current list, and whether that was legal before.

    `refused`: why it can't be checked. `worsens`: it stays legal, but needs more review.
    """

    entry: Entry
    submission: Submission
    was_legal: bool
    verdicts: BothVerdicts | None
    refused: str = ""
    worsens: bool = False

    @property
    def legal(self) -> bool:
        return self.verdicts is not None and self.verdicts.legal

    @property
    def falls(self) -> bool:
        """Return whether a legal list would become illegal."""
        return self.was_legal and not self.legal

    @property
    def rises(self) -> bool:
        """Return whether an illegal list would become legal."""
        return self.legal and not self.was_legal

    @property
    def differs(self) -> bool:
        """Return whether its player must be informed."""
        return self.falls or self.rises or self.worsens

    @property
    def is_looked_at_again(self) -> bool:
        """Return whether somebody accepted the list and would have to review it again."""
        accepted = self.entry.status == Entry.Status.ACCEPTED
        return accepted and (self.falls or self.worsens)

    @property
    def errors(self) -> list[Error]:
        """The errors that the list would have."""
        return _errors_in(self.verdicts.event_report) if self.verdicts else []


def _errors_in(report: Mapping[str, Any]) -> list[Error]:
    return [
        Error(finding["code"], finding["citation"], finding["sentence"])
        for finding in errors_of(report["findings"])
    ]


def try_pack(event: Event, pack: Pack, library: Library) -> Iterator[PackOutcome]:
    """Yield the outcome of the pack for each current list, by the numbers of entries."""
    for entry in checked(shown_entries(event).iterator(100)):
        if entry.submission is not None:
            yield outcome_of(entry, entry.submission, pack, library)


def outcome_of(entry: Entry, submission: Submission, pack: Pack, library: Library) -> PackOutcome:
    """Return the outcome of the pack for one list."""
    before = submission.legal
    try:
        playing = pack_for(pack, entry.part)
        verdicts = verdicts_on(_list_in(submission), playing, library)
        worsens = (not before or verdicts.legal) and _worsens(
            submission, verdicts, playing, library
        )
    except Refusal as refusal:
        return PackOutcome(entry, submission, before, None, refusal.sentence, not before)
    return PackOutcome(entry, submission, before, verdicts, worsens=worsens)


def _list_in(submission: Submission) -> ListDocument:
    if (document := submission.content) is None:
        raise Refusal(_("This list was removed."))
    return document


def _worsens(submission: Submission, verdicts: BothVerdicts, pack: Pack, library: Library) -> bool:
    """Return whether there is more about a list that a human has to look at than now."""
    before, after = submission.event_report, verdicts.event_report
    more_unchecked = len(after["unchecked"]) > len(before["unchecked"])
    if more_unchecked or not set(verdicts.needs) <= set(submission.needs):
        return True
    if verdicts.legal:
        return False
    # Errors are compared by their sentences, so both must be in one language.
    if after["language"] != before["language"]:
        with translation.override(before["language"]):
            after = verdicts_on(_list_in(submission), pack, library).event_report
    return bool(Counter(_errors_in(after)) - Counter(_errors_in(before)))


class Waiver(NamedTuple):
    """A rule that lists break: their number, and how many would be legal without it."""

    citation: str
    lists: int
    saved: int


def waivers(outcomes: Iterable[PackOutcome]) -> list[Waiver]:
    """Return the rules by which lists fall, those first that save most lists if waived."""
    lists: Counter[tuple[str, str]] = Counter()
    alone: Counter[tuple[str, str]] = Counter()
    for outcome in outcomes:
        if outcome.falls:
            broken = {(error.code, error.citation) for error in outcome.errors}
            lists.update(broken)
            if len(broken) == 1:
                alone.update(broken)
    rules = [Waiver(rule[1], number, alone[rule]) for rule, number in lists.items()]
    return sorted(rules, key=lambda rule: (-rule.saved, -rule.lists, rule.citation))


@dataclass(frozen=True, slots=True)
class TeamOutcome:
    """Verdict on the lists of a team together, with its findings as sentences."""

    name: str
    entries: tuple[Entry, ...]
    legal: bool
    findings: tuple[str, ...]
    missing: int


def judge_teams(
    event: Event, pack: Pack, library: Library, only: str = ""
) -> Iterator[TeamOutcome]:
    """Yield the verdict on each team, or on the team `only`, if the pack is for teams."""
    if "team" not in pack.data:
        return
    teams: dict[str, list[Entry]] = {}
    for entry in shown_entries(event).exclude(team=""):
        if not only or look_key(entry.team) == look_key(only):
            teams.setdefault(look_key(entry.team), []).append(entry)
    for _name, entries in sorted(checked(teams.items())):
        submitted = [(entry.submission, entry.part) for entry in entries if entry.submission]
        documents = [submission.document for submission, _part in submitted]
        judged = judge_team(documents, library, pack, [part for _submission, part in submitted])
        faults = tuple(_role_faults(pack, entries))
        findings = tuple(f"{one.sentence} ({one.citation})" for one in judged.findings)
        missing = max(0, judged.number - len(documents))
        legal = judged.legal and not faults
        yield TeamOutcome(entries[0].team, tuple(entries), legal, findings + faults, missing)


def _role_faults(pack: Pack, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the mistakes in the roles of a team's players: each has one, no two the same."""
    players: dict[str, list[str]] = {}
    for entry in entries:
        if entry.main_id is None:
            players.setdefault(entry.role, []).append(entry.name)
    for role, names in players.items() if pack.roles else ():
        if role not in pack.roles:
            sentence = _("No role in the team: {names} ({pack}).")
        elif len(names) > 1:
            sentence = _("Several players have the role “{role}”: {names} ({pack}).")
        else:
            continue
        role_name = _(pack.roles[role]) if role in pack.roles else ""
        yield sentence.format(role=role_name, names=", ".join(names), pack=pack.name)


def judge_again(outcome: PackOutcome, pack: EventPack) -> None:
    """Store the outcome of a new pack for a submission."""
    submission, verdicts = outcome.submission, outcome.verdicts
    submission.pack = pack
    submission.legal = outcome.legal
    if verdicts is not None:
        submission.event_report = dict(verdicts.event_report)
        of_itself = [need for need in submission.needs if need in ("late", "books")]
        submission.needs = [*verdicts.needs, *of_itself]
    elif "errors" not in submission.needs:  # it cannot be judged, so that a human has to
        submission.needs = ["errors", *submission.needs]
    submission.save(update_fields=["pack", "legal", "event_report", "needs"])
    if outcome.falls or outcome.worsens:
        accepted = Entry.objects.filter(pk=outcome.entry.pk, status=Entry.Status.ACCEPTED)
        accepted.update(status=Entry.Status.ENTERED)


def play_again(
    event: Event,
    entry: Entry,
    actor: str,
    now: datetime,
    library: Library,
    act: str = "entered",
    **data: Any,
) -> None:
    """Let an entry of a locked event, or its list, play again, checked by the rules now in effect.

    The log records it as `act`, with its data.
    """
    submission = entry.submission
    status = Entry.Status.ENTERED
    if submission is not None:
        decided = submission.decisions.exclude(what__in=Decision.OF_SIGHT).order_by("pk").last()
        if decided is not None and decided.what == Decision.What.RETURNED:
            status = Entry.Status.RETURNED
    entry.change(status=status)
    write_line(event, now, actor, act, entry.number, **data)
    pack = newest_pack(event)
    if submission is not None and submission.pack_id != pack.pk:
        outcome = outcome_of(entry, submission, pack_of(pack), library)
        judge_again(outcome, pack)
        changed = [(entry.number, outcome.legal)] if outcome.falls or outcome.rises else []
        write_line(event, now, actor, "rejudged", entry.number, lists=1, changed=changed)
    if _has_other_books(entry, _books_taken(event)):
        _mark_books(entry)


def is_due(event: Event, now: datetime) -> bool:
    """Return whether an event's books are to be taken."""
    return (
        event.books_at is None
        and event.standing == Standing.PUBLISHED
        and event.frozen_at <= now < event.revealed_at
    )


def take_books(event: Event, now: datetime, library: Library) -> Event:
    """Take the current books for an event if that is due, and return the event."""
    if not is_due(event, now):
        return event
    shipped = library.books.get(event.system, {})
    revisions = {book.id: book.revision for book in shipped.values()}
    for book_id, revision in missing(revisions).items():
        keep_content(book_id, revision, library.shipped_data(event.system, book_id))
    with locked(event.pk) as event:
        if not is_due(event, now):  # another request was faster
            return event
        EventBook.objects.bulk_create(
            EventBook(event=event, book_id=key, revision=revision)
            for key, revision in revisions.items()
        )
        event.change(books_at=now)
        earlier = [entry for entry in shown_entries(event) if _has_other_books(entry, revisions)]
        for entry in earlier:
            _mark_books(entry)
        write_line(event, now, CLOCK, "books", lists=[entry.number for entry in earlier])
        return event


def leave_books(event: Event, now: datetime) -> None:
    """Drop the books of a locked event if rules are final later now; the caller saves it."""
    if event.books_at is not None and event.frozen_at > now:
        event.books.all().delete()
        event.books_at = None
        write_line(event, now, CLOCK, "books-left")


def _books_taken(event: Event) -> dict[str, str]:
    return dict(event.books.values_list("book_id", "revision"))


def _has_other_books(entry: Entry, revisions: dict[str, str]) -> bool:
    used = entry.submission.revisions if entry.submission is not None else {}
    return any(revisions.get(book, revision) != revision for book, revision in used.items())


def _mark_books(entry: Entry) -> None:
    submission = entry.submission
    if submission is not None and "books" not in submission.needs:
        submission.change(needs=[*submission.needs, "books"])
    if entry.status == Entry.Status.ACCEPTED:
        entry.change(status=Entry.Status.ENTERED)


def by_event_books(document: ListDocument, event: Event) -> ListDocument:
    """Return the list with the books of the game as the event judges by them.

    Files never change: a list of them is by those that it names.
    """
    return with_revisions(document, {} if event.books_at is None else _books_taken(event))


def with_revisions(document: ListDocument, revisions: dict[str, str]) -> ListDocument:
    """Return the list with these revisions of its books; a list by files unchanged."""
    if isinstance(document, ForceList):
        return document
    books = (replace(one, revision=revisions.get(one.id, one.revision)) for one in document.books)
    return replace(document, books=tuple(books))


def take_due_books(now: datetime, library: Library) -> None:
    """Take the books of all events that are due."""
    due = Event.objects.filter(books_at=None, standing=Standing.PUBLISHED, frozen_at__lte=now)
    for event in due.filter(revealed_at__gt=now):
        take_books(event, now, library)
