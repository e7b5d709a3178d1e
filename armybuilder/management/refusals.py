"""Exit codes and sentences of commands for refusals and for files that can't be read or written."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from armybuilder.loading.problems import Refusal


@contextmanager
def refusing(place: object = None, returncode: int = 2) -> Iterator[None]:
    """Raise CommandError with an exit code for a refusal, or a file that fails.

    Its sentence begins with the place, such as the file that is read.
    """
    try:
        yield
    except OSError as error:
        said = f"{place or error.filename}: {error.strerror}."
        raise CommandError(said, returncode=returncode) from error
    except Refusal as refusal:
        said = refusal.sentence if place is None else f"{place}: {refusal.sentence}"
        raise CommandError(said, returncode=returncode) from refusal
