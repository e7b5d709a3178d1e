"""Tags of events: times as clocks at their place show them; log and decisions in words."""

from collections.abc import Mapping
from datetime import datetime

from django import template
from django.utils.translation import gettext as _

from armybuilder.engine.event_report import event_words
from armybuilder.events.models import Decision, Entry, Event, LogLine, Submission
from armybuilder.events.news import sentences
from armybuilder.events.rules import say_local
from armybuilder.html import EMPTY, Html
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.pages.templatetags.shown import reservation

register = template.Library()


@register.filter
def at_place(when: datetime, event: Event) -> str:
    """Return a moment as clocks at the event's place show it."""
    return say_local(when, event.zone)


@register.filter
def player_name(entry: Entry) -> str:
    """Return a player's name, or the entry's number once it is forgotten."""
    return entry.name or _("Player {number}").format(number=entry.number)


@register.filter
def army_of(armies: Mapping[int, str], entry: Entry) -> str:
    """Return the army of an entry among those that the reader may know."""
    return armies.get(entry.pk, "")


@register.filter
def size_for(entry: Entry, pack: Pack) -> int | None:
    """Return the points that this entry's list is to have, where each of a player's has its own."""
    return dict(enumerate(pack.list_sizes, 1)).get(entry.part)


@register.filter
def role_in(entry: Entry, pack: Pack) -> str:
    """Return the name of a player's role in the team, by the event pack; "" without one."""
    name = pack.roles.get(entry.role, "")
    return _(name) if name else ""


@register.filter
def event_verdict(submission: Submission) -> str:
    """Return the event's verdict on a submission in the reader's language."""
    report = submission.event_report
    return event_words(submission.legal, report["refusals"], len(report["unchecked"]))


@register.filter
def event_reservation(event: Event) -> Html:
    """Return the basis of verdicts at the event if its game's rulebook is missing."""
    system = shipped_library().systems.get(event.system)
    return EMPTY if system is None else reservation(system)


@register.filter
def decision_word(decision: Decision) -> str:
    return {
        Decision.What.ACCEPTED: _("Accepted"),
        Decision.What.RETURNED: _("Returned"),
        Decision.What.UNSEALED: _("Seal broken"),
        Decision.What.WIDENED: _("Visible to more people"),
    }[Decision.What(decision.what)]


@register.filter
def log_words(line: LogLine, event: Event) -> str:
    words = {
        "made": _("The event was created"),
        "published": _("The event was published"),
        "draft": _("The event was moved back to draft"),
        "cancelled": _("The event was cancelled"),
        "changed": " ".join([_("The event’s details were changed."), *sentences(line, event)]),
        "pack": _("The event pack is now {pack}, revision {revision}"),
        "rejudged": _("{lists} lists were rechecked"),
        "books": _("Books locked: lists are checked against these versions"),
        "books-left": _("Books unlocked: rules lock later"),
        "captain": _("Player {entry} is now captain of their team"),
        "paired": _("Round {round} was paired"),
        "planned": _("The plan of round {round} was changed"),
        "format": _("The format of the games was changed"),
        "result": _("Round {round}, table {table}: {first}–{second}"),
        "no-result": _("Round {round}, table {table}: the result was removed"),
        "invited": _("Somebody was invited to the staff"),
        "joined": _("Somebody joined the staff"),
        "dismissed": _("Somebody left the staff"),
        "reminded": _("Players without a list were reminded"),
        "revealed": _("The lists were published"),
        "reinstated": _("List {number} of player {entry} is current again"),
        "left": _("The owner has left: nobody runs the event any more"),
        "entered": _("Player {entry} registered"),
        "withdrawn": _("Player {entry} was withdrawn"),
        "extended": _("Player {entry} was given more time, until {until}"),
        "forgotten": _("Player {entry}: name and lists deleted"),
        "submitted": _("Player {entry} submitted list {number}"),
        "accepted": _("List {number} of player {entry} was accepted"),
        "returned": _("List {number} of player {entry} was returned"),
        "points": _("Player {entry} was given {points} points: {why}"),
        "taken-back": _("{points} points of player {entry} were taken back"),
        "unsealed": _("The seal of list {number} of player {entry} was broken"),
        "widened": _("List {number} of player {entry} is visible to more people"),
    }
    values = {"entry": line.entry, "number": "", "reason": "", "until": "", **line.data}
    if until := values["until"]:
        values["until"] = say_local(datetime.fromisoformat(until), event.zone)
    said = words.get(line.act, line.act).format_map(values)
    reason = line.data.get("reason", "")
    return _("{what}. Reason: {reason}").format(what=said, reason=reason) if reason else said
