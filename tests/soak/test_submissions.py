"""A thousand submissions, and more time given to players meanwhile, all at once: none is lost, and
the log proves their order.
"""

import asyncio
import json
from collections import Counter
from datetime import datetime, timedelta

from armybuilder.events.log import hash_of_line
from armybuilder.events.models import LogLine
from tests.serving import Served
from tests.soak.clients import Browser

PLAYERS, EACH = 50, 20
EXTENDED = 100


def event_fields() -> dict[str, str]:
    """What an organiser says of an event of tomorrow."""
    days = {"frozen": 1, "due": 2, "corrected": 3, "revealed": 4, "over": 5}
    times = {
        name: f"{datetime.now() + timedelta(days=number):%Y-%m-%dT20:00}"
        for name, number in days.items()
    }
    about = {"name": "Raven Cup", "organiser": "Olga", "pack": "raven-cup", "zone": "UTC"}
    return {**about, **times, "grace": "0", "capacity": "0", "audience": "entrants"}


async def organiser(port: int) -> tuple[Browser, str]:
    """Somebody with an account, and the address of an event that is open."""
    browser = Browser(port, "198.51.100.9")
    await browser.get("/account/sign-up/")
    words = {"password1": "heron-delta-27", "password2": "heron-delta-27"}
    made = await browser.post("/account/sign-up/", {"username": "olga", **words})
    assert made.status == 302, made.body[-2000:]
    await browser.get("/events/new/")
    made = await browser.post("/events/new/", event_fields())
    assert made.status == 302, made.body[-2000:]
    event = made.headers["location"]
    assert (await browser.post(f"{event}standing/", {"standing": "published"})).status == 302
    return browser, event


async def player(port: int, number: int, event: str) -> tuple[Browser, str]:
    """Somebody who has entered, and the id of a list."""
    browser = Browser(port, f"203.0.113.{number}")
    await browser.get(event)
    entered = await browser.post(f"{event}enter/", {"name": f"Player {number}"})
    assert entered.status == 302, entered.status
    made = await browser.post("/new/sbh/example/gruks-green-flood/", {})
    return browser, made.headers["location"].strip("/").split("/")[-1]


async def submit_often(browser: Browser, event: str, list_id: str) -> int:
    """Submit the list again and again; return how often that was acknowledged. Who is told that
    the server is busy comes again.
    """
    done = 0
    while done < EACH:
        answer = await browser.post(f"{event}submit/", {"list": list_id})
        if answer.status == 503:
            await asyncio.sleep(float(answer.headers["retry-after"]))
            continue
        assert answer.status == 302, answer.body[-2000:].decode()
        done += 1
    return done


async def extend_often(browser: Browser, event: str) -> int:
    """Give players more time; return how often that was acknowledged."""
    until = f"{datetime.now() + timedelta(days=3):%Y-%m-%dT20:00}"
    done = 0
    for number in range(EXTENDED):
        fields = {"until": until, "reason": "Ill"}
        answer = await browser.post(f"{event}entries/{number % PLAYERS + 1}/extend/", fields)
        done += answer.status == 302
    return done


def test_none_of_a_thousand_submissions_is_lost(server_of_each: Served) -> None:
    async def play() -> tuple[int, int, bytes]:
        port = server_of_each.port
        staff, event = await organiser(port)
        everybody = [await player(port, number, event) for number in range(PLAYERS)]
        begun = asyncio.get_running_loop().time()
        extended, *submitted = await asyncio.gather(
            extend_often(staff, event), *(submit_often(one, event, key) for one, key in everybody)
        )
        took = asyncio.get_running_loop().time() - begun
        print(f"\n{sum(submitted)} submissions, {extended} extensions in {took:.1f} s")
        log = await staff.get(f"{event}log/?form=json")
        for browser in [staff, *(one for one, _key in everybody)]:
            browser.close()
        await asyncio.sleep(0.1)
        return sum(submitted), extended, log.body

    submitted, extended, log = asyncio.run(play())
    lines = json.loads(log)["lines"]
    acts = Counter(line["act"] for line in lines)
    assert submitted == PLAYERS * EACH
    assert (acts["submitted"], acts["extended"]) == (submitted, extended)
    numbers = Counter(line["entry"] for line in lines if line["act"] == "submitted")
    assert set(numbers.values()) == {EACH}
    for number in numbers:
        mine = [one for one in lines if one["entry"] == number and one["act"] == "submitted"]
        assert [one["data"]["number"] for one in mine] == list(range(1, EACH + 1))
    check_chain(lines)


def check_chain(lines: list[dict[str, object]]) -> None:
    """Work out every hash anew, from the file alone."""
    previous = ""
    for number, line in enumerate(lines, 1):
        told = {key: line[key] for key in ("sequence", "actor", "act", "entry", "data")}
        at = datetime.fromisoformat(str(line["at"]))
        made = LogLine(**told, at=at, previous=previous)
        assert line["sequence"] == number
        assert line["previous"] == previous
        assert hash_of_line(made) == line["hash"]
        previous = str(line["hash"])
