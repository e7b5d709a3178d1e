"""Whatever anybody can do to an event or to its pack, drawn by chance, as pages and API take it.

Each act is by the name of its address; a test wants one for each address that takes posts. Who asks
is mostly somebody who may, with fields that make sense at the time: else nothing would happen.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from random import Random
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.core.files.uploadedfile import SimpleUploadedFile

from armybuilder.events import judging, leaving, reminding
from armybuilder.events.models import Decision, Webhook
from armybuilder.events.rules import Audience, StaffRole, Standing
from armybuilder.events.unchecked import open_rules
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.packs.models import OwnPack
from armybuilder.pages.events.organise import ChangeForm
from tests.events.builders import DAY, TIMES, legal_list, submitted
from tests.pages.events.people import raven_cup
from tests.pages.events.worlds import WORDS, World, holder

#: Two units of equal points that no rule here tells apart: one of them is in the list.
EITHER = ("profiles/goblin-warrior", "profiles/kobold-warrior")
#: Who is there at first: the holder of each, by role or team.
STAFF = {
    "organiser": StaffRole.ORGANISER, "playing": StaffRole.ORGANISER,
    "checker": StaffRole.CHECKER, "friend": StaffRole.CHECKER, "judge": StaffRole.JUDGE,
}  # fmt: skip
PLAYERS = {"Anne": "Mill", "Ben": "Mill", "Cleo": "", "playing": ""}
#: And who may come: players, helpers, and Anne in another browser.
NEW = ("new organiser", "new judge")
OTHERS = ("Dora", "Emil", *NEW, "phone")
ORGANISERS = ("owner", "owner", "organiser", "playing", "new organiser")
EVERYBODY = (*dict.fromkeys(chain(["owner"], STAFF, PLAYERS, OTHERS)), "nobody")
REASONS = ("", "So it is.", "Asked by all.")
#: Names of one team, as people write it: with other letters that look alike, too.
TEAMS = ("", "Mill", "mill", "M\u0456ll", "Hill")

Act = Callable[[World, Random], None]


def secret_list(world: World) -> ArmyList:
    """The list that is another in each world, of the same points and verdict."""
    word = WORDS[world.number][0]
    found = legal_list(f"{word} list")
    units = tuple(
        replace(
            one,
            ref=EITHER[world.number] if one.ref == EITHER[0] else one.ref,
            name=f"{word} {place}",
        )
        for place, one in enumerate(found.units)
    )
    return replace(found, units=units, notes=f"{word} notes {word * (1 + world.number)}")


def _some(chance: Random, usual: Sequence[str]) -> str:
    """Mostly one of those who usually do it."""
    return chance.choice(usual if chance.random() < 0.85 else EVERYBODY)


def _number(world: World, chance: Random) -> int:
    """Mostly Anne's entry."""
    return 1 if chance.random() < 0.4 else chance.randint(1, world.event.entry_count)


def _player(world: World, number: int) -> str:
    """Who holds an entry, by name."""
    names = {holder(name): name for name in EVERYBODY}
    return names.get(world.entry(number).holder, "nobody")


def _seen(world: World, number: int, chance: Random) -> int:
    """The number of the current list, or of another."""
    submission = world.entry(number).submission
    return submission.number if submission and chance.random() < 0.9 else chance.randint(0, 3)


def _words(world: World, number: int, chance: Random) -> str:
    """What staff write about a list: of Anne's what is in it."""
    if chance.random() < 0.15:
        return ""
    return WORDS[world.number][1] if number == 1 else chance.choice(("Two heroes.", "As ever."))


# Players.


def _enter(world: World, chance: Random) -> None:
    who = _some(chance, ("Dora", "Emil", *PLAYERS))
    fields = {
        "name": who,
        "team": chance.choice(TEAMS),
        "email": f"{who.replace(' ', '')}@a.example",
    }
    fields |= {name: "on" for name in ("captain", "agrees") if chance.random() < 0.5}
    if chance.random() < 0.2 and who != "nobody":
        told = {"name": who, "team": fields["team"], "captain_sees": "agrees" in fields}
        world.ask(who, f"{world.api}entry/", told)
    else:
        world.ask(who, f"{world.url}enter/", fields)


def _choose_role(world: World, chance: Random) -> None:
    number, role = _number(world, chance), chance.choice(("", "captain", "attacker", "king"))
    who = _some(chance, (_player(world, number), *PLAYERS))
    world.ask(who, f"{world.url}entries/{number}/role/", {"role": role})


def _enter_lists(world: World, chance: Random) -> None:
    world.ask(_some(chance, tuple(PLAYERS)), f"{world.url}enter/lists/", {})


def submit_first(world: World, chance: Random) -> None:
    """Anne has submitted a list before all others, mostly."""
    if chance.random() < 0.85:
        submitted(world.event, world.entry(1), secret_list(world))


