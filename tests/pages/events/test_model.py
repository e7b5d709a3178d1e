"""Random events, played twice: what nobody may see of a list changes nothing that is told them.

Both worlds have the same people, who do the same at the same times. One list, and what is written
about it, is another in each: with other names, notes, units and reasons, of the same points and
verdict. Whoever may see no more than its verdict must get the same answers in both, to the letter:
so neither words nor counts, lengths or order tell of it. Hashes, which differ, are looked for.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from django.db import transaction
from django.http import Http404
from django.test import Client

from armybuilder.certificates.making import check
from armybuilder.events import deciding, entering, organising
from armybuilder.events.models import Decision, Entry, Event, Staff, Submission
from armybuilder.events.organising import set_pairings
from armybuilder.events.rules import Audience, Sight, StaffRole
from armybuilder.events.selectors import sight_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import read_pack
from tests.effort import THOROUGH
from tests.events.builders import (
    ABOUT,
    DAY,
    NOW,
    OWNER,
    RULES,
    TIMES,
    entered,
    helper,
    legal_list,
    person,
    submitted,
)
from tests.pages.events.people import People, held, raven_cup
from tests.pages.events.test_walk import pages, told_by

pytestmark = pytest.mark.django_db

#: Sequences that are tried; `MODEL=10000` tries as many as one likes.
SEQUENCES = int(os.environ.get("MODEL") or (300 if THOROUGH else 30))
#: Tests that share them; acts in each, and how often somebody looks at something.
PARTS, ACTS, LOOKS = 2, 10, 5
#: What is in the list that is another in each world, and written about it.
WORDS = (("Zilpzalpa", "Rohrdommel"), ("Wendehalsig", "Nachtreiher, der lange steht"))
#: Who is there: the holder of each.
STAFF = {
    "organiser": StaffRole.ORGANISER, "playing": StaffRole.ORGANISER,
    "checker": StaffRole.CHECKER, "friend": StaffRole.CHECKER, "judge": StaffRole.JUDGE,
}  # fmt: skip
PLAYERS = {"Anne": "Mill", "Ben": "Mill", "Cleo": "", "playing": ""}
CERTIFICATE = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]+")
#: What is random in each answer: keys, and the salted hashes of lists that everybody reads.
NOISE = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{12}(?:[0-9a-f]{52})?\b|\b[\w-]{43}\b|\b[A-Za-z0-9]{64}\b"
)


#: Two units of equal points that no rule here tells apart: one of them is in the list.
EITHER = ("profiles/goblin-warrior", "profiles/kobold-warrior")


def secret_list(world: int) -> ArmyList:
    """The list that is another in each world, of the same points and verdict."""
    word = WORDS[world][0]
    found = legal_list(f"{word} list")
    units = tuple(
        replace(one, ref=EITHER[world] if one.ref == EITHER[0] else one.ref, name=f"{word} {place}")
        for place, one in enumerate(found.units)
    )
    return replace(found, units=units, notes=f"{word} notes {word * (1 + world)}")


@dataclass
class World:
    """An event with its people; `say` tells of what happens in it."""

    number: int
    people: People
    now: datetime = NOW
    told: list[str] = field(default_factory=list)
    browsers: dict[str, Client] = field(default_factory=dict)

    @property
    def event(self) -> Event:
        return self.people.refreshed()

    def staff(self, name: str) -> Staff:
        return Staff.objects.get(event=self.people.event, holder=self.holder(name))

    def holder(self, name: str) -> str:
        return OWNER if name == "owner" else f"holder-{name}"

    def browser(self, name: str) -> Client:
        if name == "nobody":
            return Client()
        if name not in self.browsers:
            self.browsers[name] = held(self.holder(name))
        return self.browsers[name]

    def entry(self, number: int) -> Entry:
        return Entry.objects.get(event=self.people.event, number=number)

    def may_tell(self, name: str) -> bool:
        """Whether somebody may see more of Anne's lists than verdicts, or is Anne."""
        event, entry = self.event, self.entry(1)
        who = person(event, "" if name == "nobody" else self.holder(name))
        return any(
            sight_of(who, event, entry, one, self.now) > Sight.VERDICT
            for one in entry.submissions.all()
        )


