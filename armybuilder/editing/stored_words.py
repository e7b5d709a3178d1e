"""Sentences that are stored and later recognised, in whatever language they were stored."""

from functools import lru_cache

from django.conf import settings
from django.utils.translation import gettext, override

from armybuilder.engine.wording import marked

#: What is said once a list was filled at random, and kept as the act: the list offers another then.
FILLED = marked("Something to begin with, put together at random. Change whatever you like.")
#: What the act of a version says of the version it went back to.
BACK = marked("Back to: {act}")


@lru_cache(maxsize=32)
def in_every_language(text: str) -> tuple[str, ...]:
    """Return a marked text as it is in each language of the interface."""
    said = []
    for code, _name in settings.LANGUAGES:
        with override(code):
            said.append(gettext(text))
    return tuple(dict.fromkeys(said))


def back_to(act: str) -> str:
    """Return the act of going back to a version of this act, said once however often done."""
    for told in in_every_language(BACK):
        before, _act, after = told.partition("{act}")
        if act.startswith(before) and act.endswith(after) and len(act) > len(before + after):
            act = act[len(before) : len(act) - len(after)]
            break
    return gettext(BACK).format(act=act)


def filled_at_random(act: str) -> bool:
    """Return whether an act is that which filled the list at random."""
    return act in in_every_language(FILLED)
