"""Calls to addresses that users have named: only to the public internet.

A name is looked up once, and the connection goes to the address that was looked at: a name that
answers otherwise the next time leads nowhere. Redirections are not followed.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal

#: Seconds for the connection and for each answer of the other side, and bytes that are read of it.
PATIENCE, MOST_READ = 5.0, 1_024


class _PinnedConnection(http.client.HTTPSConnection):
    """A connection to an address that was looked up before, with its host's certificate."""

    def __init__(self, host: str, port: int, address: str) -> None:
        self.context = ssl.create_default_context()
        super().__init__(host, port, timeout=PATIENCE, context=self.context)
        self.address = address

    def connect(self) -> None:
        raw = socket.create_connection((self.address, self.port), PATIENCE)
        self.sock = self.context.wrap_socket(raw, server_hostname=self.host)


def check_address(url: str) -> None:
    """Raise Refusal if it is no https address with a host alone.

    Which host is not looked at before it is called.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise Refusal(_("This is no address.")) from error
    schemes = ("https", "http") if settings.CALLS_ANYWHERE else ("https",)
    if parts.scheme not in schemes or not parts.hostname or parts.username or port == 0:
        raise Refusal(_("Give an address that begins with https://."))


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post a body, and return the status of the answer.

    Raises Refusal for an address that is not public, OSError or HTTPException where there is no
    answer.
    """
    check_address(url)
    parts = urlsplit(url)
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    address = _public_address(host, port)
    if parts.scheme == "https":
        connection: http.client.HTTPConnection = _PinnedConnection(host, port, address)
    else:
        connection = http.client.HTTPConnection(address, port, timeout=PATIENCE)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path, body, {**headers, "Host": parts.netloc})
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
            ip = ipaddress.ip_address(address.partition("%")[0])
            mapped = getattr(ip, "ipv4_mapped", None)
            if not (mapped or ip).is_global or ip.is_multicast:
                raise Refusal(_("This address is not on the public internet."))
    return addresses[0]
