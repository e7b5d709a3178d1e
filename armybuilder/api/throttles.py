"""How much somebody may ask for: by account, or by address where nobody is signed in.

Each has a bucket of calls that refills within a minute; heavy calls take more. Buckets are in the
memory of each process: two workers let up to twice as much through.
"""

import ipaddress
import math
import time
from typing import Any

from django.conf import settings
from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

PERIOD = 60.0  # seconds


class CallThrottle(BaseThrottle):
    """A view's `weight` is the calls it counts for; API_CALLS_PER_MINUTE: the bounds, 0: none."""

    waits = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        kind, who = self._caller(request)
        most = settings.API_CALLS_PER_MINUTE[kind]
        if not most:
            return True
        memory = caches["memory"]
        key = f"api-calls-{kind}-{who}"
        now = time.time()
        empty = max(memory.get(key, now), now)  # when the bucket will have let everything through
        cost = min(PERIOD / most * getattr(view, "weight", 1), PERIOD)
        self.waits = empty + cost - now - PERIOD
        if self.waits > 0:
            return False
        memory.set(key, empty + cost, timeout=PERIOD + 1)
        return True

    def wait(self) -> float:
        """Whole seconds until the same call gets through."""
        return float(math.ceil(self.waits))

    def _caller(self, request: Request) -> tuple[str, str]:
        user = request.user
        if user is not None and user.is_authenticated:
            return "user", str(user.pk)
        return "anonymous", _network(self.get_ident(request) or "")


def _network(address: str) -> str:
    """The address; of version 6 the network that one customer has, all of which may be theirs."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address[:60].replace(" ", "")
    if ip.version == 4:
        return str(ip)
    return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
