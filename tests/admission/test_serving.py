"""The whole server as `make run` starts it: its processes, and what becomes of them."""

import http.client
import json
import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from armybuilder import serving
from tests.operating.servers import make_database
from tests.serving import Served, gunicorn, wait_until

pytestmark = [pytest.mark.long, pytest.mark.django_db]

LIGHT = "/api/v1/systems/"
HEAVY = "/library/sbh/blank-cards.pdf"


@pytest.fixture(scope="module")
def environment(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Settings of a server that has its database."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "static").mkdir()
    environment = {
        "ARMYBUILDER_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "DEBUG": "",
    }  # fmt: skip
    make_database(folder)
    return environment


#: How much more a process of these tests can still give way, and how much those of a server do.
MOST = 19 - os.getpriority(os.PRIO_PROCESS, 0)
GIVING_WAY = Counter(min(niceness, MOST) for niceness in (0, 0, 4, 10, 10))


@pytest.fixture(scope="module")
def server(environment: dict[str, str]) -> Iterator[Served]:
    with gunicorn(**environment) as served:
        wait_until(lambda: len(processes(served)) == 5)
        yield served


def processes(served: Served) -> dict[int, int]:
    """The server's processes, and how much more than the server itself each gives way."""
    own = os.getpriority(os.PRIO_PROCESS, served.pid)
    children = Path(f"/proc/{served.pid}/task/{served.pid}/children").read_text().split()
    nice = {}
    for child in children:
        try:
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        except FileNotFoundError:
            continue
        nice[int(child)] = int(fields[16]) - own
    return nice


def get(served: Served, path: str, source: str = "127.0.0.1") -> int:
    """The status of a page that is asked for from an address."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", served.port, timeout=20, source_address=(source, 0)
    )
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.mark.slow
def test_two_processes_are_for_clicks_and_three_give_way_the_one_for_short_work_least(
    server: Served,
) -> None:
    wait_until(lambda: Counter(processes(server).values()) == GIVING_WAY)


@pytest.mark.slow
def test_heavy_pages_cost_the_web_processes_next_to_nothing(server: Served) -> None:
    assert get(server, LIGHT) == 200
    assert get(server, HEAVY) == 200
    before = spent(server)
    for _each in range(8):
        assert get(server, HEAVY) == 200
    after = spent(server)
    used = Counter({niceness: after[niceness] - before[niceness] for niceness in after})
    assert used[0] < used.total() / 2


def spent(served: Served) -> Counter[int]:
    """Ticks of the processor that processes have used, by how much they give way."""
    ticks: Counter[int] = Counter()
    for child, niceness in processes(served).items():
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks[niceness] += int(fields[11]) + int(fields[12])
    return ticks


@pytest.mark.one_in(3)
@pytest.mark.parametrize("niceness", [0, 4, 10])
def test_a_process_that_is_killed_comes_back(server: Served, niceness: int) -> None:
    killed = {pid for pid, nice in processes(server).items() if nice == min(niceness, MOST)}
    for child in killed:
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: not killed & set(processes(server)))
    wait_until(lambda: Counter(processes(server).values()) == GIVING_WAY)
    wait_until(lambda: get(server, HEAVY) == 200)


@pytest.mark.slow
def test_slow_clients_hold_nobody_up(server: Served) -> None:
    """They send a line of their request, and then nothing: their connections are cut."""
    slow = []
    for _each in range(14):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        slow.append(client)
    try:
        for _each in range(4):
            assert get(server, LIGHT) == 200
        slow[0].settimeout(2 * serving.HEAD)
        assert slow[0].recv(1) == b""
    finally:
        for client in slow:
            client.close()


#: What keeps a thread waiting, and what is answered by a connection that nobody then closes.
SLOW_BODY = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\nx"
LEFT_OPEN = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@pytest.mark.slow
@pytest.mark.parametrize("sent", [SLOW_BODY, LEFT_OPEN], ids=["slow body", "left open"])
def test_one_address_leaves_threads_for_others(server: Served, sent: bytes) -> None:
    clients = []
    for _each in range(2 * serving.threads + 40):
        client = socket.create_connection(("127.0.0.1", server.port))
        client.sendall(sent)
        clients.append(client)
    try:
        for _each in range(4):
            assert get(server, LIGHT, "127.0.0.2") == 200
    finally:
        for client in clients:
            client.close()


@pytest.mark.slow
def test_gunicorns_own_lines_are_written_as_all_others(environment: dict[str, str]) -> None:
    with gunicorn(**environment, LOG_FORMAT="json", PRINT_WORKERS="0") as served:
        wait_until(lambda: len(processes(served)) == 4)
        os.kill(min(processes(served)), signal.SIGKILL)
        wait_until(lambda: any("SIGKILL" in line for line in served.lines))
        told = [json.loads(line) for line in served.lines]
    killed = next(line for line in told if "SIGKILL" in line["message"])
    assert (killed["logger"], killed["level"]) == ("gunicorn.error", "ERROR")
    assert killed["time"].endswith("Z")
