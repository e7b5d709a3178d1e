"""Every test counts its attempts anew."""

from tests.accounts.conftest import no_attempts

__all__ = ["no_attempts"]
