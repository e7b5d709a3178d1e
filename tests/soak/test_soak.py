"""What the site bears: many players, attackers, and many edits at once. By hand: `make soak`.

Everything runs on loopback, with the server that `make run` starts, and is bounded in time. The
figures are printed; `docs/operating.md` has those of the last run.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.building.documents import army, skirmish
from tests.serving import Served
from tests.soak.clients import (
    Answer,
    Browser,
    Player,
    click_every,
    first_models,
    percentile,
    players,
)
from tests.soak.dear import DEAREST, attack

#: Players who click every so many seconds, for so long.
PLAYERS = 300
EVERY = 3.0
SECONDS = 45.0
#: Milliseconds that a click's 95th percentile may take.
P95 = 150
#: Seconds with and without attackers, and that a small print of somebody else may take beside them.
QUIET, ATTACKED, PRINT = 6.0, 12.0, 5.0
#: Edits by clients, each on a list of its own.
EDITS, CLIENTS = 6_000, 40


async def clicking(everybody: list[Player], seconds: float) -> list[Answer]:
    answers: list[Answer] = []
    until = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(click_every(one, EVERY, until, answers) for one in everybody))
    return answers


def print_times(what: str, answers: list[Answer]) -> None:
    statuses = dict(Counter(answer.status for answer in answers))
    p50, p95, p99 = (percentile(answers, part) for part in (0.5, 0.95, 0.99))
    print(
        f"\n{what}: {len(answers)} answers, p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms;"
        f" answers {statuses}; load {os.getloadavg()[0]:.1f}"
    )


@pytest.mark.parametrize(
    ("game", "document"), [("sbh", lambda: skirmish("sbh")), ("t9a", army)], ids=["sbh", "t9a"]
)
def test_players_who_click_are_answered(
    server: Served, game: str, document: Callable[[], Any]
) -> None:
    async def play() -> list[Answer]:
        async with players(server.port, PLAYERS, document()) as everybody:
            return await clicking(everybody, SECONDS)

    answers = asyncio.run(play())
    print_times(f"{PLAYERS} players of {game}, a click every {EVERY:.0f} s", answers)
    statuses = {answer.status for answer in answers}
    if game == "sbh":
        assert statuses == {200}
        assert percentile(answers, 0.95) <= P95
    else:  # a hundred clicks a second on large armies are more than two processors can do
        assert statuses <= {200, 503}


async def print_now_and_then(player: Player, seconds: float) -> list[Answer]:
    """Print a small list every second or so, never the same."""
    answers: list[Answer] = []
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        await player.click()
        answers.append(await player.get(f"{player.page}print.pdf?kinds=full"))
        await asyncio.sleep(1)
    return answers


@pytest.mark.parametrize("what", DEAREST)
def test_attackers_do_not_stop_players(server: Served, what: str) -> None:
    first = 4 * DEAREST.index(what) + 1  # with the budgets of nobody before

    async def play() -> tuple[list[Answer], list[Answer], list[Answer], Counter[int]]:
        async with players(server.port, 20, skirmish("sbh")) as everybody:
            quiet = await clicking(everybody, QUIET)
            browsers = [
                Browser(server.port, f"198.19.0.{number}") for number in range(first, first + 4)
            ]
            prepared = [await attack(browser, what) for browser in browsers]
            statuses: Counter[int] = Counter()
            attackers = [asyncio.create_task(one(statuses)) for one in prepared]
            await asyncio.sleep(2)
            under_attack, printed = await asyncio.gather(
                clicking(everybody[1:], ATTACKED), print_now_and_then(everybody[0], ATTACKED)
            )
            for attacker in attackers:
                attacker.cancel()
            await asyncio.gather(*attackers, return_exceptions=True)
            for browser in browsers:
                browser.close()
            return quiet, under_attack, printed, statuses

    quiet, under_attack, printed, statuses = asyncio.run(play())
    print_times("nobody attacks", quiet)
    print_times(f"four attackers: {what} {dict(statuses)}", under_attack)
    print_times("a small print beside them", printed)
    assert {answer.status for answer in (*under_attack, *printed)} == {200}
    assert percentile(under_attack, 0.95) <= 2 * max(percentile(quiet, 0.95), 25)
    assert percentile(printed, 1.0) <= PRINT * 1000


def test_no_edit_is_lost(server_of_each: Served) -> None:
    async def edit(player: Player) -> list[Answer]:
        return [await player.click() for _each in range(EDITS // CLIENTS)]

    document = skirmish("sbh")

    async def play() -> tuple[list[Answer], list[int]]:
        async with players(server_of_each.port, CLIENTS, document) as everybody:
            loop = asyncio.get_running_loop()
            begun = loop.time()
            answers = [one for many in await asyncio.gather(*map(edit, everybody)) for one in many]
            seconds = loop.time() - begun
            print(f"\n{len(answers) / seconds:.0f} edits a second")
            return answers, [await player.models() for player in everybody]

    answers, stored = asyncio.run(play())
    print_times(f"{EDITS} edits by {CLIENTS} clients", answers)
    assert {answer.status for answer in answers} == {200}
    assert set(stored) == {first_models(document) + EDITS // CLIENTS}
