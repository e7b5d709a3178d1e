"""What is wrong with a list by the files of its game, in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from armybuilder.battlescribe.files.definitions import FileBook, FileDefinition
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.rosters import Missing, RosterReader
from armybuilder.battlescribe.files.showing import Shown, number_text
from armybuilder.engine.kernel.branches import Breach, Node, Why
from armybuilder.engine.kernel.definitions import FORCES, NUMBER, Bound, Kind
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.verdict import outcome_words
from armybuilder.engine.wording import say


@dataclass(frozen=True)
class FileVerdict:
    """What the files of a game say of a roster: what is wrong, and what is not judged."""

    sentences: tuple[str, ...]
    unchecked: tuple[str, ...]

    @property
    def is_legal(self) -> bool:
        """Whether nothing is wrong, as far as judged."""
        return not self.sentences

    @property
    def words(self) -> str:
        """The outcome in a few words."""
        return outcome_words(self.is_legal, len(self.unchecked))


def verdict_on(root: FileElement, game: GameFiles) -> FileVerdict:
    """Return what the files of a game say of a roster. Raises Refusal where it cannot be read."""
    books: dict[str, FileBook] = {}

    def book(catalogue: str) -> FileBook:
        if catalogue not in books:
            books[catalogue] = FileBook(game, catalogue)
        return books[catalogue]

    evaluation = Evaluation(RosterReader(game, book).read(root))
    teller = Teller(game, evaluation)
    broken = [breach for breach in evaluation.breaches if breach.why is not Why.UNCHECKED]
    unchecked = [breach for breach in evaluation.breaches if breach.why is Why.UNCHECKED]
    notes = [
        say(
            "{entry} in {file}: {construct} is not understood.",
            entry=note.entry,
            file=note.file,
            construct=note.construct,
        )
        for note in game.notes
    ]
    return FileVerdict(
        tuple(dict.fromkeys(map(teller.sentence, broken))),
        tuple(dict.fromkeys((*map(teller.unchecked, unchecked), *notes))),
    )


class Teller:
    """Says what is wrong with a list."""

    def __init__(self, game: GameFiles, evaluation: Evaluation) -> None:
        self.game = game
        self.evaluation = evaluation
        self.shown = Shown(evaluation)
        roots = [game.system]
        for force in evaluation.forces:
            if isinstance(force.definition, FileDefinition):
                roots += force.definition.book.sources
        self.costs = {cost.id: cost.get("name") for root in roots for cost in root.all("costTypes")}

    def sentence(self, breach: Breach) -> str:
        """Return what is wrong, and by which file."""
        if breach.why is Why.LOOP:
            return say("Prices hang on each other; they are those without any change.")
        if breach.why is Why.LIMIT:
            return say(
                "The list costs {spent} {cost}, at most {limit} are allowed.",
                spent=number_text(breach.measured),
                cost=self.costs.get(breach.cost, breach.cost),
                limit=number_text(breach.allowed),
            )
        if breach.why is Why.HIDDEN or breach.bound is None:
            if isinstance(breach.node.definition, Missing):
                return say("{name} is not in the files.", name=self._name(breach.node))
            return say("{name} may not be taken here.", name=self._name(breach.node)) + self._cite(
                breach.node
            )
        return self._of_bound(breach, breach.bound) + self._cite(breach.node)

    def _of_bound(self, breach: Breach, bound: Bound) -> str:
        most = breach.is_over
        text = (
            say("{name}: {measured} {what} {where}, at most {allowed} allowed.")
            if most
            else say("{name}: {measured} {what} {where}, at least {allowed} needed.")
        )
        field = bound.of_limit or bound.query.field
        what = self.costs.get(field, "") if field not in (NUMBER, FORCES) else ""
        filled = text.format(
            name=bound.definition.name,
            measured=number_text(breach.measured),
            what=what,
            where=say("in {name}", name=self._name(breach.at)),
            allowed=number_text(breach.allowed),
        )
        return " ".join(filled.split()).replace(" ,", ",")

    def unchecked(self, breach: Breach) -> str:
        """Return what is not judged."""
        if breach.bound is None:
            return say("Whether {name} may be taken is not known.", name=self._name(breach.node))
        return say(
            "How much of {name} there may be is not known.", name=breach.bound.definition.name
        )

    def _name(self, node: Node) -> str:
        if node.definition.kind is Kind.LIST:
            return say("the list")
        return self.shown.name(node)

    def _cite(self, node: Node) -> str:
        """Return which file says so, in its revision."""
        definition = node.definition
        if not isinstance(definition, FileDefinition):
            return ""
        root = definition.main.root
        name, revision = root.get("name"), root.get("revision", "?")
        return " " + say(
            "(as the files say: {name}, revision {revision})", name=name, revision=revision
        )
