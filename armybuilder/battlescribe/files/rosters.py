"""Rosters by the files of their game: XML in, each selection found by its id, and XML out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from xml.sax.saxutils import quoteattr

from armybuilder.battlescribe.files.books import (
    FileBook,
    ForceDefinition,
    ListDefinition,
    cost_types,
)
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.game import GameFiles, opening_limits
from armybuilder.battlescribe.files.reading import FileElement, number_of
from armybuilder.battlescribe.files.showing import Shown, number_text
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Flag, Kind, Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.wording import say
from armybuilder.loading.problems import Refusal


class Missing(Definition):
    """Something on a roster that the files do not have, or no longer: known by its name alone."""

    def __init__(self, key: str, name: str, kind: Kind = Kind.ENTRY) -> None:
        self.key = key
        self.kind = kind
        self.name = name

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset()

    @cached_property
    def hidden(self) -> Flag:
        return Flag(True)


class MissingForce(Missing):
    """A force that the files do not have, or whose catalogue they lack."""

    def __init__(
        self, key: str, name: str, catalogue: str, catalogue_name: str, revision: str
    ) -> None:
        super().__init__(key, name, Kind.FORCE)
        self.catalogue = catalogue
        self.catalogue_name = catalogue_name
        self.revision = revision


class RosterReader:
    """Finds the entries that a roster names in its game's files; `strays` aren't there, `unread`
    are sentences about parts that were not understood.
    """

    def __init__(self, game: GameFiles, book: Callable[[str], FileBook]) -> None:
        self.game = game
        self._book = book
        self.strays: list[Missing] = []
        self.unread: list[str] = []

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
        forces = tuple(self._force(force, None) for force in root.all("forces"))
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

    def _force(self, force: FileElement, above: Definition | None) -> Pick:
        id = force.get("entryId").rsplit("::", 1)[-1]
        definition: Definition | None = None
        try:
            book = self._book(self.game.catalogue_of(force))
            definition = book.force(id, above if isinstance(above, ForceDefinition) else None)
        except Refusal as refusal:
            self.unread.append(f"{force.get('name')}: {refusal.sentence}")
        if definition is None:
            definition = MissingForce(
                force.get("entryId") or "?",
                force.get("name"),
                force.get("catalogueId") or "?",
                force.get("catalogueName"),
                force.get("catalogueRevision"),
            )
            self.strays.append(definition)
        below = [self._selection(one, definition.children) for one in force.all("selections")]
        below += [self._force(one, definition) for one in force.all("forces")]
        return Pick(force.id, definition, 1, tuple(below), _said(force))

    def _selection(self, selection: FileElement, offered: Iterable[Definition]) -> Pick:
        definition = _named(selection.get("entryId"), offered) or self._stray(selection)
        below = tuple(
            self._selection(one, definition.offered) for one in selection.all("selections")
        )
        number = int(self._number(selection, "number", 1))
        return Pick(selection.id, definition, number, below, _said(selection))

    def _stray(self, element: FileElement) -> Missing:
        key = element.get("entryId") or "?"
        self.strays.append(Missing(key, element.get("name") or key))
        return self.strays[-1]


def _named(key: str, offered: Iterable[Definition]) -> Definition | None:
    """Return the entry that a roster names: by its path of links, otherwise by its own id."""
    named = [definition for definition in offered if definition.key == key]
    if not named:
        own = key.rsplit("::", 1)[-1]
        named = [
            definition
            for definition in offered
            if isinstance(definition, FileDefinition) and own in definition.ids
        ]
    return named[0] if named else None


def _said(element: FileElement) -> dict[str, str]:
    said = {key: element.get(key) for key in ("customName", "customNotes")}
    return {key: text for key, text in said.items() if text}


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
            "id": id,
            "name": name,
            "battleScribeVersion": "2.03",
            "gameSystemId": system.id,
            "gameSystemName": system.get("name"),
            "gameSystemRevision": system.get("revision", "1"),
            **({"customNotes": notes} if notes else {}),
            "xmlns": "http://www.battlescribe.net/schema/rosterSchema",
        }
        spent = ((cost, self.evaluation.spent(cost.id)) for cost in self._cost_types)
        shown = ((cost, number) for cost, number in spent if number or cost.root is system)
        inside = [*self._costs(shown), *self._limits(), *self._forces(self.evaluation.top)]
        lines = [
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
            *_element("roster", head, inside),
        ]
        return "\n".join(lines) + "\n"

    def _costs(
        self, costs: Iterable[tuple[FileElement, Number]], place: str = "costs"
    ) -> list[str]:
        found = [
            f"<{place[:-1]} name={quoteattr(cost.get('name'))} typeId={quoteattr(cost.id)}"
            f' value="{number_text(number)}"/>'
            for cost, number in costs
        ]
        return _list(place, found)

    @cached_property
    def _cost_types(self) -> list[FileElement]:
        forces = (force.definition for force in self.evaluation.forces)
        return [*cost_types(self.game, forces).values()]

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
            book = definition.book if isinstance(definition, FileDefinition) else None
            head = {"id": pick.id, "name": definition.name, "entryId": definition.key}
            if book is not None:
                name = book.root.get("name")
                head |= {
                    "catalogueId": book.root.id.removesuffix(f"#{name}"),
                    "catalogueRevision": book.root.get("revision", "1"),
                    "catalogueName": name,
                }
            elif isinstance(definition, MissingForce):
                head |= {
                    "catalogueId": definition.catalogue,
                    "catalogueRevision": definition.revision,
                    "catalogueName": definition.catalogue_name,
                }
            head |= {key: text for key, text in pick.said.items() if "/" not in key}
            roots = [branch.root for branch in self.evaluation.branches[force]]
            lines += _element("force", head, [*self._selections(roots), *self._forces(force)])
        return _list("forces", lines)

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
            lines += _element("selection", head, inside)
        return _list("selections", lines)

    def _costs_of(self, node: Node) -> list[str]:
        own = ((cost, self.evaluation.cost(node, cost.id)) for cost in self._cost_types)
        return self._costs((cost, number) for cost, number in own if number)


def _element(name: str, attributes: dict[str, str], inside: list[str]) -> Iterator[str]:
    head = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    if not inside:
        yield f"<{name}{head}/>"
        return
    yield f"<{name}{head}>"
    yield from (f"  {line}" for line in inside)
    yield f"</{name}>"


def _list(name: str, inside: list[str]) -> list[str]:
    return list(_element(name, {}, inside)) if inside else []
