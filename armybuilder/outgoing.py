"""Calls to user-supplied addresses: only to the public internet.

A name is looked up once, and the connection goes to the checked address: a name that answers
differently the next time leads nowhere. Redirections are not followed, or to named hosts only
(`fetch`). A call has a limit as a whole, for names without an answer and for slow answers.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import time
from collections.abc import Collection, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from threading import Thread
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal

#: Seconds for a whole call, the looking up of its name among them; bytes read of the answer.
PATIENCE, MOST_READ = 10.0, 1_024
#: Seconds for a file as a whole, and how often one is sent on.
FETCH_PATIENCE, MOST_HOPS = 60.0, 4
_MOVED = (301, 302, 303, 307, 308)
#: Where an IPv4 address is called by way of a translator (RFC 6052), in the last 32 bits.
_TRANSLATED = IPv6Network("64:ff9b::/96")
#: Public IPv6 addresses, without tunnels that lead to an IPv4 address.
_PUBLIC = IPv6Network("2000::/3")


class _PinnedConnection(http.client.HTTPSConnection):
    """A connection to an address that was looked up before, with its host's certificate."""

    def __init__(self, host: str, port: int, address: str) -> None:
        self.context = ssl.create_default_context()
        super().__init__(host, port, timeout=PATIENCE, context=self.context)
        self.address = address

    def connect(self) -> None:
        raw = socket.create_connection((self.address, self.port), PATIENCE)
        self.sock = self.context.wrap_socket(raw, server_hostname=self.host)


@dataclass(frozen=True, slots=True)
class Address:
    """An address taken apart; `path` with its query, `netloc` as the address has host and port."""

    secure: bool
    host: str
    port: int
    netloc: str
    path: str


def check_address(url: str) -> Address:
    """Return the parts of an address. Raises Refusal unless it is https with a host alone.

    The host is checked only when it is called.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refusal(_("Enter a valid link.")) from error
    schemes = ("https", "http") if settings.CALLS_ANYWHERE else ("https",)
    if parts.scheme not in schemes or not parts.hostname or parts.username or port == 0:
        raise Refusal(_("Enter a link that begins with https://."))
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        parts.hostname.encode("idna")
        path.encode("ascii")
    except UnicodeError as error:
        raise Refusal(_("Enter a valid link.")) from error
    return Address(secure, parts.hostname, port or (443 if secure else 80), parts.netloc, path)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post a body, and return the status of the answer.

    Raises Refusal for an address that is not public, OSError or HTTPException where there is no
    answer, TimeoutError among them after `PATIENCE`.
    """
    address = check_address(url)
    answer: Future[int] = Future()
    connections: list[http.client.HTTPConnection] = []

    def call() -> None:
        try:
            connections.append(_connection(address))
            answer.set_result(_post(connections[0], address, body, headers))
        except BaseException as error:
            answer.set_exception(error)

    # Nothing else ends the looking up of a name.
    Thread(target=call, daemon=True).start()
    try:
        return answer.result(PATIENCE)
    finally:
        for connection in connections:
            with suppress(OSError):
                if connection.sock:
                    connection.sock.shutdown(socket.SHUT_RDWR)


def fetch(url: str, hosts: Collection[str], most: int) -> bytes:
    """Return the answer of named hosts by https; redirections may lead only to these hosts.

    Raises Refusal for another address, a longer answer and an invalid one, OSError or HTTPException
    if there is no answer, TimeoutError among them after `FETCH_PATIENCE`.
    """
    ends = time.monotonic() + FETCH_PATIENCE
    for _hop in range(MOST_HOPS):
        address = check_address(url)
        if not address.secure or address.port != 443 or address.host not in hosts:
            raise Refusal(
                _("Files can only be fetched from {hosts}.").format(hosts=", ".join(hosts))
            )
        connection = _connection(address)
        try:
            connection.request("GET", address.path, headers={"Host": address.netloc})
            answer = connection.getresponse()
            if answer.status == HTTPStatus.OK:
                return _read_all(answer, most, ends)
            location = answer.headers.get("Location", "")
        finally:
            connection.close()
        if answer.status not in _MOVED or not location:
            told = _("{host} answers {status}: there is no such file.")
            raise Refusal(told.format(host=address.host, status=answer.status))
        url = urljoin(url, location)
    raise Refusal(_("The link redirects too often."))


def _read_all(answer: http.client.HTTPResponse, most: int, ends: float) -> bytes:
    pieces, size = [], 0
    while piece := answer.read1(1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise Refusal(_("The file is larger than {most} MB.").format(most=most >> 20))
        if time.monotonic() > ends:
            raise TimeoutError
    return b"".join(pieces)


def _connection(address: Address) -> http.client.HTTPConnection:
    host, port = address.host, address.port
    number = _public_address(host, port)
    if address.secure:
        return _PinnedConnection(host, port, number)
    return http.client.HTTPConnection(number, port, timeout=PATIENCE)


def _post(
    connection: http.client.HTTPConnection,
    address: Address,
    body: bytes,
    headers: Mapping[str, str],
) -> int:
    try:
        connection.request("POST", address.path, body, {**headers, "Host": address.netloc})
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return answer.status
    finally:
        connection.close()


def _public_address(host: str, port: int) -> str:
    """Return the address of a host. Raises Refusal if one of them is not public."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(info[4][0]) for info in infos]
    if not settings.CALLS_ANYWHERE:
        for address in addresses:
            if not _is_public(ipaddress.ip_address(address.partition("%")[0])):
                raise Refusal(_("This link is not on the public internet."))
    return addresses[0]


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return _is_public(inner)
        if address not in _PUBLIC or address.sixtofour or address.teredo:
            return False
    return address.is_global and not address.is_multicast
