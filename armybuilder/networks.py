"""From where somebody asks, as limits count it."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings


def address_of(meta: Mapping[str, Any]) -> str:
    """Return the address that asks, or "unknown". What proxies tell is believed of as many as
    PROXIES says.
    """
    address = str(meta.get("REMOTE_ADDR", ""))
    told = [part.strip() for part in meta.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if settings.PROXIES and told[-1]:
        address = told[-min(settings.PROXIES, len(told))]
    return address[:60].replace(" ", "") or "unknown"


def network_of(meta: Mapping[str, Any]) -> str:
    """Return the address that asks; of version 6 the network that one customer has, all of which
    may be theirs.
    """
    address = address_of(meta)
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
