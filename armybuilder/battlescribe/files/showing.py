"""Display of a pick: name, rules and profiles, with their modifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.reading import FileElement, is_far, number_of
from armybuilder.battlescribe.files.relative import ReachedChange, reached_changes
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import CHANGES, Change, Kind, Number, whole
from armybuilder.engine.kernel.evaluation import Evaluation

#: The first number of a text, as files write it.
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class ShownProfile:
    """A displayed profile, or a rule (without a type): its values by name, in order.

    `annotation` is the note after its name.
    """

    name: str
    type: str
    type_id: str
    page: str
    publication: str
    values: tuple[tuple[str, str, str], ...] = ()
    description: str = ""
    annotation: str = ""


def text_of(
    definition: FileDefinition, field: str, base: str, evaluation: Evaluation, node: Node
) -> str:
    """Return a text of a definition with what changes it, as seen from a pick."""
    text = base
    if field not in definition.modifiers:
        return text
    for change, (modifier, _) in zip(
        definition.changes(field),
        [pair for pair in definition.modifiers.get(field, ()) if not is_far(pair[0])],
        strict=True,
    ):
        times = change.times(evaluation, node)
        if times:
            text = _changed(text, change, times, modifier)
    return text


def _changed(text: str, change: Change, times: int, modifier: FileElement) -> str:
    value, join = change.value, modifier.get("join", " ")
    if change.act == "set":
        return value
    if change.act == "append":
        return text + f"{join}{value}" * times if text else value
    if change.act == "prepend":
        return f"{value}{join}{text}"
    if change.act == "replace":
        return text.replace(modifier.get("arg") or value, value)
    found, number = _NUMBER.search(text), number_of(value)
    base = None if found is None else number_of(found[0])
    if found is None or base is None or number is None:
        return text
    return text[: found.start()] + _numbered(base, number, change, times) + text[found.end() :]


def _numbered(base: Number, number: Number, change: Change, times: int) -> str:
    """Return a number within a text after its changes; the surrounding text stays: 6", 3+."""
    act = CHANGES.get(change.act)
    return number_text(base if act is None else whole(act(base, number, times)))


def number_text(number: Number) -> str:
    """Return a number as files write it."""
    return str(number) if isinstance(number, int) else format(float(number), "g")


class Shown:
    """The names, rules and profiles shown on a list, with what changes them."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    def name(self, node: Node) -> str:
        """Return the name of a pick, as changed."""
        definition = node.definition
        if not isinstance(definition, FileDefinition):
            return definition.name
        name = text_of(definition, "name", definition.name, self.evaluation, node)
        return self._changed_from_afar(name, "name", node, None)

    @cached_property
    def _reached(self) -> dict[Node, list[ReachedChange]]:
        return reached_changes(self.evaluation)

    def _changed_from_afar(self, text: str, field: str, node: Node, type: str | None) -> str:
        """Return a text of a pick, or of its profiles of a type, as other picks change it."""
        for relative, source in self._reached.get(node, ()):
            same = relative.type == type or (relative.type == "" and type is not None)
            if same and relative.field == field:
                times = relative.change.times(self.evaluation, source)
                text = _changed(text, relative.change, times, relative.modifier) if times else text
        return text

    def profiles(self, definition: FileDefinition, node: Node) -> Iterator[ShownProfile]:
        """Yield the profiles and rules that are shown of a definition, in the order of the file."""
        for element in definition.elements:
            yield from self._of(definition, element, False, node)

    def _of(
        self, owner: FileDefinition, element: FileElement, hidden: bool, node: Node
    ) -> Iterator[ShownProfile]:
        for place in ("profiles", "rules"):
            for shown in element.all(place):
                yield from self._show(owner, (shown,), hidden, node)
        for group in element.all("infoGroups"):
            yield from self._of(owner, group, hidden or self._hides(owner, group, node), node)
        for link in element.all("infoLinks"):
            target = owner.book.game.find(link.get("targetId"), link)
            if target is None:
                owner.book.game.note(link, f"infoLink {link.get('targetId')}")
                continue
            inner = hidden or self._hides(owner, link, node)
            if link.get("type") == "infoGroup":
                inner = inner or self._hides(owner, target, node)
                yield from self._of(owner, target, inner, node)
            else:
                yield from self._show(owner, (target, link), inner, node)

    def _as_definition(
        self, owner: FileDefinition, elements: tuple[FileElement, ...]
    ) -> FileDefinition:
        definition = FileDefinition(owner.book, elements[0], Kind.CATEGORY)
        definition.elements = elements
        return definition

    def _hides(self, owner: FileDefinition, element: FileElement, node: Node) -> bool:
        definition = self._as_definition(owner, (element,))
        return definition.hidden.holds(self.evaluation, node) is True

    def _show(
        self, owner: FileDefinition, elements: tuple[FileElement, ...], hidden: bool, node: Node
    ) -> Iterator[ShownProfile]:
        definition = self._as_definition(owner, elements)
        if hidden or definition.hidden.holds(self.evaluation, node) is True:
            return
        main = elements[0]

        type = main.get("typeName")

        def text(field: str, base: str) -> str:
            own = text_of(definition, field, base, self.evaluation, node)
            return self._changed_from_afar(own, field, node, type) if type else own

        yield ShownProfile(
            name=text("name", main.get("name")),
            type=type,
            type_id=main.get("typeId"),
            page=text("page", main.get("page")),
            publication=main.get("publicationId"),
            values=tuple(
                (one.get("name"), one.get("typeId"), text(one.get("typeId"), one.get("$text")))
                for one in main.all("characteristics")
            ),
            description=text("description", main.get("description")),
            annotation=text("annotation", main.get("annotation")),
        )