def _withdraw(world: World, chance: Random) -> None:
    world.ask(_some(chance, tuple(PLAYERS)), f"{world.url}withdraw/", {})


def _come_back(world: World, chance: Random) -> None:
    secret = world.entry(_number(world, chance)).secret
    world.ask(_some(chance, ("phone", "Dora")), f"{world.url}mine/{secret}/", {})


def _submit(world: World, chance: Random) -> None:
    number = _number(world, chance)
    player = _player(world, number)
    who = player if chance.random() < 0.85 else chance.choice(EVERYBODY)
    secret = number == 1 and who == player != "nobody"
    document = secret_list(world) if secret else legal_list(f"List of {number}")
    if chance.random() < 0.3:  # not legal, in both worlds alike
        document = replace(document, limit=200)
    if chance.random() < 0.15:
        world.ask(who, f"{world.api}submissions/?entry={number}", document.to_dict())
        return
    file = SimpleUploadedFile("list.json", json.dumps(document.to_dict()).encode())
    go = "check" if chance.random() < 0.2 else "submit"
    world.ask(who, f"{world.url}submit/", {"file": file, "player": f"{number}", "go": go})


def _open_list(world: World, chance: Random) -> None:
    number = _number(world, chance)
    who = _some(chance, (_player(world, number), *PLAYERS))
    fields = {"print": "1"} if chance.random() < 0.3 else {}
    which = _seen(world, number, chance)
    if who != "nobody":
        world.ask(who, f"{world.url}entries/{number}/{which}/open/", fields)


def _reinstate(world: World, chance: Random) -> None:
    who, number, which = _some(chance, ORGANISERS), _number(world, chance), chance.randint(1, 2)
    fields = {"reason": chance.choice(REASONS)}
    world.ask(who, f"{world.url}entries/{number}/{which}/again/", fields)


def _bring(world: World, chance: Random) -> None:
    captains = world.event.entries.filter(captain=True).order_by("pk")
    names = [_player(world, entry.number) for entry in captains] or ["Anne", "Ben"]
    world.ask(_some(chance, names), f"{world.url}team/", {"name": "Brought"})


# Those who check, and judges.


def _decide(world: World, chance: Random) -> None:
    who, number = _some(chance, ("owner", *STAFF)), _number(world, chance)
    fields: dict[str, Any] = {
        "seen": _seen(world, number, chance),
        "what": chance.choice(("accepted", "accepted", "returned", "returned", "unsealed")),
        "to_player": _words(world, number, chance),
        "for_staff": _words(world, number, chance),
    }
    if chance.random() < 0.2 and who != "nobody" and fields["what"] not in Decision.OF_SIGHT:
        world.ask(who, f"{world.api}entries/{number}/decisions/", fields)
        return
    fields |= {"sure": "on"} if chance.random() < 0.7 else {}
    report = submission.event_report if (submission := world.entry(number).submission) else None
    marks = [mark for one in open_rules(report) for mark in one.marks] if report else []
    fields |= {"checked": marks, "for_book": "1"} if chance.random() < 0.5 else {}
    fields |= {"way": _words(world, number, chance)} if chance.random() < 0.2 else {}
    world.ask(who, f"{world.url}entries/{number}/decide/", fields)


def _accept_clean(world: World, chance: Random) -> None:
    numbers = range(1, world.event.entry_count + 1)
    clean = [f"{number}.{_seen(world, number, chance)}" for number in numbers]
    world.ask(
        _some(chance, ("owner", "checker", "friend")), f"{world.url}desk/clean/", {"clean": clean}
    )


def _points(world: World, chance: Random) -> None:
    key = f"{UUID(int=chance.randint(1, 3))}"  # so that some are taken back, or sent twice
    fields = {"reason": "Late", "key": key} | ({"back": "1"} if chance.random() < 0.3 else {})
    who, number = _some(chance, ("owner", *STAFF)), _number(world, chance)
    world.ask(who, f"{world.url}entries/{number}/points/", fields)


# Organisers.


def _edit(world: World, chance: Random) -> None:
    form = ChangeForm(None, world.event)
    fields = {name: form[name].value() for name in form.fields}
    changes: dict[str, Any] = {
        "audience": chance.choice(list(Audience)).value,
        **{
            name: chance.random() < 0.5
            for name in ("shows_all", "sealed", "staff_plays", "late_allowed")
        },
        "capacity": chance.choice((0, 4, 9)),
        "grace": chance.choice((0, 30)),
        "ladder": "Late: -3" if chance.random() < 0.8 else "Late: -5\nPainted: +1",
        "name": chance.choice(("Raven Cup", "Crow Cup")),
        "place": chance.choice(("The mill", "The barn")),
    }
    picked = chance.sample(sorted(changes), chance.randint(1, 3))
    fields |= {name: changes[name] for name in picked} | {"reason": chance.choice(REASONS)}
    if chance.random() < 0.15:
        name = chance.choice(("frozen", "due", "corrected", "revealed", "over"))
        moment = getattr(TIMES, name) + chance.choice((-DAY, -timedelta(hours=1), DAY))
        fields[name] = f"{moment.astimezone(ZoneInfo(world.event.zone)):%Y-%m-%dT%H:%M}"
    fields |= {"sure": "1"} if chance.random() < 0.7 else {}
    sent = {
        name: value for name, value in fields.items() if value is not None and value is not False
    }
    world.ask(_some(chance, ORGANISERS), f"{world.url}edit/", sent)


