"""Random lists of a community's game on their whole way: built, saved, checked, mended, printed,
and taken out as rosters.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final

from armybuilder.acts.forces import decode_force_act
from armybuilder.battlescribe.files.building import ListBuilder, more_forces
from armybuilder.battlescribe.files.choices import choices_on
from armybuilder.battlescribe.files.documents import Books, books_of, document_of, pick_list
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import read_element
from armybuilder.battlescribe.files.roster_files import read_roster, write_roster
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.worked_out import WorkedOut
from armybuilder.loading.forcelist import ForceList, GameName
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.setup import Setup
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.picks.search import errors_of
from armybuilder.solving.picks.verbs import repair

#: Units of a list, and options that are pressed on each.
UNITS, PRESSES = 5, 3
#: The day on sheets: what is printed hangs on no clock.
DAY: Final = datetime.date(2026, 1, 1)


class Journey:
    """Lists of one game; `seen` counts what became of them."""

    def __init__(self, game: GameFiles) -> None:
        self.game = game
        self.book: Books = books_of(game)
        self.name = GameName("0" * 64, game.system.get("name"), game.system.id)
        self.seen: Counter[str] = Counter()

    def built(self, random: Random) -> WorkedOut:
        """Return a random list, built by the acts that the page's buttons send."""
        builder = ListBuilder(self.game, self.book)
        heads = sorted(head.id for head in self.game.heads.values() if not head.says("library"))
        for cost, limit in builder.roster.limits.items():
            builder.set_limit(cost, limit or -1)
        force = builder.start_force(random.choice(heads), "")
        document = document_of(builder.roster, "Journey", self.name)
        choices = choices_on(builder.evaluation, builder.at(force))
        shown = [choice for choice in choices if not choice.hidden]
        units = [choice for choice in shown if choice.prices] or shown
        for choice in random.choices(units, k=UNITS if units else 0):
            fields = {"act": "add", "ref": f"{force}:{choice.definition.key}"}
            unit = decode_force_act(fields).perform(builder, document).entry
            for _ in range(PRESSES):
                self._press(builder, document, unit, random)
        builder.check_room()
        document = document_of(builder.roster, "Journey", self.name)
        return self._worked_out(document, builder)

    def _press(self, builder: ListBuilder, document: ForceList, unit: str, random: Random) -> None:
        """Press a button of an option of a unit, or of something on it."""
        root = builder.at(unit)
        on: Node = random.choice([root, *(node for node in root.walk() if node.pick)])
        choices = [one for one in choices_on(builder.evaluation, on) if not one.hidden]
        if not choices or on.pick is None:
            return
        choice = random.choice(choices)
        act = random.choice(("take", "take", "leave", "count"))
        fields = {"act": act, "unit": on.pick.id, act: choice.definition.key}
        if act == "count":
            fields[act] += f"={random.randint(0, 4)}"
        try:
            decode_force_act(fields).perform(builder, document)
        except Refusal:
            self.seen["refused presses"] += 1

    def _worked_out(self, document: ForceList, builder: ListBuilder) -> WorkedOut:
        roster, evaluation = builder.roster, builder.evaluation
        return WorkedOut(document, self.game, self.book, roster, (), evaluation)

    def troubles(self, one: WorkedOut) -> Iterator[str]:
        """Yield what goes wrong with a list on its way."""
        self.seen["lists"] += 1
        read = ForceList.from_dict(one.document.to_dict())
        again = pick_list(read, self.game, self.book)
        alone = WorkedOut(read, self.game, self.book, *again, Evaluation(again.roster))
        if read != one.document or again.strays:
            yield "saved, it is another list"
        if alone.costs != one.costs or Counter(alone.told) != Counter(one.told):
            yield "worked out alone, it comes to something else"
        roster = read_element(write_roster(one.document, self.game, one.evaluation).encode())
        back = read_roster(roster, self.game, self.name, self.book)
        if back.document != one.document or back.told:
            yield f"its roster reads otherwise: {back.told}"
        if not drawn_list(one, day=DAY).full_pdf(Setup()).startswith(b"%PDF-"):
            yield "its sheet is no PDF"
        yield from self._mended(one)

    def _mended(self, one: WorkedOut) -> Iterator[str]:
        if one.report.legal:
            self.seen["legal"] += 1
            return
        forces = partial(more_forces, self.game, self.book)
        found = repair(one.evaluation, CpSat(), forces=forces)
        self.seen[str(found.outcome)] += 1
        if found.roster is not None and errors_of(Evaluation(found.roster)):
            yield "the list that is said to be legal is not"
