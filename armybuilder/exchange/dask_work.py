"""What a Dask worker runs: a call of ours, packed into bytes."""

import os
import pickle
import zlib

import django
from django.apps import apps


def run_packed(packed: bytes) -> bytes:
    """Do the call that was packed, and pack its answer. A worker that did nothing yet reads its
    settings and all catalogues first.
    """
    if not apps.ready:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
        django.setup()
    call = zlib.decompress(packed)
    work, given = pickle.loads(call)  # noqa: S301  # whoever reaches a scheduler runs code anyway
    return pickle.dumps(work(*given))
