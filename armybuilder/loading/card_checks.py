"""What is wrong with the cards of a book: words the system does not know, numbers that are texts,
ratings that are missing.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import say
from armybuilder.loading.abilities import own_abilities, read_ability
from armybuilder.loading.problems import pointer
from armybuilder.loading.references import Complaint, complaint, duplicates

Entry = Mapping[str, Any]
Path = tuple[object, ...]

#: What a lift may ask of a unit beside the system's attributes.
_LIFT_ASKS = ("ability", "keyword", "tag")


def card_complaints(book: Entry, system: System) -> Iterator[Complaint]:
    """Yield every mistake on the cards of a book that has passed the schema."""
    yield from _own_complaints(book, system)
    checks = _Checks(book, system)
    for number, entry in enumerate(book["units"]):
        yield from checks.unit(entry, ("units", number))


def _own_complaints(book: Entry, system: System) -> Iterator[Complaint]:
    """Abilities that a book brings have ids of their own; changed points are of known ones."""
    yield from duplicates(book.get("abilities", ()), ("abilities",))
    for number, entry in enumerate(book.get("abilities", ())):
        if entry["id"] in system.abilities:
            message = say(
                "{system} already has an ability “{id}”.", system=system.name, id=entry["id"]
            )
            yield complaint(
                ("abilities", number, "id"), message, say("Use that one, or give yours another id.")
            )
    for ability in book.get("ability_points", {}):
        if ability not in system.abilities:
            message = say(
                "{system} has no ability “{ability}”.", system=system.name, ability=ability
            )
            yield complaint(("ability_points", ability), message, say("Fix the spelling."))


class _Checks:
    """The checks of one book's units."""

    def __init__(self, book: Entry, system: System) -> None:
        self.system = system
        self.game = system.name
        self.abilities = {**own_abilities(book), **system.abilities}

    def unit(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield every mistake of one card."""
        yield from self.attributes(entry, path)
        yield from self.stats(entry, path)
        yield from self.points(entry, path)
        yield from self.uses(entry, path)
        for number, spell in enumerate(entry.get("spells", ())):
            if spell.split(" ")[0] not in self.system.spells:
                message = say("{system} has no spell “{spell}”.", system=self.game, spell=spell)
                yield complaint((*path, "spells", number), message, say("Fix the spelling."))
        for part in entry.get("texts", {}):
            if part not in self.system.texts:
                message = say(
                    "Cards of {system} have no part “{part}”.", system=self.game, part=part
                )
                yield complaint(
                    (*path, "texts", part), message, say("Remove it, or write it as a note.")
                )
        for number, lift in enumerate(entry.get("lifts", ())):
            yield from self.lift(lift, (*path, "lifts", number))

    def attributes(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Values that exist, of attributes that exist."""
        system = self.system
        for attribute, value in entry.get("attributes", {}).items():
            where = pointer((*path, "attributes", attribute))
            if attribute not in system.attributes:
                message = say(
                    "{system} has no attribute “{attribute}”.",
                    system=self.game,
                    attribute=attribute,
                )
                yield Complaint(where, message, say("Remove it."))
                continue
            several = not isinstance(value, str) and len(value) > 1
            if several and system.faction and system.faction.attribute == attribute:
                yield Complaint(
                    where, say("A unit is of one faction in this game."), say("Name one.")
                )
            yield from self.values(attribute, value, where)

    def values(self, attribute: str, value: str | list[str], where: str) -> Iterator[Complaint]:
        """Values of an attribute that there are."""
        known = self.system.attributes[attribute].values
        for single in [value] if isinstance(value, str) else value:
            if single not in known:
                advice = say("Choose one of {words}.", words=", ".join(known))
                yield Complaint(
                    where,
                    say("{attribute} has no value “{value}”.", attribute=attribute, value=single),
                    advice,
                )

    def stats(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Statistics that exist, as numbers or texts."""
        for stat, value in entry.get("stats", {}).items():
            where = pointer((*path, "stats", stat))
            known = self.system.stats.get(stat)
            if known is None:
                message = say("{system} has no statistic “{stat}”.", system=self.game, stat=stat)
                yield Complaint(where, message, say("Remove it."))
            elif known.text != isinstance(value, str):
                kind = say("a text" if known.text else "a whole number")
                advice = (
                    say("Put it in double quotes.")
                    if known.text
                    else say("Write it without quotes.")
                )
                yield Complaint(
                    where, say("{stat} must be {kind}.", stat=known.name, kind=kind), advice
                )

    def points(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Points, or what a formula needs instead."""
        formula = self.system.formula
        if formula is None:
            if "points" not in entry:
                advice = say("Write null if they are unknown.")
                yield complaint(path, say("“points” is missing."), advice)
            return
        for stat in (*formula.weights, formula.statistic):
            if stat not in entry.get("stats", {}):
                yield complaint(
                    (*path, "stats"), say("The price needs “{stat}”.", stat=stat), say("Add it.")
                )

    def uses(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Abilities, none twice."""
        seen: set[str] = set()
        for number, written in enumerate(entry.get("abilities", ())):
            use = read_ability(written)
            where = pointer((*path, "abilities", number))
            known = self.abilities.get(use["ability"])
            if str(use) in seen and known and not known.target:
                yield Complaint(
                    where,
                    say("{ability} is here twice.", ability=known.name),
                    say("Remove one."),
                )
            seen.add(str(use))
            yield from self.use(use, where)

    def use(self, use: Entry, where: str) -> Iterator[Complaint]:
        """Yield an ability with the rating and the target that it needs."""
        ability = self.abilities.get(use["ability"])
        if ability is None:
            message = say(
                "{system} has no ability “{ability}”.", system=self.game, ability=use["ability"]
            )
            advice = say("Fix the spelling, or define it in the book's “abilities”.")
            yield Complaint(where, message, advice)
            return
        if ability.rating == "none" and "rating" in use:
            yield Complaint(
                where,
                say("{ability} has no rating.", ability=ability.name),
                say("Remove the number."),
            )
        if (use.get("rating") or 0) < 0 and ability.rating != "plus":
            yield Complaint(
                where,
                say("{ability} has no rating below 0.", ability=ability.name),
                say("Fix the number."),
            )
        if ability.rating != "none" and "rating" not in use and not ability.rating_optional:
            advice = say("Write “{id} 2”, or “{id} ?” if it is unknown.", id=ability.id)
            yield Complaint(where, say("{ability} needs a rating.", ability=ability.name), advice)
        if ability.target and not ability.target_optional and not use.get("target"):
            advice = say("Write “{id}: ...”.", id=ability.id)
            yield Complaint(
                where,
                say("{ability} must name a {target}.", ability=ability.name, target=ability.target),
                advice,
            )

    def lift(self, lift: Entry, path: Path) -> Iterator[Complaint]:
        """Yield a lift of a rule there is, for units of values there are."""
        rules = {rule.head.id: rule for rule in self.system.rules}
        where = pointer((*path, "rule"))
        if lift["rule"] not in rules:
            message = say("{system} has no rule “{rule}”.", system=self.game, rule=lift["rule"])
            yield Complaint(where, message, say("It has {words}.", words=", ".join(rules)))
        elif not rules[lift["rule"]].can_be_lifted:
            message = say(
                "The rule “{rule}” cannot be lifted from single units.", rule=lift["rule"]
            )
            liftable = (name for name, rule in rules.items() if rule.can_be_lifted)
            yield Complaint(where, message, say("These can: {words}.", words=", ".join(liftable)))
        for kind, wanted in lift["of"].items():
            where = pointer((*path, "of", kind))
            if kind in self.system.attributes:
                yield from self.values(kind, wanted, where)
            elif kind not in _LIFT_ASKS:
                yield Complaint(
                    where,
                    say("Units have no attribute “{kind}”.", kind=kind),
                    say("Fix the spelling."),
                )
