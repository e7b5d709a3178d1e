"""How much somebody may ask for: by account, or by address where nobody is signed in.

Who asks has a bucket of calls for a minute, which fills again steadily; heavy calls take more of
it. Buckets are in the memory of each process: with two workers up to twice as much gets through.
"""

import math
import time
from typing import Any

from django.conf import settings
from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from armybuilder.networks import network_of

PERIOD = 60.0  # seconds


class CallThrottle(BaseThrottle):
    """A view's `weight` is how many calls one of it counts for; `API_CALLS_PER_MINUTE` has the
    numbers for each kind of caller, 0 for as many as they like.
    """

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
        return "anonymous", network_of(self.get_ident(request) or "")
