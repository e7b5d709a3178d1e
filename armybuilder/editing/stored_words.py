"""Sentences that are stored and later recognised, in whatever language they were stored."""

from django.utils.translation import gettext

from armybuilder.engine.wording import marked
from armybuilder.languages import in_every_language

#: What the act of a version says of the version it went back to.
BACK = marked("Back to: {act}")


def back_to(act: str) -> str:
    """Return the act of going back to a version of this act, said once however often done."""
    for told in in_every_language(BACK):
        before, _act, after = told.partition("{act}")
        if act.startswith(before) and act.endswith(after) and len(act) > len(before + after):
            act = act[len(before) : len(act) - len(after)]
            break
    return gettext(BACK).format(act=act)
