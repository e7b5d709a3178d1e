"""Lists of a community's files as programs see them: verdicts, choices, options and batches."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from armybuilder.accounts.models import User
from armybuilder.api.games import PackSerializer
from armybuilder.api.parsing import any_document_of
from armybuilder.battlescribe.files.barring import Barring
from armybuilder.battlescribe.files.choices import Choice, choices_on
from armybuilder.battlescribe.files.documents import written_pick
from armybuilder.battlescribe.files.reports import Told
from armybuilder.engine.kernel.picks import Pick
from armybuilder.exchange.batch import (
    BatchLine,
    finding_data,
    judged_line,
    report_data,
    unchecked_data,
    unread,
)
from armybuilder.lists.models import OfFiles, Version
from armybuilder.lists.services import check_game
from armybuilder.lists.worked_out import WorkedOut, check_pack_fits, work_out, worked_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import ForceList, check_force_list
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_by_key
from armybuilder.solving.picks.verbs import Clash

#: The list that a call is about: by our books, or by a community's files, worked out.
Subject: TypeAlias = ArmyList | WorkedOut


def subject_of(version: Version) -> Subject:
    """Return a stored list to check. Raises Refusal if its game's files are gone."""
    return worked_out(version) if isinstance(version.content, ForceList) else version.document


def subject_sent(data: Any, user: Any) -> Subject:
    """Return a list to check from a document that was sent.

    Raises Refusal if it is of files that its sender may not see.
    """
    document = any_document_of(data)
    if isinstance(document, ArmyList):
        return document
    check_game(holder_of(user), document)
    return work_out(document)


def holder_of(user: Any) -> str:
    """Return the holder of a user's lists and games; "" of nobody."""
    return user.holder if isinstance(user, User) else ""


def at_event(one: WorkedOut, key: str | None) -> WorkedOut:
    """Return a list worked out for an event by its pack's key, or as it is. Raises Refusal."""
    if key is None:
        return one
    pack = pack_by_key(key)
    if pack is not None:
        check_pack_fits(one.document, pack)
    if not isinstance(pack, FilePack):
        raise Refusal(_("There is no such event pack."))
    return work_out(one.document, pack)


def of_our_books(subject: Subject) -> ArmyList:
    """Return a list of our books. Raises OfFiles for another."""
    if isinstance(subject, WorkedOut):
        raise OfFiles
    return subject


def file_line(data: Any, user: Any) -> BatchLine:
    """Return the line of a document in a batch."""
    begun = time.perf_counter()
    try:
        document = check_force_list(data)
        check_game(holder_of(user), document)
        return judged_line(document, work_out(document).report, begun)
    except Refusal as refusal:
        return unread(refusal, begun)


def choices_data(one: WorkedOut) -> Iterator[dict[str, Any]]:
    """Yield the entries that the files show for the forces of a list, with their new errors."""
    cost = next((cost.id for cost in one.costs), "")
    used = {pick.id for force in one.roster.forces for pick in force.walk()}
    for force in one.evaluation.forces:
        on = one.evaluation.picks[force].id
        for choice in checked(choices_on(one.evaluation, force)):
            if choice.hidden:
                continue
            fresh = (id for id in map("p{}".format, count(1)) if id not in used)
            yield {
                "unit": f"{on}:{choice.definition.key}",
                "name": choice.name.strip(),
                "points": int(choice.prices.get(cost, 0)),
                "entry": written_pick(_with_ids(choice.pick, fresh)).to_dict(),
                "breaks": [finding_data(Told("error", choice.reason))] if choice.reason else [],
                "worsens": [],
                "settles": [],
            }


def _with_ids(pick: Pick, ids: Iterator[str]) -> Pick:
    id = next(ids)
    return replace(pick, id=id, below=tuple(_with_ids(one, ids) for one in pick.below))


def offers_data(one: WorkedOut) -> Iterator[dict[str, Any]]:
    """Yield the picks of a list that may have options, each with these."""
    cost, evaluation = next((cost.id for cost in one.costs), ""), one.evaluation
    for node in checked(evaluation.nodes()):
        if node.pick is None or not node.definition.offered:
            continue
        choices = choices_on(evaluation, node)
        yield {
            "unit": node.pick.id,
            "ref": node.definition.key,
            "name": one.teller.shown.name(node).strip(),
            "points": int(evaluation.total(node, cost)),
            "models": node.number,
            "least": 1,
            "most": None,
            "roles": [],
            "offers": [_offer(choice, cost) for choice in choices if not choice.hidden],
            "card": None,
        }


def _offer(choice: Choice, cost: str) -> dict[str, Any]:
    return {
        "kind": "option",
        "path": choice.definition.key,
        "name": choice.name.strip(),
        "number": choice.number,
        "least": choice.least,
        "most": choice.most,
        "points": int(choice.prices.get(cost, 0)),
        "allowance": None,
        "why": choice.reason,
        "given": False,
        "army": None,
        "army_most": None,
        "on": "",
        "pieces": [],
        "unchecked": "",
        "inner": [],
    }


def clash_data(one: WorkedOut, clash: Clash) -> dict[str, Any]:
    """Return the rules and picks of a clash; a rule is named by its constraint in the files."""
    barring = Barring(one.teller)
    rules = [
        {
            "pointer": str(demand.why) if demand.bound is None else demand.bound.id,
            "summary": barring.demand(demand),
            "citation": one.teller.cited_of(demand.definition).strip("()"),
        }
        for demand in clash.demands
    ]
    return {"rules": rules, "units": [pick.id for pick in clash.picks], "minimal": clash.minimal}


def reports_data(one: WorkedOut) -> dict[str, Any]:
    """Return the verdict on a list as `BothReportsSerializer`: with a pack also the event's."""
    if one.pack is None:
        return report_data(one.report)
    report = one.report
    event = {
        "pack": PackSerializer(one.pack).data,
        "legal": report.legal,
        "verdict": report.outcome_words,
        "findings": [finding_data(told) for told in report.findings if told.of_event],
        "excused": [],
        "unchecked": [unchecked_data(told) for told in report.unchecked if told.of_event],
        "scores": [],
    }
    return {**report_data(work_out(one.document).report), "event": event}
