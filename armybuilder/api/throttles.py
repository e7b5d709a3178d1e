"""Who has asked for too much waits, as on pages: see `armybuilder.admission.budget`."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from armybuilder.admission.middleware import NotNow, check_budget


class BudgetThrottle(BaseThrottle):
    """Asked once it is known who calls."""

    seconds = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        try:
            check_budget(request._request, lambda: request.user)
        except NotNow as refusal:
            self.seconds = refusal.seconds
            return False
        return True

    def wait(self) -> float:
        """Whole seconds until the same call gets through."""
        return self.seconds
