"""What may be taken, and why not, is what comes of taking it.

`LISTS=1000 pytest tests/battlescribe/files/test_choices.py` tries so many lists of each game.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from armybuilder.battlescribe.files.books import cost_types
from armybuilder.battlescribe.files.choices import Choice, choices_on
from armybuilder.battlescribe.files.edits import RosterEditor
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.engine.kernel.branches import Breach, Node, Why
from armybuilder.engine.kernel.conditions import Kind
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from tests.battlescribe.files.random_lists import game_in, random_list
from tests.battlescribe.files.specs import Run, read_spec
from tests.battlescribe.files.test_specs import OWN
from tests.battlescribe.files.test_statement import LISTS, TRIED, not_here

pytestmark = pytest.mark.long


class Trial(RosterEditor):
    """A list on which something is tried; `taken` are the picks that are more than before."""

    def __init__(self, game: GameFiles, roster: PickList) -> None:
        super().__init__(game, roster)
        self._ids = count(1)

    def _new_id(self) -> str:
        return f"tried-{next(self._ids)}"

    def taken(self, before: PickList, root: str) -> tuple[Evaluation, set[Node], Node]:
        numbers = {pick.id: pick.number for force in before.forces for pick in force.walk()}
        evaluation = Evaluation(self.roster)
        picks = [(node, node.pick) for node in evaluation.nodes() if node.pick is not None]
        more = {node for node, pick in picks if numbers.get(pick.id, 0) < pick.number}
        return evaluation, more, next(node for node, pick in picks if pick.id == root)


def key_of(breach: Breach) -> tuple[object, ...]:
    bound, at = breach.bound, breach.at
    assert bound is not None
    return bound.id, bound.query.tag, at.pick.id if at.pick is not None else at.definition.key


def blames(
    before: Evaluation, evaluation: Evaluation, more: set[Node], root: Node
) -> Iterator[Breach]:
    """Yield what is wrong, or worse, because of picks that were taken, by all that is wrong."""
    was = {key_of(one): one.measured for one in before.breaches if one.why is Why.BOUND}
    for breach in evaluation.breaches:
        if breach.severity != "error":
            continue
        if breach.why is Why.BOUND:
            worse = key_of(breach) not in was or was[key_of(breach)] < breach.measured
            if breach.is_over and worse and not more.isdisjoint(evaluation.parts(breach)):
                yield breach
        elif breach.why is Why.LIMIT:
            if evaluation.total(root, breach.cost) > 0:
                yield breach
        elif breach.node is root:
            yield breach


def wrong(editor: RosterEditor, choice: Choice, above: str) -> str:
    """Return how a choice says something else than comes of taking it; "" where it does not."""
    trial = Trial(editor.game, editor.roster)
    root = trial.select(above, choice.definition)
    evaluation, more, node = trial.taken(editor.roster, root)
    if evaluation.loops:
        return ""
    found = list(blames(editor.evaluation, evaluation, more, node))
    if bool(found) != bool(choice.reason):
        names = [breach.why if breach.bound is None else breach.bound.id for breach in found]
        return f"{choice.name}: {choice.reason!r}, not {names}"
    fits = choice.most is None or choice.number < choice.most
    if fits != all(breach.why is not Why.BOUND for breach in found):
        return f"{choice.name}: most {choice.most} of {choice.number}, {choice.reason}"
    costs = cost_types(editor.game, evaluation)
    prices = {cost: evaluation.total(node, cost) for cost in costs}
    if (
        node.number == 1
        and {cost: price for cost, price in prices.items() if price} != choice.prices
    ):
        return f"{choice.name}: costs {choice.prices}, not {prices}"
    return ""


def disagreements(editor: RosterEditor, random: Random, tries: int) -> list[str]:
    """Return what is wrong of some choices in each force and on some picks."""
    evaluation = editor.evaluation
    nodes = [node for node in evaluation.nodes() if node.definition.offered]
    found: list[str] = []
    for on in (*evaluation.forces, *random.sample(nodes, min(3, len(nodes)))):
        choices = choices_on(evaluation, on)
        assert [choice.definition for choice in choices] == [*on.definition.offered]
        pick = evaluation.picks[on] if on.definition.kind is Kind.FORCE else on.pick
        assert pick is not None
        tried = random.sample(choices, min(tries, len(choices)))
        found += [wrong(editor, choice, pick.id) for choice in tried]
    return [one for one in found if one]


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_choices_in_specs_foretell_the_verdict(path: Path) -> None:
    assert not disagreements(Run(read_spec(path)).editor, Random(1), 20)  # noqa: S311


@not_here
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_choices_in_random_lists_foretell_the_verdict(path: Path) -> None:
    for number in range(LISTS):
        editor = random_list(game_in(path), random := Random(number))  # noqa: S311
        if editor is not None:
            assert not disagreements(editor, random, 8), number
