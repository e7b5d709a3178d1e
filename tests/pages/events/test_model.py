"""Random events, played twice: what nobody may see of a list changes nothing that is told them.

Both worlds have the same people, who ask for the same at the same times. One list, and what is
written about it, is another in each: with other names, notes, units and reasons, of the same points
and verdict. Whoever may see no more than its verdict must get the same answers, mails and calls in
both, to the letter: so neither words nor counts, lengths or order tell of it. Hashes, which differ,
are looked for.
"""

import os
from collections.abc import Sequence
from random import Random

import pytest
from django.db import transaction
from django.urls import URLPattern, reverse

from armybuilder.certificates.models import signing_key
from armybuilder.events import organising
from armybuilder.events.models import Entry, Event, Staff
from armybuilder.events.rules import StaffRole
from armybuilder.packs.models import OwnPack
from armybuilder.pages.packs import views as packs
from armybuilder.pages.urls import EVENT
from tests.addresses import addresses
from tests.effort import THOROUGH, scaled
from tests.events.builders import NOW, OWNER, entered, helper, legal_list, submitted
from tests.pages.events.acts import (
    ACTS,
    BESIDE,
    EVERYBODY,
    PLAYERS,
    STAFF,
    Act,
    pack_page,
    secret_list,
    submit_first,
)
from tests.pages.events.people import People, held
from tests.pages.events.test_walk import pages
from tests.pages.events.worlds import Line, Visitor, World

pytestmark = [pytest.mark.django_db, pytest.mark.long]

#: Sequences that are tried; `MODEL=10000` tries as many as one likes, `FIRST` is the first.
SEQUENCES = int(os.environ.get("MODEL") or scaled(4, 24, 150))
FIRST = int(os.environ.get("FIRST") or 0)
#: Tests that share them; acts in each, and how often somebody looks at something after one.
PARTS, STEPS, LOOKS = 2 if THOROUGH else 1, 12, 0.6
#: How many of these looks are at packs.
PACKS = 0.1
#: What is done, and how often.
WEIGHTS, DONE = zip(*ACTS.values(), *BESIDE, strict=True)


#: What may be asked of pages beside their addresses.
ASKS = {
    "desk/": ("?blind=1", "?show=look", "?show=clean", "?show=returned"),
    "log/": ("?form=json",),
    "entries/1/1/": ("?blind=1",),
    "submit/": ("?player=1",),
    "receipts/1.json": ("?player=1",),
}
#: Ends of addresses at which nothing can be read.
SILENT = (
    *("enter/", "lists/", "withdraw/", "clean/", "extend/", "captain/", "points/", "decide/"),
    *("standing/", "delete/"),
)


def looked_at() -> list[tuple[str, str]]:
    """All pages of an event, and what the API tells of it, with what may be asked of each."""
    read = [page for page in pages() if not page.endswith(SILENT) or page == "lists/"]
    asked = [f"{page}{ask}" for page, asks in ASKS.items() for ask in asks]
    return [*(("url", page) for page in (*read, *asked)), *API]


API = [("api", page) for page in ("", "entries/", "lists/")]
LOOKED_AT = looked_at()


def _drawn(seed: int, step: int) -> tuple[Act, Random]:
    """What is done at a step, and the chance that goes on from there."""
    chance = Random(f"{seed} {step}")  # noqa: S311
    return chance.choices(DONE, WEIGHTS)[0] if step else submit_first, chance


def _seeds() -> list[int]:
    """All sequences, or where there is less time those that do most of what none before does."""
    every = range(FIRST, FIRST + SEQUENCES)
    if THOROUGH or os.environ.get("MODEL"):
        return [*every]
    acts = {seed: {_drawn(seed, step)[0] for step in range(STEPS)} for seed in range(100)}
    found: list[int] = []
    for _number in every:
        done = set[Act]().union(*(acts[seed] for seed in found))
        found.append(max(acts.keys() - {*found}, key=lambda seed: (len(acts[seed] - done), -seed)))
    return found


