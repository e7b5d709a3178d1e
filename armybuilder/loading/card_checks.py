"""Checks of the cards of a book: unknown words, numbers that are texts, missing ratings."""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import marked, say
from armybuilder.loading.abilities import own_abilities, read_ability
from armybuilder.loading.references import Complaint, complaint, duplicates

Entry = Mapping[str, Any]
Path = tuple[object, ...]

#: What a lift may ask of a unit beside the system's attributes.
_LIFT_ASKS = ("ability", "keyword", "tag")


def card_complaints(book: Entry, system: System) -> Iterator[Complaint]:
    """Yield every mistake on the cards of a book that has passed the schema."""
    # Abilities that a book brings have ids of their own; changed points are of known ones.
    yield from duplicates(book.get("abilities", ()), ("abilities",))
    for number, entry in enumerate(book.get("abilities", ())):
        if entry["id"] in system.abilities:
            path: Path = ("abilities", number, "id")
            message = marked("{system} already has an ability “{id}”.")
            advice = marked("Use that one, or give yours another id.")
            yield complaint(path, message, advice, system=system.name, id=entry["id"])
    for ability in book.get("ability_points", {}):
        if ability not in system.abilities:
            message, where = (
                marked("{system} has no ability “{ability}”."),
                ("ability_points", ability),
            )
            yield complaint(
                where, message, "Fix the spelling.", system=system.name, ability=ability
            )
    checks = _Checks(book, system)
    for number, entry in enumerate(book["units"]):
        yield from checks.unit(entry, ("units", number))


class _Checks:
    """The checks of one book's units."""

    def __init__(self, book: Entry, system: System) -> None:
        self.system = system
        self.game = system.name
        self.abilities = {**own_abilities(book), **system.abilities}

    def unit(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        for attribute, value in entry.get("attributes", {}).items():
            yield from self.attribute(attribute, value, (*path, "attributes", attribute))
        for stat, value in entry.get("stats", {}).items():
            yield from self.stat(stat, value, (*path, "stats", stat))
        yield from self.points(entry, path)
        yield from self.uses(entry, (*path, "abilities"))
        for number, spell in enumerate(entry.get("spells", ())):
            if spell.split(" ")[0] not in self.system.spells:
                message, where = (
                    marked("{system} has no spell “{spell}”."),
                    (*path, "spells", number),
                )
                yield complaint(where, message, "Fix the spelling.", system=self.game, spell=spell)
        for part in entry.get("texts", {}):
            if part not in self.system.texts:
                message = marked("Cards of {system} have no part “{part}”.")
                advice, where = marked("Remove it, or write it as a note."), (*path, "texts", part)
                yield complaint(where, message, advice, system=self.game, part=part)
        for number, lift in enumerate(entry.get("lifts", ())):
            yield from self.lift(lift, (*path, "lifts", number))

    def attribute(self, attribute: str, value: Any, path: Path) -> Iterator[Complaint]:
        if attribute not in self.system.attributes:
            message = marked("{system} has no attribute “{attribute}”.")
            yield complaint(path, message, "Remove it.", system=self.game, attribute=attribute)
            return
        faction = self.system.faction
        several = not isinstance(value, str) and len(value) > 1
        if several and faction and faction.attribute == attribute:
            yield complaint(path, "A unit is of one faction in this game.", "Name one.")
        yield from self.values(attribute, value, path)

    def values(self, attribute: str, value: str | list[str], path: Path) -> Iterator[Complaint]:
        known = self.system.attributes[attribute].values
        named = {"attribute": attribute, "words": ", ".join(known)}
        for single in [value] if isinstance(value, str) else value:
            if single not in known:
                message = marked("{attribute} has no value “{value}”.")
                yield complaint(path, message, "Choose one of {words}.", value=single, **named)

    def stat(self, stat: str, value: object, path: Path) -> Iterator[Complaint]:
        known = self.system.stats.get(stat)
        if known is None:
            message = marked("{system} has no statistic “{stat}”.")
            yield complaint(path, message, "Remove it.", system=self.game, stat=stat)
        elif known.text and not isinstance(value, str):
            kind, advice = say("a text"), marked("Put it in double quotes.")
            yield complaint(path, "{stat} must be {kind}.", advice, stat=known.name, kind=kind)
        elif not known.text and isinstance(value, str):
            kind, advice = say("a whole number"), marked("Write it without quotes.")
            yield complaint(path, "{stat} must be {kind}.", advice, stat=known.name, kind=kind)

    def points(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield that there are no points, or not what a formula needs instead."""
        formula = self.system.formula
        if formula is None:
            if "points" not in entry:
                yield complaint(path, "“points” is missing.", "Write null if they are unknown.")
            return
        for stat in (*formula.weights, formula.statistic):
            if stat not in entry.get("stats", {}):
                yield complaint((*path, "stats"), "The price needs “{stat}”.", "Add it.", stat=stat)

    def uses(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        seen: set[str] = set()
        for number, written in enumerate(entry.get("abilities", ())):
            use, where = read_ability(written), (*path, number)
            ability = self.abilities.get(use["ability"])
            if ability is None:
                message = marked("{system} has no ability “{ability}”.")
                advice = marked("Fix the spelling, or define it in the book's “abilities”.")
                yield complaint(where, message, advice, system=self.game, ability=use["ability"])
                continue
            if str(use) in seen and not ability.target:
                message = marked("{ability} is here twice.")
                yield complaint(where, message, "Remove one.", ability=ability.name)
            seen.add(str(use))
            yield from self.use(use, ability, where)

    def use(self, use: Entry, ability: Ability, path: Path) -> Iterator[Complaint]:
        """Yield that an ability lacks a rating or target, or has a rating too many."""
        named = {"ability": ability.name, "id": ability.id}
        if ability.rating == "none" and "rating" in use:
            yield complaint(path, "{ability} has no rating.", "Remove the number.", **named)
        if (use.get("rating") or 0) < 0 and ability.rating != "plus":
            yield complaint(path, "{ability} has no rating below 0.", "Fix the number.", **named)
        if ability.rating != "none" and "rating" not in use and not ability.rating_optional:
            advice = marked("Write “{id} 2”, or “{id} ?” if it is unknown.")
            yield complaint(path, "{ability} needs a rating.", advice, **named)
        if ability.target and not ability.target_optional and not use.get("target"):
            message, advice = marked(("{ability} must name a {target}.", "Write “{id}: ...”."))
            yield complaint(path, message, advice, target=ability.target, **named)

    def lift(self, lift: Entry, path: Path) -> Iterator[Complaint]:
        """Yield that there is no such rule, or that the units are of no value there is."""
        rules = {rule.head.id: rule for rule in self.system.rules}
        name, where = lift["rule"], (*path, "rule")
        if name not in rules:
            message, words = marked("{system} has no rule “{rule}”."), ", ".join(rules)
            named = {"system": self.game, "rule": name}
            yield complaint(where, message, "It has {words}.", words=words, **named)
        elif not rules[name].can_be_lifted:
            message = marked("The rule “{rule}” cannot be lifted from single units.")
            words = ", ".join(name for name, rule in rules.items() if rule.can_be_lifted)
            yield complaint(where, message, "These can: {words}.", rule=name, words=words)
        for kind, wanted in lift["of"].items():
            where = (*path, "of", kind)
            if kind in self.system.attributes:
                yield from self.values(kind, wanted, where)
            elif kind not in _LIFT_ASKS:
                message = marked("Units have no attribute “{kind}”.")
                yield complaint(where, message, "Fix the spelling.", kind=kind)
