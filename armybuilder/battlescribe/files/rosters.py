"""Rosters by the files of their game: XML in, each selection found by its id, and XML out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from armybuilder.battlescribe.files.books import ListDefinition, cost_types
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.documents import ListResolver, Matching, catalogue_of_force
from armybuilder.battlescribe.files.game import GameFiles, opening_limits
from armybuilder.battlescribe.files.reading import FileElement, number_of
from armybuilder.battlescribe.files.showing import Shown, number_text
from armybuilder.battlescribe.xml import element_lines, list_lines, roster_text
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from armybuilder.engine.wording import say
from armybuilder.loading.forcelist import ListForce, ListPick
from armybuilder.loading.problems import Refusal


class RosterReader(ListResolver):
    """Finds the entries that a roster names in its game's files; `unread` are also sentences about
    its numbers that were not understood.
    """

    matching = Matching.IDS

    def read(self, root: FileElement) -> PickList:
        """Return the list of a roster. Raises Refusal where it is none, or of another game."""
        if root.place != "roster":
            raise Refusal(say("This is not a BattleScribe list."))
        if root.get("gameSystemId") != self.game.system.id:
            names = root.get("gameSystemName"), self.game.system.get("name")
            raise Refusal(
                say("The list is for {other}, not for {game}.", other=names[0], game=names[1])
            )
        limits = opening_limits(self.game.system)
        for limit in root.all("costLimits"):
            limits[limit.get("typeId")] = int(self._number(limit, "value", -1))
        forces = tuple(self.force(self._named_force(force)) for force in root.all("forces"))
        return PickList(ListDefinition(self.game), forces, limits)

    def _number(self, element: FileElement, key: str, default: int) -> Number:
        text = element.get(key, str(default))
        number = number_of(text)
        if number is None or (key == "number" and not (isinstance(number, int) and number >= 0)):
            name = element.get("name") or element.id
            self.unread.append(
                say("{name}: the number “{number}” can’t be read.", name=name, number=text)
            )
            return default
        return number

    def _named_force(self, force: FileElement) -> ListForce:
        """Return a force as its roster names it."""
        return ListForce(
            id=force.id,
            entry=force.get("entryId") or "?",
            name=force.get("name"),
            catalogue=self.game.catalogue_of(force) or "?",
            catalogue_name=force.get("catalogueName"),
            revision=force.get("catalogueRevision"),
            custom_name=force.get("customName"),
            notes=force.get("customNotes"),
            picks=tuple([self._named_pick(one) for one in force.all("selections")]),
            forces=tuple([self._named_force(one) for one in force.all("forces")]),
        )

    def _named_pick(self, selection: FileElement) -> ListPick:
        entry = selection.get("entryId") or "?"
        return ListPick(
            id=selection.id,
            entry=entry,
            number=int(self._number(selection, "number", 1)),
            name=selection.get("name") or entry,
            custom_name=selection.get("customName"),
            notes=selection.get("customNotes"),
            picks=tuple([self._named_pick(one) for one in selection.all("selections")]),
        )


class RosterWriter:
    """Writes a list as a roster of BattleScribe."""

    def __init__(self, game: GameFiles, evaluation: Evaluation) -> None:
        self.game = game
        self.evaluation = evaluation
        self.shown = Shown(evaluation)

    def xml(self, id: str, name: str, notes: str = "") -> str:
        """Return the roster as XML."""
        system = self.game.system
        head = {
            "gameSystemId": system.id,
            "gameSystemName": system.get("name"),
            "gameSystemRevision": system.get("revision", "1"),
            **({"customNotes": notes} if notes else {}),
        }
        spent = ((cost, self.evaluation.spent(cost.id)) for cost in self._cost_types)
        shown = ((cost, number) for cost, number in spent if number or cost.root is system)
        inside = [*self._costs(shown), *self._limits(), *self._forces(self.evaluation.top)]
        return roster_text(id, name, head, inside)

    def _costs(
        self, costs: Iterable[tuple[FileElement, Number]], place: str = "costs"
    ) -> list[str]:
        lines: list[str] = []
        for cost, number in costs:
            head = {"name": cost.get("name"), "typeId": cost.id, "value": number_text(number)}
            lines += element_lines(place[:-1], head)
        return list_lines(place, lines)

    @cached_property
    def _cost_types(self) -> list[FileElement]:
        return [*cost_types(self.game, self.evaluation).values()]

    def _limits(self) -> list[str]:
        """Return the limits of costs that differ from those of a new list."""
        limits, usual = self.evaluation.roster.limits, opening_limits(self.game.system)
        own = ((cost, limits.get(cost.id, -1)) for cost in self._cost_types)
        others = ((cost, limit) for cost, limit in own if limit != usual.get(cost.id, -1))
        return self._costs(others, "costLimits")

    def _forces(self, above: Node) -> list[str]:
        lines: list[str] = []
        for force in self.evaluation.below[above]:
            pick, definition = self.evaluation.picks[force], force.definition
            catalogue, name, revision = catalogue_of_force(definition)
            head = {
                "id": pick.id,
                "name": definition.name,
                "entryId": definition.key,
                "catalogueId": catalogue.removesuffix(f"#{name}"),
                "catalogueRevision": revision or "1",
                "catalogueName": name,
            }
            head |= {key: text for key, text in pick.said.items() if "/" not in key}
            roots = [branch.root for branch in self.evaluation.branches[force]]
            lines += element_lines("force", head, [*self._selections(roots), *self._forces(force)])
        return list_lines("forces", lines)

    def _selections(self, nodes: Iterable[Node]) -> list[str]:
        lines: list[str] = []
        for node in nodes:
            definition, pick = node.definition, node.pick
            head = {
                "id": pick.id if pick is not None else "",
                "name": self.shown.name(node),
                "entryId": definition.key,
                **({"entryGroupId": definition.groups[-1].key} if definition.groups else {}),
                **(dict(pick.said) if pick is not None else {}),
                "number": str(node.number),
                "type": definition.type if isinstance(definition, FileDefinition) else "upgrade",
            }
            inside = [*self._costs_of(node), *self._selections(node.below)]
            lines += element_lines("selection", head, inside)
        return list_lines("selections", lines)

    def _costs_of(self, node: Node) -> list[str]:
        own = ((cost, self.evaluation.cost(node, cost.id)) for cost in self._cost_types)
        return self._costs((cost, number) for cost, number in own if number)
