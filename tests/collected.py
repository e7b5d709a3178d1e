"""Settings of a server that sends files as `make run` does: packed, under names with a hash."""

from tests.settings import *  # noqa: F403
from tests.settings import STORAGES

STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "armybuilder.packing.Storage"}}
WHITENOISE_AUTOREFRESH = False
WHITENOISE_USE_FINDERS = False
