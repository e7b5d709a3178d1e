"""Keys of a test's own."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.certificates.making import KeyRing


@pytest.fixture(autouse=True)
def ring(tmp_path: Path, settings: Any) -> KeyRing:
    """Return the keys of a server that has signed nothing yet."""
    settings.CERTIFICATE_KEYS = tmp_path / "keys.json"
    return KeyRing(tmp_path / "keys.json")
