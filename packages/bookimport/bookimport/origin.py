"""Where everything of a book stands in its BattleScribe file: the ids that rosters name.

A roster of BattleScribe names each thing by the ids of the links on the way to it, so what is
written is the tree of entries itself: ids, names, links and categories, and beside each entry the
id that the book gives it. Programs that read rosters look for stat lines by their kinds of profile,
so the ids and columns of those are written too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from bookimport.ids import Ids
from bookimport.organisation import shown
from bookimport.source import SourceEntry, SourceFile, SourceForce
from bookimport.survey import Survey
from bookimport.traits import Traits, is_stat_line

Written = dict[str, Any]


@dataclass(frozen=True)
class Tracer:
    """Writes the origin of one book. `forces` are our ids of organisations, `categories` those of
    categories, `known` its entries.
    """

    survey: Survey
    traits: Traits
    ids: Ids
    forces: dict[str, str]
    categories: dict[str, str]
    known: frozenset[SourceEntry]

    def origin(
        self, book_id: str, game: Element, points: Element, types: Iterable[Element]
    ) -> Written:
        """The origin of the book with this id; `game` is the root of the game system's file,
        `points` the kind of cost that its points are, `types` all kinds of profile there are.
        """
        source = self.survey.book
        units = [self._unit(root) for root in source.roots]
        shared = [self._node(entry) for entry in self._targets()]
        return {
            "format": "battlescribe/1",
            "book": book_id,
            "game": _named(game.get("id"), game.get("name"), game.get("revision")),
            "points": {"id": points.get("id"), "name": points.get("name")},
            "catalogue": _named(source.id, source.name, source.revision),
            "forces": [self._force(force) for force in shown(source)],
            "categories": self._categories(source),
            "category_ids": {ours: theirs for theirs, ours in self.categories.items()},
            "profiles": list(self._profile_types(types)),
            "units": units,
            "shared": shared,
        }

    def _force(self, force: SourceForce) -> Written:
        ours = {"organisation": self.forces[force.id]} if force.id in self.forces else {}
        links = [link.target for link in force.categories]
        return {"id": force.id, "name": force.name, **ours, "categories": links}

    def _categories(self, source: SourceFile) -> dict[str, str]:
        """Return the names of all categories that forces and entries are in, by id."""
        found = [link.target for force in shown(source) for link in force.categories]
        found += [id_ for entry in self.survey.order for id_, _primary in entry.categories]
        return {id_: self.survey.name(id_) for id_ in dict.fromkeys(found)}

    def _profile_types(self, types: Iterable[Element]) -> Iterator[Written]:
        """Yield the kinds of profile that stat lines of the book are made of, columns by our ids
        of statistics.
        """
        used = {one.type for file in (self.survey.book, self.survey.system)
                for one in file.profiles.values() if is_stat_line(one)}  # fmt: skip
        for one in types:
            name = one.get("name", "")
            if name in used:
                used.remove(name)
                columns = {
                    cell.get("name", "").lower(): {
                        "name": cell.get("name"),
                        "id": cell.get("id"),
                    }
                    for cell in one.iter("characteristicType")
                }
                yield {"id": one.get("id"), "name": name, "columns": columns}

    def _targets(self) -> list[SourceEntry]:
        """Return what links lead to, in the order it is met."""
        links = [entry for entry in self.survey.order if entry.kind == "link"]
        targets = (self.survey.target(link) for link in links)
        return list(dict.fromkeys(target for target in targets if target is not None))

    def _unit(self, root: SourceEntry) -> Written:
        """Return a root entry; where it is a link there, its target by way of that link."""
        if root not in self.survey.book.linked:
            return self._node(root)
        link, target = self.survey.book.linked[root]
        return {**self._node(root), "id": target.id, "via": link.id}

    def _node(self, entry: SourceEntry) -> Written:
        """Return an entry with all that stands in it; what links lead to stands elsewhere."""
        inner = [child for child in entry.children if self.survey.resolved(child) is not None]
        named = {"to": entry.target} if entry.kind == "link" else {"name": entry.written}
        return {
            "id": entry.id,
            "kind": entry.kind,
            **named,
            **self._ours(entry),
            **_categories_of(entry),
            **({"in": [self._node(child) for child in inner]} if inner else {}),
        }

    def _ours(self, entry: SourceEntry) -> Written:
        """Return what the book makes of an entry: an id, the models, the General, or a group."""
        if entry in self.survey.models.values():
            return {"is": "models"}
        if self.survey.is_general(entry):
            return {"is": "general"}
        found = self.ids.stood_in(entry)
        holder = {"is": "holder"} if self.traits.is_wrapper(entry) else {}
        return {**holder, **({"as": self.ids.of(found)} if found in self.known else {})}


def _named(id_: str | None, name: str | None, revision: str | None) -> Written:
    return {"id": id_, "name": name, "revision": int(revision or 0)}


def _categories_of(entry: SourceEntry) -> Written:
    """Return the ids of its categories, the primary one apart."""
    first = [id_ for id_, primary in entry.categories if primary]
    others = [id_ for id_, primary in entry.categories if not primary]
    return {**({"primary": first[0]} if first else {}), **({"also": others} if others else {})}