def _standing(world: World, chance: Random) -> None:
    usual = (Standing.PUBLISHED, Standing.PUBLISHED, Standing.CANCELLED, Standing.DRAFT)
    world.ask(
        _some(chance, ORGANISERS), f"{world.url}standing/", {"standing": chance.choice(usual).value}
    )


def _delete(world: World, chance: Random) -> None:
    world.ask(_some(chance, ("owner",)), f"{world.url}delete/", {})


def _staff(world: World, chance: Random) -> None:
    fields: dict[str, Any] = {"role": chance.choice(list(StaffRole)).value, "name": "Nora"}
    fields["conflicts"] = chance.choice(("", "Mill", "Hill, m\u0456ll"))
    if chance.random() < 0.4:
        fields = {"dismiss": chance.choice(list(world.event.staff.order_by("pk"))).pk}
    world.ask(_some(chance, ORGANISERS), f"{world.url}staff/", fields)


def _join(world: World, chance: Random) -> None:
    who, invited = _some(chance, NEW), list(world.event.staff.filter(holder="").order_by("pk"))
    if invited and who != "nobody":
        world.ask(who, f"{world.url}staff/{chance.choice(invited).secret}/", {})


def _pack(world: World, chance: Random) -> None:
    rule: dict[str, Any] = {"max": chance.choice((3, 5, 50, 99))}
    go = chance.choice(("try", "use"))
    if go == "try" and chance.random() < 0.4:  # which tells the two lists apart
        rule = {"count": "units", "of": {"unit": chance.choice(EITHER)}, "max": 0}
    fields = {"text": raven_cup(**rule), "go": go, "reason": chance.choice(REASONS)}
    if chance.random() < 0.4:
        own = list(OwnPack.objects.order_by("created", "pk").values_list("pk", flat=True))
        packs = [key for key, pack in shipped_library().packs.items() if pack.system == "sbh"]
        fields["chosen"] = f"{chance.choice([*packs, *own])}"
    world.ask(_some(chance, ORGANISERS), f"{world.url}pack/", fields)


def _webhook(world: World, chance: Random) -> None:
    there = Webhook.objects.filter(event=world.event_id).exists()
    go = chance.choice(("", "try", "remove") if there else ("",))
    fields = {"go": go, "url": chance.choice(("https://a.example/hook", "nothing"))}
    world.ask(_some(chance, ORGANISERS), f"{world.url}webhook/", fields)


def _pair(world: World, chance: Random) -> None:
    count = world.event.entry_count
    numbers = chance.sample(range(1, count + 1), min(count, chance.choice((2, 4))))
    pairs = "\n".join(f"{a} - {b}" for a, b in zip(numbers[::2], numbers[1::2], strict=False))
    world.ask(_some(chance, ORGANISERS), f"{world.url}pairings/", {"round": 1, "pairs": pairs})


def _plan(world: World, chance: Random) -> None:
    fields = {"go": "plan", "round": 1, "scenario": chance.choice(("The ford", ""))}
    world.ask(_some(chance, ORGANISERS), f"{world.url}pairings/", fields)


def _result(world: World, chance: Random) -> None:
    who, number = _some(chance, (*ORGANISERS, *PLAYERS)), chance.choice((1, 1, 2))
    fields = {"go": chance.choice(("report", "settle", "remove"))}
    fields |= {"first": chance.choice((7, 9)), "second": chance.choice((4, 9))}
    world.ask(who, f"{world.url}pairings/1/tables/{number}/", fields)


def _format(world: World, chance: Random) -> None:
    fields = {"clubs_apart": 1, "scoring": chance.choice(("wins", "points")), "total": 0}
    fields |= {"win": 3, "draw": 1, "loss": 0, "bye": 3, "first_break": "opponents"}
    world.ask(_some(chance, ORGANISERS), f"{world.url}format/", fields)


def _people(world: World, chance: Random) -> None:
    fields = chance.choice(({"go": "add", "players": "Walk-in"}, {"row": "1", "paid-1": "on"}))
    world.ask(_some(chance, ("owner", *STAFF)), f"{world.url}players/", fields)


