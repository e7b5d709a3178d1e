"""The content of a `system.json` for a game of BattleScribe files."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import Element

from armybuilder.battlescribe.books.names import clean, kebab
from armybuilder.battlescribe.games.rules import roles_of, rules_of, sentences_of
from armybuilder.engine.wording import say, say_count
from armybuilder.loading.own_systems import NO_RULEBOOK

Written = dict[str, Any]

#: Game sizes where the files say none.
USUAL_SIZES: Final = (500, 1000, 1500, 2000)
_MOST_SIZES: Final = 8
_LONGEST: Final = 200


@dataclass(frozen=True)
class GameFile:
    """A game system's file: its name, its root, the kind of cost that is its points, and the roots
    of the catalogues.
    """

    file: str
    root: Element
    points: Element
    catalogues: tuple[Element, ...] = ()

    @property
    def name(self) -> str:
        """What the game is called."""
        return clean(self.root.get("name", ""))[:_LONGEST] or self.file

    @property
    def revision(self) -> str:
        """The revision of the file, as citations name it."""
        return f"revision {clean(self.root.get('revision', ''))[:20] or '0'}"

    def gaps(self, system: Mapping[str, Any]) -> Iterator[str]:
        """Yield what the file does not say of the game, a sentence each."""
        if system["points"]["sizes"] == list(USUAL_SIZES):
            yield say("{file} sets no game size; common sizes are offered.", file=self.file)
        if rules := len(self.root.findall("rules/rule")):
            yield say_count(
                "{number} rule in {file} is plain text and can’t be checked.",
                "{number} rules in {file} are plain text and can’t be checked.",
                rules,
                file=self.file,
            )


def system_of(game: GameFile, id_: str, books: Sequence[Mapping[str, Any]]) -> Written:
    """Return the game system with this id that judges the books, which its rules go by."""
    rules = rules_of(books, game.revision)
    points = clean(game.points.get("name", ""))[:_LONGEST] or "Points"
    sizes = game_sizes(game, books)
    return {
        "format": "system/1",
        "id": id_,
        "name": game.name,
        "about": f"{game.name}, made of the game's BattleScribe files.",
        "reservation": NO_RULEBOOK,
        "sources": {
            "files": {
                "title": f"{game.name}: BattleScribe file {game.file}, {game.revision}",
                "short": game.name,
            }
        },
        "points": {"name": points, "sizes": sizes, "default": sizes[(len(sizes) - 1) // 2]},
        "words": {"model": "model", "list": "army"},
        "sized": True,
        "stats": stats_of(game, books),
        "attributes": [],
        "abilities": [],
        "roles": roles_of(books, game.revision),
        "settings": [],
        "rules": rules,
        "sentences": sentences_of(rules),
        "facts": [],
    }


def game_sizes(game: GameFile, books: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the usual sizes, in points: the file's own limit, else those that its conditions ask
    about, else usual ones.
    """
    told = re.fullmatch(r"(\d{1,6})(?:\.0*)?", game.points.get("defaultCostLimit", ""))
    if told and int(told[1]):
        return [int(told[1])]
    asked = {size for book in books for size in _asked_sizes(book)}
    return sorted(size for size in asked if size > 0)[:_MOST_SIZES] or list(USUAL_SIZES)


def _asked_sizes(value: Any) -> Iterator[int]:
    """Yield the game sizes that conditions anywhere in a book ask about."""
    if isinstance(value, Mapping):
        limit = value.get("limit")
        if isinstance(limit, Mapping):
            yield from (size for size in limit.values() if isinstance(size, int))
        for inner in value.values():
            yield from _asked_sizes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _asked_sizes(inner)


def stats_of(game: GameFile, books: Sequence[Mapping[str, Any]]) -> list[Written]:
    """Return the statistics of all stat lines, in the order of the files; all of them texts."""
    used = {stat for book in books for row in _rows(book) for stat in row.get("stats", ())}
    names = {
        kebab(column.get("name", "")): clean(column.get("name", "")) or "unnamed"
        for root in (game.root, *game.catalogues)
        for column in root.iter("characteristicType")
    }
    kept = {id_: name for id_, name in names.items() if id_ in used}
    return [{"id": id_, "name": name, "short": name, "text": True} for id_, name in kept.items()]


def _rows(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield from value.get("profiles", ())
        for inner in value.values():
            yield from _rows(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _rows(inner)
