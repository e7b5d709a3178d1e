"""Players and attackers as the server sees them: browsers over HTTP, each at an address of its own.

One event loop plays all of them: threads would take the processors from the server.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
VERSION = re.compile(rb'name="version" value="(\d+)"')
LIST = re.compile(r"/lists/([0-9a-f-]{36})/")


@dataclass(slots=True)
class Answer:
    """What came back, and how long it took in seconds."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float


@dataclass
class Browser:
    """Somebody with cookies, an address, and one connection that is kept."""

    port: int
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    _stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", path, b"", headers)

    async def post(self, path: str, fields: dict[str, Any], **headers: str) -> Answer:
        form = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", ""), **fields}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return await self.ask("POST", path, urlencode(form).encode(), headers)

    async def ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        begun = time.perf_counter()
        for again in (True, False):
            kept = self._stream is not None
            try:
                answer = await self._ask(method, path, body, headers)
            except (ConnectionError, asyncio.IncompleteReadError):
                # A connection that was kept may have been closed meanwhile.
                self.close()
                if not (kept and again):
                    raise
                continue
            answer.seconds = time.perf_counter() - begun
            return answer
        raise AssertionError

    async def _ask(self, method: str, path: str, body: bytes, more: dict[str, str]) -> Answer:
        if self._stream is None:
            self._stream = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._stream
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {
            "Host": f"127.0.0.1:{self.port}", "X-Forwarded-For": self.address,
            "Content-Length": str(len(body)), "Cookie": cookies, **more,
        }  # fmt: skip
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        answer = await self._read(reader)
        if answer.headers.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def _read(self, reader: asyncio.StreamReader) -> Answer:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for line in filter(None, lines[1:]):
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
            if name.lower() == "set-cookie":
                self.cookies |= {key: one.value for key, one in SimpleCookie(value).items()}
        if "content-length" in headers:
            body = await reader.readexactly(int(headers["content-length"]))
        elif headers.get("transfer-encoding") == "chunked":
            body = b"".join([piece async for piece in _chunks(reader)])
        else:
            body = await reader.read()
        return Answer(int(lines[0].split()[1]), headers, body, 0.0)

    def close(self) -> None:
        if self._stream is not None:
            self._stream[1].close()
            self._stream = None


async def _chunks(reader: asyncio.StreamReader) -> Any:
    while size := int(await reader.readline(), 16):
        yield await reader.readexactly(size)
        await reader.readline()
    await reader.readline()


@dataclass
class Player(Browser):
    """Somebody with a list: one model more of its first unit of several at each click."""

    list_id: str = ""
    unit: str = ""
    version: str = ""

    async def start(self, document: bytes) -> None:
        """Open a list document, which becomes a list of this browser."""
        first = await self.get("/lists/")
        if "csrftoken" not in self.cookies:
            raise AssertionError(f"{first.status}: {first.body[-2000:].decode()}")
        edge = "soaksoaksoak"
        body = (
            f'--{edge}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n'
            f"{self.cookies['csrftoken']}\r\n"
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="list.json"\r\n'
            "Content-Type: application/json\r\n\r\n"
        ).encode() + document + f"\r\n--{edge}--\r\n".encode()  # fmt: skip
        headers = {"Content-Type": f"multipart/form-data; boundary={edge}"}
        answer = await self.ask("POST", "/lists/open/", body, headers)
        found = LIST.search(answer.headers.get("location", ""))
        if found is None:
            raise AssertionError(f"{answer.status}: {answer.body[-2000:].decode()}")
        self.list_id = found[1]
        self.unit = _first(json.loads(document))["id"]
        self._learn(await self.get(self.page))

    @property
    def page(self) -> str:
        return f"/lists/{self.list_id}/"

    def _learn(self, answer: Answer) -> None:
        if found := VERSION.search(answer.body):
            self.version = found[1].decode()

    async def click(self) -> Answer:
        """Do as htmx does: an act, whose answer is the list's panel."""
        fields = {"act": "more", "unit": self.unit, "version": self.version}
        answer = await self.post(f"{self.page}act/", fields, **{"HX-Request": "true"})
        self._learn(answer)
        return answer

    async def models(self) -> int:
        units = json.loads((await self.get(f"{self.page}list.json")).body)["units"]
        found: int = next(one["models"] for one in units if one["id"] == self.unit)
        return found


def _first(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in document["units"] if one["models"] > 1)
    return found


def first_models(document: dict[str, Any]) -> int:
    """How many models the first unit of several has in a document."""
    return int(_first(document)["models"])


@asynccontextmanager
async def players(port: int, number: int, document: dict[str, Any]) -> AsyncIterator[list[Player]]:
    """So many players, each with a list of their own, and at an address that is a network."""
    raw = json.dumps(document).encode()
    made = [Player(port, f"198.18.{index // 250}.{index % 250 + 1}") for index in range(number)]
    try:
        for start in range(0, number, 4):  # uploads are heavy, and only so many wait
            await asyncio.gather(*(player.start(raw) for player in made[start : start + 4]))
        yield made
    finally:
        for player in made:
            player.close()


async def click_every(player: Player, seconds: float, until: float, answers: list[Answer]) -> None:
    """Click about every so many seconds, until a time of the loop's clock."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(random.uniform(0, seconds))  # noqa: S311
    while loop.time() < until:
        answers.append(await player.click())
        await asyncio.sleep(seconds * random.uniform(0.8, 1.2))  # noqa: S311


def percentile(answers: Iterable[Answer], part: float) -> float:
    """Milliseconds that this part of the answers took at most."""
    times = sorted(answer.seconds for answer in answers)
    return times[min(len(times) - 1, int(len(times) * part))] * 1000
