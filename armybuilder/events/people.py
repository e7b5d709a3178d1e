"""People of an event: players whom the desk adds and ticks, and who waits for a place."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.engine.names import look_key
from armybuilder.events.entering import add_player
from armybuilder.events.log import locked
from armybuilder.events.models import Entry, Event, Waiting
from armybuilder.events.rules import EventState
from armybuilder.loading.problems import Refusal

#: Players whom the desk adds at once, and people who wait for a place.
MOST_ADDED, MOST_WAITING = 200, 500
#: The columns of players as a table, in their order where it has no head.
COLUMNS = ("name", "team", "email", "army")
_HEADS = {"player": "name", "club": "team", "mail": "email", "e-mail": "email", "book": "army"}
#: The desk's ticks for a player.
TICKS = ("paid", "checked_in", "painted")


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Player as a line says it; only the name is needed."""

    name: str
    team: str = ""
    email: str = ""
    army: str = ""


def read_players(text: str) -> list[NewPlayer]:
    """Return the players of lines such as "Nina, Mill, nina@mill.example, Ogre Khans".

    A first line may name the columns, in any order; commas, semicolons or tabs part them. Raises
    Refusal, with the line, for one that cannot be read.
    """
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    mark = max("\t;,", key=lambda one: lines[0].count(one)) if lines else ","
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark)]
    except csv.Error as error:  # a quotation mark that is never closed
        raise Refusal(_("We can’t read these players: a quotation mark is missing.")) from error
    columns: Sequence[str] = COLUMNS
    heads = [_HEADS.get(cell.lower(), cell.lower()) for cell in rows[0]] if rows else []
    if "name" in heads:
        columns, rows = heads, rows[1:]
    if not rows:
        raise Refusal(_("Write at least one player."))
    if len(rows) > MOST_ADDED:
        raise Refusal(_("Add at most {most} players at once.").format(most=MOST_ADDED))
    return [_player(row, columns) for row in rows]


def _player(row: Sequence[str], columns: Sequence[str]) -> NewPlayer:
    cells = {key: cell for key, cell in zip(columns, row, strict=False) if key in COLUMNS}
    line = ", ".join(filter(None, row))[:60]
    if len(row) > len(columns):
        sentence = _("“{line}”: use at most {number} columns: name, team, email, army.")
        raise Refusal(sentence.format(line=line, number=len(columns)))
    if not cells.get("name"):
        raise Refusal(_("“{line}”: the name is missing.").format(line=line))
    if email := cells.get("email"):
        try:
            validate_email(email)
        except ValidationError as error:
            sentence = _("“{line}”: “{email}” is not an email address.")
            raise Refusal(sentence.format(line=line, email=email[:60])) from error
    return NewPlayer(**cells)


def add_players(
    event_id: UUID, players: Iterable[NewPlayer], role: str, now: datetime
) -> list[Entry]:
    """Let the desk add players, also after registration has closed; all of them or none.

    Raises Refusal if a name is there already, or the event is full or over.
    """
    with locked(event_id) as event:
        if event.state(now) in (EventState.CANCELLED, EventState.OVER):
            raise Refusal(_("Nobody can be added to this event now."))
        names = event.entries.filter(main=None).exclude(status=Entry.Status.WITHDRAWN)
        known = {look_key(name): number for name, number in names.values_list("name", "number")}
        made = []
        for player in players:
            if (number := known.get(look_key(player.name))) is not None:
                sentence = _("{name} is registered already, as player {number}.")
                raise Refusal(sentence.format(name=player.name, number=number))
            about = {"email": player.email, "army": player.army[:80]}
            entry = add_player(event, player.name, player.team, role, now, **about)
            known[look_key(player.name)] = entry.number
            made.append(entry)
        return made


def tick(event_id: UUID, ticked: Mapping[int, Mapping[str, bool]]) -> None:
    """Store the ticks of the desk, by the numbers of players."""
    with locked(event_id) as event:
        for entry in event.entries.filter(number__in=ticked, main=None):
            if changed := {key: on for key, on in ticked[entry.number].items() if key in TICKS}:
                entry.change(**changed)


def wait(event_id: UUID, holder: str, name: str, email: str, team: str, now: datetime) -> Waiting:
    """Put a person at the end of the waiting list, once. Raises Refusal if it is full."""
    with locked(event_id) as event:
        if not event.takes_entries(now):
            raise Refusal(_("Registration is closed."))
        if event.waiting.count() >= MOST_WAITING:
            raise Refusal(_("The waiting list is full."))
        about = {"name": " ".join(name.split())[:80], "email": email.strip()[:254]}
        about |= {"team": " ".join(team.split())[:80], "language": get_language() or "en"}
        place, _made = Waiting.objects.get_or_create(
            event=event, holder=holder, defaults={**about, "since": now}
        )
        return place


def stop_waiting(event: Event, holder: str) -> None:
    Waiting.objects.filter(event=event, holder=holder).delete()


def place_of(event: Event, holder: str) -> int:
    """Return a person's place on the waiting list, from 1; 0 for others."""
    own = event.waiting.filter(holder=holder).first() if holder else None
    return event.waiting.filter(pk__lte=own.pk).count() if own else 0
