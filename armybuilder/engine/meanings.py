"""Meanings of names: rules, weapons, spells, items and other words of a game, each with its source.

A game's file explains them in our own words. Anything else has a place to read it: which book, and
which units.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.citations import Citation
from armybuilder.engine.meaning import Meaning, NameKind
from armybuilder.engine.options import slug
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Table
from armybuilder.engine.wording import Later, label, listed, marked

#: The number behind the name of a rule, or before that of an option.
_NUMBER = re.compile(r"-\d+$|^\d+-")
#: What joins the names of two things that an option gives at once.
_JOINTS = re.compile(r"-(?:and|with)-")


class Meanings:
    """Meanings of a game's names, with those of a catalogue's books."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.of_game = _of_game(catalogue.system)
        # Those of the game are among them.
        self.of_books = {
            slug(ability.name): _ability(ability)
            for key, ability in catalogue.abilities.items()
            if key not in catalogue.system.abilities
        }

    def of(self, name: str) -> Meaning | None:
        """Return the meaning of a name, or of its slug; None where no chosen book has it."""
        known = self.explained(name)
        return _together(known) if known else self._in_books(slug(name))

    def explained(self, name: str) -> tuple[Meaning, ...]:
        """Return the explanations of a name by the game or a book, ignoring its number.

        "Spear and Shield" has two.
        """
        whole = self._explained(slug(name))
        if whole is not None:
            return (whole,)
        parts = map(self._explained, _JOINTS.split(slug(name)))
        return tuple(part for part in parts if part is not None)

    def _explained(self, name: str) -> Meaning | None:
        found = (self.of_books.get(form) or self.of_game.get(form) for form in _forms(name))
        return next(filter(None, found), None)

    def _in_books(self, name: str) -> Meaning | None:
        """Return where to read of a name that only units of the books carry."""
        for book in self.catalogue.books:
            carried = _carried_in(book)
            form = next((form for form in _forms(name) if form in carried), None)
            if form is not None:
                return carried[form].at(book.edition, self.catalogue.system.sized)
        return None


def _together(meanings: Sequence[Meaning]) -> Meaning:
    """Return several meanings joined to one."""
    first, *others = meanings
    if not others:
        return first
    places = dict.fromkeys(str(part.citation) for part in meanings)
    return replace(
        first,
        name=listed(part.name for part in meanings),
        summary=" ".join(f"{label(part.name)} {part.summary}" for part in meanings),
        citation=Citation("; ".join(places), ""),
    )


def _forms(name: str) -> Iterator[str]:
    """Yield a slug, and others of the same thing: without its number, in singular and plural."""
    bare = _NUMBER.sub("", name, count=1)
    yield name
    yield name.removesuffix("s") if name.endswith("s") else f"{name}s"
    if bare != name:
        yield from _forms(bare)


@lru_cache(maxsize=8192)
def is_explained(system: System, name: str) -> bool:
    """Return whether the game itself explains a name, or a part of a compound name."""
    parts = (slug(name), *_JOINTS.split(slug(name)))
    return any(form in _of_game(system) for part in parts for form in _forms(part))


@lru_cache(maxsize=64)
def _of_game(system: System) -> Mapping[str, Meaning]:
    """Return the meanings in a game's file by the slugs of their names; the first of a name."""
    index: dict[str, Meaning] = {}
    for meaning in _listed(system):
        for name in (meaning.name, *meaning.aliases):
            index.setdefault(slug(name), meaning)
    return index


def _listed(system: System) -> Iterator[Meaning]:
    yield from system.glossary
    yield from system.terms
    yield from map(_ability, system.abilities.values())
    yield from system.spells.values()
    for role in system.roles.values():
        yield Meaning(role.name, NameKind.ROLE, role.summary, role.citation)
    for table in system.tables:
        if table.paths:
            yield from _paths(table)
        elif table.named:
            for name, summary, *_rest in table.rows:
                yield Meaning(name, NameKind.CONDITION, summary, table.citation)
    for setting in system.settings.values():
        for piece in setting.values.values():
            if piece.summary:
                citation = Citation(system.source, setting.name)
                yield Meaning(piece.name, NameKind.PIECE, piece.summary, citation)


def _ability(ability: Ability) -> Meaning:
    return Meaning(
        name=ability.name,
        kind=NameKind.ABILITY,
        summary=ability.summary,
        citation=ability.citation,
        group=ability.group,
        note=ability.note,
    )


#: Cell of a table of spells for a fact that its source lacks.
UNTOLD = "not at hand"


def _paths(table: Table) -> Iterator[Meaning]:
    """Yield the paths of a table of spells, each with its spells, and these with their numbers."""
    spells: dict[str, list[str]] = {}
    for path, number, spell, *values in table.rows:
        names = spells.setdefault(path, [])
        if spell == UNTOLD:
            continue
        names.append(f"{number} {spell}".strip())
        pairs = zip(table.columns[3:], values, strict=True)
        known = [f"{column}: {value}" for column, value in pairs if value not in ("", UNTOLD)]
        place = Citation(table.citation.source, f"{path} {number}".strip())
        yield Meaning(spell, NameKind.SPELL, "; ".join(known), place, path)
    for path, names in spells.items():
        citation = Citation(table.citation.source, path)
        yield Meaning(path, NameKind.PATH, ", ".join(names), citation, table.name)


class Carried(NamedTuple):
    """A name that units of a book carry; `group` is the kind of a special item, `unit` the name of
    the only one that has it, else "".
    """

    name: str
    kind: NameKind
    group: str = ""
    unit: str = ""

    def at(self, book: str, sized: bool) -> Meaning:
        """Return where to read of it: in the book of an army, or on cards."""
        if self.unit:
            entry, card = (
                marked("Army book {book}, entry “{unit}”"),
                marked("{book}, card “{unit}”"),
            )
        else:
            entry, card = marked("Army book {book}"), marked("Cards of {book}")
        place = Later(entry if sized else card, book=book, unit=self.unit)
        return Meaning(self.name, self.kind, "", Citation(place, ""), self.group)


@lru_cache(maxsize=32)
def _carried_in(book: Book) -> Mapping[str, Carried]:
    """Return the names of a book's units by their slugs, without what differs in brackets."""
    index: dict[str, Carried] = {}
    for unit in book.units.values():
        for carried in _carried(unit):
            first = index.setdefault(slug(carried.name), carried)
            name = first.name if first.name == carried.name else first.name.partition(" (")[0]
            owner = unit.name if first.unit == unit.name else ""
            index[slug(carried.name)] = first._replace(name=name, unit=owner)
    return index


def _carried(unit: Unit) -> Iterator[Carried]:
    """Yield the names that a unit carries, and those of its possible options."""
    profiles, keywords = [*unit.profiles], [*unit.keywords]
    for option in unit.offer.options():
        kind = NameKind.ITEM if option.item else NameKind.OPTION
        yield Carried(option.name, kind, option.item.replace("-", " "), unit.name)
        profiles += option.profiles
        keywords += option.keywords
    rules = (rule for profile in profiles for rule in profile.rules)
    for name in (*(keyword.name for keyword in keywords), *rules):
        yield Carried(name, NameKind.KEYWORD, unit=unit.name)
