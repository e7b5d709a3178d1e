"""Turns are fair: nobody waits for all that another asks for or has used, nor for long work."""

import threading
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.admission import dispatch as module
from armybuilder.admission.dispatch import Ticket, Turns

NEVER = 20.0


def never() -> bool:
    return False


class Queue:
    """Turns that threads wait for, in the order in which they asked."""

    def __init__(self, at_once: int = 1, most: int = 50, most_each: int = 50) -> None:
        self.turns = Turns(at_once, most, most_each)
        self.order: list[str] = []
        self.had: list[Ticket] = []
        self.refused: list[str] = []
        self.threads: list[threading.Thread] = []

    def take(self, who: str, cost: float = 1.0) -> Ticket:
        turn = self.turns.take(who, NEVER, never, cost)
        assert turn is not None
        return turn

    def ask(self, who: str, cost: float = 1.0) -> None:
        """Wait in a thread, which gives the turn back at once."""

        def wait() -> None:
            turn = self.turns.take(who, NEVER, never, cost)
            if turn is None:
                self.refused.append(who)
                return
            self.order.append(f"{who}{cost:g}")
            self.had.append(turn)
            self.turns.give_back(turn)

        waiting = len(self.turns._waiting), len(self.refused)
        self.threads.append(threading.Thread(target=wait))
        self.threads[-1].start()
        while (len(self.turns._waiting), len(self.refused)) == waiting:
            threading.Event().wait(0.001)

    def end(self) -> list[str]:
        for thread in self.threads:
            thread.join(NEVER)
        return self.order


def order_of(asked: Iterable[tuple[str, float]]) -> list[str]:
    """In which order those have their turn who ask while somebody has theirs."""
    queue = Queue()
    first = queue.take("first")
    for who, cost in asked:
        queue.ask(who, cost)
    queue.turns.give_back(first)
    return queue.end()


def test_the_network_that_waited_longest_has_the_next_turn() -> None:
    queue = Queue()
    first = queue.take("a")
    for who in "aaaabc":
        queue.ask(who)
    queue.turns.give_back(first)
    assert queue.end() == ["b1", "c1", "a1", "a1", "a1", "a1"]


def test_short_work_goes_before_long() -> None:
    attackers = [(who, 30.0) for who in "abcd" for _each in range(4)]
    assert order_of([*attackers, ("me", 0.2)])[0] == "me0.2"
    # Also of one and the same.
    assert order_of([("a", 30.0), ("b", 5.0), ("c", 0.2), ("d", 2.0)]) == [
        "c0.2", "d2", "b5", "a30",
    ]  # fmt: skip


def test_long_work_does_not_wait_for_ever_behind_short_work_of_ever_new_names() -> None:
    queue, now = Queue(), 0.0
    queue.turns.clock = lambda: now
    first = queue.take("first")
    queue.ask("a", 5.0)
    for number in range(10):
        queue.ask(f"new{number} ", 1.0)
        now += 1.0
    queue.turns.give_back(first)
    assert queue.end().index("a5") == 4


def test_heavy_users_wait_for_light_users() -> None:
    queue, now = Queue(), 0.0
    queue.turns.clock = lambda: now
    for who in "ab":
        queue.turns.give_back(queue.take(who, 0.01), 1.0)
    first = queue.take("first", 0.0)
    queue.ask("a", 0.01)
    now += 3.0
    queue.ask("me", 0.5)
    queue.ask("b", 0.01)
    # A while later nothing is owed any more, but for the turn that comes first.
    now += 20.0
    queue.ask("a", 0.01)
    queue.ask("c", 0.02)
    queue.turns.give_back(first)
    assert queue.end() == ["me0.5", "a0.01", "b0.01", "c0.02", "a0.01"]


def test_nobody_owes_more_than_half_a_minute() -> None:
    queue, now = Queue(), 0.0
    queue.turns.clock = lambda: now
    queue.turns.give_back(queue.take("a"), 600.0)
    first = queue.take("first", 0.0)
    queue.ask("a")
    now += module._OWED + 1.0
    queue.ask("b")
    queue.turns.give_back(first)
    assert queue.end() == ["a1", "b1"]


def test_work_that_took_longer_than_expected_counts_for_the_next_turn() -> None:
    queue = Queue()
    for who, took in (("a", 9.0), ("b", 0.5)):
        queue.turns.give_back(queue.take(who), took)
    first = queue.take("first", 0.0)
    for who in "ab":
        queue.ask(who)
    queue.turns.give_back(first)
    assert queue.end() == ["b1", "a1"]


@pytest.mark.parametrize("at_once", [2, 3, 4])
def test_one_name_never_has_all_turns(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.01)
    turns = Turns(at_once, 50, 50)
    taken = [turns.take("a", 0.0, never, 1.0) for _each in range(at_once + 1)]
    assert sum(turn is not None for turn in taken) == at_once - 1
    assert turns.take("b", NEVER, never, 1.0) is not None


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.1, 30)), min_size=1, max_size=8))
def test_every_request_gets_a_turn(asked: Sequence[tuple[str, float]]) -> None:
    assert Counter(order_of(asked)) == Counter(f"{name}{cost:g}" for name, cost in asked)


def test_a_full_queue_takes_a_place_from_who_has_most() -> None:
    queue = Queue(most=6, most_each=4)
    first = queue.take("first")
    for who, cost in [("a", 1.0), ("a", 2.0), ("a", 3.0), ("b", 1.0), ("b", 1.0)]:
        queue.ask(who, cost)
    queue.ask("me")
    for thread in queue.threads:
        if queue.refused:
            break
        thread.join(0.1)
    assert queue.refused == ["a"], "and the last that it asked for"
    # Who has as many as the others gets no more.
    assert queue.turns.take("b", NEVER, never, 1.0) is None
    queue.turns.give_back(first)
    assert sorted(queue.end()) == ["a1", "a2", "b1", "b1", "me1"]


def test_too_many_requests_are_refused_and_none_waits_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = Turns(5, 3, 2)
    taken = [turns.take(who, NEVER, never, 1.0) for who in "aaabb"]
    assert [turn is not None for turn in taken] == [True, True, False, True, False]
    assert taken[0]
    turns.give_back(taken[0])
    assert turns.take("b", NEVER, never, 1.0)
    monkeypatch.setattr(module, "_LOOK_EVERY", 0.01)
    turns = Turns(1, 5, 5)
    turn = turns.take("a", NEVER, never, 1.0)
    assert turn
    assert not turns.take("b", 0.0, never, 1.0)
    assert not turns.take("b", NEVER, lambda: True, 1.0)
    turns.give_back(turn)
    assert turns.take("b", NEVER, never, 1.0)
    turns = Turns(1, 5, 5)
    for number in range(module._MOST_NAMES + 5):
        turn = turns.take(f"name {number}", NEVER, never, 1.0)
        assert turn
        turns.give_back(turn)
    assert len(turns._free) == module._MOST_NAMES
