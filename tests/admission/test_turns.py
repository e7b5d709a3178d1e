"""Turns are fair: nobody waits behind all that another one has asked for."""

import threading
import time

from armybuilder.admission import turns
from armybuilder.admission.turns import Turns

NEVER = 20.0


def never() -> bool:
    return False


def queue(one: Turns, names: str) -> tuple[list[str], list[threading.Thread]]:
    """Let each name take a turn in a thread of its own; the order in which they get it."""
    order: list[str] = []

    def take(who: str) -> None:
        if one.take(who, NEVER, never):
            order.append(who)
            one.give_back(who)

    threads = []
    for number, who in enumerate(names, 1):
        threads.append(threading.Thread(target=take, args=(who,)))
        threads[-1].start()
        while len(one._waiting) < number:
            time.sleep(0.001)
    return order, threads


def test_who_had_a_turn_longest_ago_is_next() -> None:
    one = Turns(1, 10, 5)
    assert one.take("a", NEVER, never)
    order, threads = queue(one, "aaaabc")
    one.give_back("a")
    for thread in threads:
        thread.join(5)
    assert order == list("bcaaaa")


def test_too_many_are_sent_away_at_once() -> None:
    one = Turns(5, 3, 2)
    assert [one.take(who, NEVER, never) for who in "aaabb"] == [True, True, False, True, False]
    one.give_back("a")
    assert one.take("b", NEVER, never)


def test_nobody_waits_for_ever_and_who_leaves_takes_no_turn() -> None:
    one = Turns(1, 5, 5)
    assert one.take("a", NEVER, never)
    assert not one.take("b", 0.0, never)
    assert not one.take("b", NEVER, lambda: True)
    one.give_back("a")
    assert one.take("b", NEVER, never)


def test_those_of_long_ago_are_forgotten() -> None:
    one = Turns(1, 5, 5)
    for number in range(turns.REMEMBERED + 5):
        assert one.take(f"name {number}", NEVER, never)
        one.give_back(f"name {number}")
    assert len(one._last) == turns.REMEMBERED
