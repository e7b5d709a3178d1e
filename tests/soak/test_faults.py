"""What becomes of edits when processes of the server are killed in their middle. `make soak`."""

import asyncio
import os
import random
import signal
from pathlib import Path

from tests.building.documents import skirmish
from tests.serving import Served
from tests.soak.clients import Player, first_models, players

CLIENTS = 10
SECONDS = 20.0


async def edit(player: Player, until: float) -> int:
    """Edit until a time of the loop's clock; how many edits were acknowledged."""
    acknowledged = 0
    while asyncio.get_running_loop().time() < until:
        try:
            acknowledged += (await player.click()).status == 200
        except (OSError, asyncio.IncompleteReadError):
            player.close()  # its process was killed
            await asyncio.sleep(0.05)
    return acknowledged


async def kill(served: Served, until: float) -> int:
    """Kill one of the server's processes every second; how many were killed."""
    killed = 0
    while asyncio.get_running_loop().time() < until - 2:
        await asyncio.sleep(1)
        children = Path(f"/proc/{served.pid}/task/{served.pid}/children").read_text().split()
        if children:
            os.kill(int(random.choice(children)), signal.SIGKILL)  # noqa: S311
            killed += 1
    return killed


def test_processes_that_are_killed_lose_no_acknowledged_edit(server: Served) -> None:
    document = skirmish("sbh")

    async def play() -> tuple[int, list[int], list[int]]:
        async with players(server.port, CLIENTS, document) as everybody:
            until = asyncio.get_running_loop().time() + SECONDS
            edits = [edit(player, until) for player in everybody]
            killed, *acknowledged = await asyncio.gather(kill(server, until), *edits)
            await asyncio.sleep(2)
            return killed, acknowledged, [await player.models() for player in everybody]

    killed, acknowledged, models = asyncio.run(play())
    stored = [number - first_models(document) for number in models]
    print(
        f"\n{killed} processes killed: {sum(acknowledged)} edits acknowledged, {sum(stored)} stored"
    )
    assert killed > SECONDS / 2
    assert all(kept >= told for kept, told in zip(stored, acknowledged, strict=True))
    assert sum(acknowledged) > 0