# What is done: each takes the world and a source of chance, the same in both worlds.

Act = Callable[[World, Random], object]
STAFF_NAMES, READERS = ("owner", *STAFF), ("owner", *STAFF, "Anne", "Ben", "Cleo", "nobody")


def _submit(world: World, chance: Random) -> object:
    number = chance.choice((1, 1, 1, 2, 3, 4))
    document = secret_list(world.number) if number == 1 else legal_list(f"List of {number}")
    if chance.random() < 0.3:  # not legal, in both worlds alike
        document = replace(document, limit=200)
    return submitted(world.event, world.entry(number), document, world.now)


def _decide(world: World, chance: Random) -> object:
    number, by = chance.randint(1, 4), world.staff(chance.choice(STAFF_NAMES))
    what = chance.choice((Decision.What.ACCEPTED, Decision.What.RETURNED))
    words = [WORDS[world.number][1]] * 2 if number == 1 else ["Two heroes.", "As ever."]
    entry = world.entry(number)
    seen = entry.submission.number if entry.submission else 0
    return deciding.decide(world.event.pk, number, seen, what, by, world.now, *words)


def _unseal(world: World, chance: Random) -> object:
    number, by = chance.randint(1, 4), world.staff(chance.choice(STAFF_NAMES))
    entry = world.entry(number)
    seen = entry.submission.number if entry.submission else 0
    return deciding.unseal(world.event.pk, number, seen, by, world.now, "Asked.")


def _name_captain(world: World, chance: Random) -> object:
    by, number = world.staff(chance.choice(STAFF_NAMES[:3])), chance.randint(1, 4)
    return entering.name_captain(world.event.pk, number, by, world.now, chance.choice(("", "So.")))


def _use_pack(world: World, chance: Random) -> object:
    pack = read_pack(json.loads(raven_cup(max=chance.choice((5, 50, 99)))))
    by, reason = world.staff(chance.choice(STAFF_NAMES[:3])), chance.choice(("", "More room."))
    return organising.use_pack(world.event.pk, pack, reason, by, world.now, shipped_library())


def _change(world: World, chance: Random) -> object:
    rules = {
        "audience": chance.choice(list(Audience)),
        **{name: chance.random() < 0.5 for name in ("shows_all", "sealed", "staff_plays")},
    }
    times = TIMES
    if chance.random() < 0.1:
        times = replace(TIMES, revealed=TIMES.corrected + timedelta(hours=1))
    about = replace(ABOUT, rules=replace(RULES, **rules), times=times)
    by, reason = world.staff(chance.choice(STAFF_NAMES[:3])), chance.choice(("", "So it is."))
    return organising.change_event(world.event.pk, about, by, world.now, reason)


def _extend(world: World, chance: Random) -> object:
    number, by = chance.randint(1, 4), world.staff(chance.choice(STAFF_NAMES[:3]))
    until = world.now + chance.choice((DAY, 5 * DAY))
    return entering.extend(world.event.pk, number, until, "Ill.", by, world.now)


def _come_and_go(world: World, chance: Random) -> object:
    number = chance.randint(1, 4)
    if chance.random() < 0.5:
        return entering.withdraw(world.event.pk, number, "player", world.now)
    return entering.take_back(world.event.pk, number, "player", world.now, shipped_library())


def _pair(world: World, chance: Random) -> object:
    numbers = chance.sample((1, 2, 3, 4), 2)
    text = f"{numbers[0]} - {numbers[1]}"
    return set_pairings(world.event.pk, 1, text, StaffRole.OWNER, world.now)


def _points(world: World, chance: Random) -> object:
    key, by = UUID(int=chance.getrandbits(128)), world.staff(chance.choice(STAFF_NAMES))
    return deciding.give_points(world.event.pk, chance.randint(1, 4), "Late", key, by, world.now)


def _conflict(world: World, chance: Random) -> object:
    teams = chance.choice(([], ["mill"], ["Hill"]))
    return Staff.objects.filter(pk=world.staff(chance.choice(("checker", "judge"))).pk).update(
        conflicts=teams
    )


def _wait(world: World, chance: Random) -> object:
    world.now += chance.choice((timedelta(hours=1), DAY))
    return ""