def _play(world: World, seed: int) -> None:
    """Play a sequence; what is told that may not be is in `wrong` of the world."""
    for step in range(STEPS):
        act, chance = _drawn(seed, step)
        known = len(world.wrong)
        act(world, chance)
        if chance.random() < LOOKS:
            base, page = chance.choice(LOOKED_AT)
            who = chance.choice(EVERYBODY[: 9 if chance.random() < 0.8 else None])
            of_packs = chance.random() < PACKS
            world.ask(who, pack_page(chance) if of_packs else getattr(world, base) + page)
        world.wrong[known:] = [
            f"{seed}, step {step} {act.__name__}: {one}" for one in world.wrong[known:]
        ]
        if not Event.objects.filter(pk=world.event_id).exists():
            return


def _played(people: People, number: int, seed: int, before: Sequence[Line] = ()) -> World:
    """Return a world in which a sequence was played; the database is as before."""
    world = World(number, people.event.pk, before)
    with transaction.atomic():
        with world.lived_in():
            _play(world, seed)
        transaction.set_rollback(True)
    return world


def _cast() -> People:
    """An event with its people, of whom some have lists."""
    people = People(ladder={"Late": -3})
    signing_key(0)  # the same in both worlds
    Staff.objects.filter(event=people.event, role=StaffRole.OWNER).update(holder=OWNER)
    for name, role in STAFF.items():
        helper(people.event, role, name, *(["Mill"] if name == "friend" else []))
    for name, team in PLAYERS.items():
        entered(people.event, name, team, f"{name}@a.example")
    organising.invite(people.event.pk, StaffRole.JUDGE, "Nora", (), StaffRole.OWNER, NOW)
    Entry.objects.filter(name="Cleo").update(captain=True, team="Hill")
    for number in (2, 3):
        submitted(people.event, people.event.entries.get(number=number), legal_list(f"L {number}"))
    return people


def test_both_secret_lists_get_the_same_verdict() -> None:
    people = _cast()
    entry = people.event.entries.get(number=1)
    told = []
    for number in (0, 1):
        kept = submitted(people.event, entry, secret_list(World(number, people.event.pk)))
        report = kept.event_report
        told.append((kept.legal, kept.needs, report["spent"], kept.game_report["legal"]))
    assert told[0] == told[1]
    assert told[0][0]


def test_whatever_can_be_done_to_an_event_or_a_pack_is_drawn() -> None:
    people, taken = _cast(), set()
    owner = held(OWNER)
    for pattern in EVENT:
        assert isinstance(pattern, URLPattern)
        route = str(pattern.pattern).replace("<slug:secret>", "x" * 43)
        page = route.replace("<int:number>", "1").replace("<int:which>", "1")
        answer = people.post(owner, page.replace("<slug:form>", "csv"))
        if answer.status_code != 405:
            taken.add(pattern.name)
    world = World(0, people.event.pk)
    world.ask("owner", "/packs/new/", {"copy": "raven-cup"})
    own = {"pack_id": OwnPack.objects.get().pk, "number": 1}
    for _route, address, names in addresses():
        if address.callback.__module__ == packs.__name__ and "list_id" not in names:
            path = reverse(str(address.name), kwargs={name: own[name] for name in names})
            if not Visitor("owner").ask(path, {}).startswith("405"):
                taken.add(address.name)
    assert taken == set(ACTS)


@pytest.mark.parametrize("part", range(PARTS))
def test_nobody_learns_of_a_list_what_they_may_not_see(part: int) -> None:
    people, told = _cast(), 0
    wrong: list[str] = []
    for seed in _seeds()[part::PARTS]:
        first = _played(people, 0, seed)
        second = _played(people, 1, seed, first.told)
        wrong += [*first.wrong, *second.wrong]
        wrong += [f"{seed}: not the same is done"] * (len(first.told) != len(second.told))
        told += len(second.told)
    assert not wrong, "\n".join(wrong)
    assert told > SEQUENCES // PARTS * STEPS
