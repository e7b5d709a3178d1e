"""Fixtures and choice of tests of the whole project."""

from tests.conftest import (
    in_english,
    pytest_collection_finish,
    pytest_collection_modifyitems,
)

__all__ = ["in_english", "pytest_collection_finish", "pytest_collection_modifyitems"]
