"""What can be taken out of a source file, and put back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from xml.etree.ElementTree import Element

#: Elements that say something about an army, and not only how it looks.
TAGS = frozenset((
    "modifier", "condition", "conditionGroup", "constraint", "categoryLink", "cost", "repeat",
    "selectionEntry", "selectionEntryGroup", "entryLink",
))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Construct:
    """An element with all it stands in, the root first."""

    element: Element
    above: tuple[Element, ...]

    @property
    def tag(self) -> str:
        """What kind of thing it is."""
        return self.element.tag

    @property
    def owner(self) -> Element:
        """The nearest thing around it that has a name: an entry, group, link or category."""
        return next(one for one in reversed(self.above) if one.get("name"))

    def inside(self, tag: str) -> Element | None:
        """The nearest element of this kind around it."""
        return next((one for one in reversed(self.above) if one.tag == tag), None)

    def __str__(self) -> str:
        names = [one.get("name", "") for one in self.above[1:] if one.get("name")]
        said = " ".join(f"{key}={value}" for key, value in self.element.attrib.items())
        return f"{' › '.join(names)}: {self.tag} {said}"


def constructs(root: Element) -> list[Construct]:
    """Everything in a file that can be taken away, in its order."""
    return list(_below(root, (root,)))


def _below(element: Element, above: tuple[Element, ...]) -> Iterator[Construct]:
    for child in element:
        if child.tag in TAGS:
            yield Construct(child, above)
        yield from _below(child, (*above, child))


@contextmanager
def without(construct: Construct) -> Iterator[None]:
    """The file without the construct, for a while."""
    parent = construct.above[-1]
    place = list(parent).index(construct.element)
    parent.remove(construct.element)
    try:
        yield
    finally:
        parent.insert(place, construct.element)