def _stop_waiting(world: World, chance: Random) -> None:
    world.ask(_some(chance, OTHERS), f"{world.url}waiting/leave/", {})


def _extend(world: World, chance: Random) -> None:
    until = (world.now + chance.choice((DAY, 5 * DAY))).astimezone(ZoneInfo(world.event.zone))
    fields = {"until": f"{until:%Y-%m-%dT%H:%M}", "reason": chance.choice(("Ill.", ""))}
    who, number = _some(chance, ORGANISERS), _number(world, chance)
    world.ask(who, f"{world.url}entries/{number}/extend/", fields)


def _take_out(world: World, chance: Random) -> None:
    fields = {"back": "1"} if chance.random() < 0.5 else {}
    who, number = _some(chance, ORGANISERS), _number(world, chance)
    world.ask(who, f"{world.url}entries/{number}/withdraw/", fields)


def _name_captain(world: World, chance: Random) -> None:
    who, number = _some(chance, ORGANISERS), _number(world, chance)
    fields = {"reason": chance.choice(REASONS)}
    world.ask(who, f"{world.url}entries/{number}/captain/", fields)


# Packs of their own.


def _new_pack(world: World, chance: Random) -> None:
    fields = {"copy": "raven-cup"} if chance.random() < 0.7 else {"system": "sbh", "name": "A cup"}
    world.ask(_some(chance, ("owner", "organiser")), "/packs/new/", fields)


def _edit_pack(world: World, chance: Random) -> None:
    if own := _own_pack(chance):
        text = raven_cup(max=chance.choice((5, 50)), count="units")
        fields = {
            "seen": own.number,
            "text": text,
            "was": "",
            "go": chance.choice(("save", "possible")),
        }
        fields |= {"name": "Raven Cup", "own_models": "yes", "lists": chance.choice((1, 1, 2))}
        world.ask(_some(chance, ("owner", "organiser")), f"/packs/own/{own.pk}/edit/", fields)


def _delete_pack(world: World, chance: Random) -> None:
    if own := _own_pack(chance):
        world.ask(_some(chance, ("owner", "organiser")), f"/packs/own/{own.pk}/delete/", {})


def pack_page(chance: Random) -> str:
    """The address of a pack, as it is or was, as everybody may open it."""
    own = _own_pack(chance)
    if own is None or chance.random() < 0.3:
        return f"/packs/{chance.choice(('', 'raven-cup/', 'raven-cup/pack.json'))}"
    former = chance.randint(1, max(1, own.number))
    ends = ("", "edit/", f"{former}/", f"{former}/pack.json")
    return f"/packs/own/{own.pk}/{chance.choice(ends)}"


def _own_pack(chance: Random) -> OwnPack | None:
    packs = list(OwnPack.objects.order_by("created", "pk"))
    return chance.choice(packs) if packs else None


# What happens besides.


def _wait(world: World, chance: Random) -> None:
    world.now += chance.choice((timedelta(hours=1), DAY, DAY))


def _tidy(world: World, _chance: Random) -> None:
    judging.take_due_books(world.now, shipped_library())
    leaving.forget_addresses(world.now)
    reminding.send_due(world.now)


def _leave(world: World, chance: Random) -> None:
    """Somebody deletes their account."""
    leaving.forget_holder(holder(chance.choice(EVERYBODY[:-1])), world.now)


#: What is done, by the name of its address: how often, and how.
ACTS: Mapping[str, tuple[int, Act]] = {
    "enter-event": (3, _enter),
    "enter-lists": (1, _enter_lists),
    "withdraw": (2, _withdraw),
    "come-back": (1, _come_back),
    "submit-list": (10, _submit),
    "open-submission": (1, _open_list),
    "reinstate": (1, _reinstate),
    "event-team": (1, _bring),
    "choose-role": (1, _choose_role),
    "decide": (10, _decide),
    "accept-clean": (2, _accept_clean),
    "give-points": (2, _points),
    "edit-event": (8, _edit),
    "event-standing": (1, _standing),
    "delete-event": (1, _delete),
    "event-staff": (2, _staff),
    "join-staff": (2, _join),
    "event-change-pack": (6, _pack),
    "event-webhook": (1, _webhook),
    "event-pairings": (2, _pair),
    "event-players": (1, _people),
    "stop-waiting": (1, _stop_waiting),
    "event-game": (3, _result),
    "event-format": (1, _format),
    "extend-entry": (2, _extend),
    "withdraw-entry": (2, _take_out),
    "name-captain": (4, _name_captain),
    "new-pack": (1, _new_pack),
    "edit-pack": (1, _edit_pack),
    "delete-pack": (1, _delete_pack),
}
#: What happens besides, and how often.
BESIDE: tuple[tuple[int, Act], ...] = ((1, _plan), (12, _wait), (1, _tidy), (1, _leave))