ACTS_THERE: tuple[Act, ...] = (
    *(_submit, _submit, _decide, _decide, _unseal, _name_captain, _use_pack, _change, _change),
    *(_extend, _come_and_go, _pair, _points, _conflict, _wait, _wait, _wait),
)


# What is looked at: pages, and what trying packs tells that tell the lists apart.


def _look(world: World, chance: Random, name: str) -> str:
    world.people.now, browser = world.now, world.browser(name)
    if chance.random() < 0.25:
        few: dict[str, Any] = {"count": "units", "of": {"unit": chance.choice(EITHER)}, "max": 0}
        rule = chance.choice((few, {"max": 3}, {"max": 99}))
        text = raven_cup(**rule)
        answer: Any = world.people.post(browser, "pack/", text=text, go="try")
    else:
        answer = world.people.get(browser, chance.choice(PAGES))
    return CERTIFICATE.sub(_list_in, f"{answer.status_code} {told_by(answer)}")


def _list_in(found: re.Match[str]) -> str:
    """The list that is in a certificate, in place of it."""
    return canonical(check(found[0]).claims.army_list).decode()


PAGES = pages()


def _play(world: World, seed: int) -> Iterator[tuple[str, bool, str]]:
    """Play a sequence; yield who was told what, and whether they may see more than verdicts."""
    for step in range(ACTS):
        chance = Random(f"{seed} {step}")  # noqa: S311
        act = chance.choice(ACTS_THERE)
        try:
            act(world, chance)
            said = "done"
        except (Refusal, Http404) as refusal:
            said = str(refusal)
        yield f"step {step}: {act.__name__}", False, said
        if chance.random() < LOOKS / ACTS:
            name = chance.choice(READERS)
            told = _look(world, chance, name)
            yield f"step {step}: {name}", world.may_tell(name), told


def _secrets(world: World) -> set[str]:
    """What only the one list has, in words and as hashes."""
    kept = Submission.objects.filter(entry=world.entry(1))
    hashes = {one for row in kept.values_list("list_hash", "paper_hash", "salt") for one in row}
    words = {word.split()[0] for pair in WORDS for word in pair}
    return words | {part for one in hashes for part in (one, one[:12])} - {""}


def _played(people: People, number: int, seed: int) -> list[tuple[str, bool, str]]:
    """Play a sequence in a world that is gone afterwards."""
    with transaction.atomic():
        world, told = World(number, people), []
        with patch("django.utils.timezone.now", lambda: world.now):
            for who, may, said in _play(world, seed):
                secrets = set() if may else {one for one in _secrets(world) if one in said}
                assert not secrets, f"seed {seed}, {who}: told {secrets}"
                told.append((who, may, NOISE.sub("…", said)))
        transaction.set_rollback(True)
    return told


def _cast() -> People:
    """An event with its people, of whom some have lists."""
    people = People(ladder={"Late": -3})
    Staff.objects.filter(event=people.event, role=StaffRole.OWNER).update(holder=OWNER)
    for name, role in STAFF.items():
        helper(people.event, role, name, *(["Mill"] if name == "friend" else []))
    for name, team in PLAYERS.items():
        entered(people.event, name, team)
    for number in (2, 3):
        submitted(people.event, people.event.entries.get(number=number), legal_list(f"L {number}"))
    return people


def test_both_lists_come_to_the_same() -> None:
    people = _cast()
    entry = people.event.entries.get(number=1)
    told = []
    for world in (0, 1):
        kept = submitted(people.event, entry, secret_list(world))
        report = kept.event_report
        told.append((kept.legal, kept.needs, report["spent"], kept.game_report["legal"]))
    assert told[0] == told[1]
    assert told[0][0]


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_nobody_learns_of_a_list_what_they_may_not_see(part: int) -> None:
    people, compared = _cast(), 0
    for seed in range(part, SEQUENCES, PARTS):
        first, second = (_played(people, world, seed) for world in (0, 1))
        for (who, may, said), (_again, _may, other) in zip(first, second, strict=True):
            if not may:
                compared += 1
                assert said == other, f"seed {seed}, {who}"
    assert compared > SEQUENCES // PARTS * ACTS
