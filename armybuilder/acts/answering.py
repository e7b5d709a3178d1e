"""The act that makes a list what the answer to a question showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from armybuilder.acts.proposals import TakeProposal
from armybuilder.comparing.difference import difference
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.port import NoSolver
from armybuilder.solving.questions import Question, Reply, Sought, answer, questions


@dataclass(frozen=True, slots=True)
class TakeAnswer(TakeProposal):
    """The list that answers a question."""

    name: ClassVar[str] = "take-answer"

    def said(self, before: Judged, after: Judged) -> str:
        lines = difference(before, after).lines()
        return _("Changed: {changes}.").format(changes="; ".join(lines))


def questions_by_id(catalogue: Catalogue) -> Mapping[str, Question]:
    """Return the questions that may be asked."""
    return {question.id: question for question in questions(catalogue)}


def question_name(question: Question) -> str:
    """Return what people call a question."""
    if question.wish is not None:
        return _("The most points of: {name}").format(name=_(question.wish.name))
    if question.sought is Sought.MODELS:
        return _("The most models")
    return _("The cheapest legal list")


def reply_to(question: Question, army_list: ArmyList, catalogue: Catalogue) -> Reply:
    """Return the answer to a question. Raises Refusal where no solver is installed."""
    try:
        return answer(question, army_list, catalogue, CpSat())
    except NoSolver as missing:
        raise Refusal(_("Questions are not available on this site.")) from missing
