"""What an act would make of a list, without anything being stored."""

from armybuilder.acts.base import Fields, ListAct
from armybuilder.acts.decoding import decode
from armybuilder.advice.subjects import Subject
from armybuilder.loading.armylist import ArmyList


def performed(subject: Subject, fields: Fields) -> ArmyList | None:
    """Return the list after the act that these fields ask for; None where it needs what is not at
    hand, such as another book. Raises Refusal where it cannot be done.
    """
    act = decode(fields)
    if not isinstance(act, ListAct) or type(act).prepared is not ListAct.prepared:
        return None
    return act.perform(subject.document, subject.catalogue).army_list
