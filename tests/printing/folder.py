"""Where a test has its prints."""

from pathlib import Path
from typing import Any


def print_into(settings: Any, folder: Path) -> None:
    """Make and keep printed files there; `settings` is the fixture."""
    settings.PRINTS_DIR = folder
    options = {"location": folder, "allow_overwrite": True}
    backend = "django.core.files.storage.FileSystemStorage"
    settings.STORAGES = {
        **settings.STORAGES,
        "prints": {"BACKEND": backend, "OPTIONS": options},
    }
