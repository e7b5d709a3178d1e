"""Counts that rules need of the whole roster, taken together in one pass over its picks."""

from __future__ import annotations

from armybuilder.engine.selectors import Selector, Tags


class SelectorIndex:
    """The distinct selectors of a system's rules, numbered; and which of them a tag set hits.

    `hits` remembers its answers: an answer never goes stale. Units of books have few tag sets;
    players' own models can have any number, so at most `REMEMBERED` are kept.
    """

    REMEMBERED = 2_000

    def __init__(self) -> None:
        self.selectors: list[Selector] = []
        #: Tags that some book's condition counts in the whole army.
        self.watched: set[str] = set()
        self._hits: dict[Tags, tuple[int, ...]] = {}
        self._option_hits: dict[Tags, tuple[int, ...]] = {}

    def copy(self) -> SelectorIndex:
        """Return the same selectors under the same numbers, to which others can be added."""
        copied = SelectorIndex()
        copied.selectors = list(self.selectors)
        copied.watched = set(self.watched)
        return copied

    def add(self, selector: Selector) -> int:
        """Number of the selector; equal selectors share one."""
        if selector not in self.selectors:
            self.selectors.append(selector)
            self._hits.clear()
            self._option_hits.clear()
        return self.selectors.index(selector)

    def option_hits(self, tags: Tags) -> tuple[int, ...]:
        """Return the same for an option: {"not": ...} alone speaks of units."""
        found = self._option_hits.get(tags)
        if found is None:
            found = tuple(number for number in self.hits(tags) if self.selectors[number].clauses)
            if len(self._option_hits) >= self.REMEMBERED:
                self._option_hits.clear()
            self._option_hits[tags] = found
        return found

    def hits(self, tags: Tags) -> tuple[int, ...]:
        """Numbers of the selectors that match `tags`."""
        found = self._hits.get(tags)
        if found is None:
            found = tuple(
                number for number, selector in enumerate(self.selectors) if selector.matches(tags)
            )
            if len(self._hits) >= self.REMEMBERED:
                self._hits.clear()
            self._hits[tags] = found
        return found
