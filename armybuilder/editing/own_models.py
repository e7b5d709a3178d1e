"""Custom models: the values of a new one, and special rules found by typing."""

import re
from collections.abc import Iterable

from django.utils.translation import gettext as _

from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList, ListAbility, ListProfile, frozen
from armybuilder.loading.problems import Refusal

_AIMED = re.compile(r"(?P<name>[^()]+?)\s*\((?P<target>[^()]*)\)")


def matching(abilities: Iterable[Ability], words: str) -> list[Ability]:
    """Return the rules with the words in name or summary, those whose names begin so first.

    If there are none, brackets are read as the target of a rule: "Lethal (Orcs)".
    """
    abilities = list(abilities)
    found = _ranked(abilities, words)
    aimed = None if found else _AIMED.fullmatch(words.strip())
    return [one for one in _ranked(abilities, aimed["name"]) if one.target] if aimed else found


def _ranked(abilities: Iterable[Ability], words: str) -> list[Ability]:
    wanted = words.casefold().strip()
    ranked = []
    for ability in abilities:
        name = ability.name.casefold()
        if wanted in name or wanted in ability.summary.casefold():
            rank = (name != wanted, not name.startswith(wanted), wanted not in name, name)
            ranked.append((rank, ability.id, ability))
    return [ability for _rank, _id, ability in sorted(ranked, key=lambda one: one[:2])]


def typed_rule(catalogue: Catalogue, words: str, held: Iterable[str]) -> ListAbility:
    """Return the rule that the words name best of those not `held`: "fly", "Lethal (Orcs)".

    Raises Refusal where there is none.
    """
    known = set(held)
    lacking = [one for one in catalogue.abilities.values() if one.id not in known]
    found = matching(lacking, words)
    if not found:
        raise Refusal(_("There is no special rule “{name}”.").format(name=words.strip()[:60]))
    aimed = _AIMED.fullmatch(words.strip()) if found[0].target else None
    return ListAbility(found[0].id, aimed["target"].strip() if aimed else "")


def new_profile(document: ArmyList, catalogue: Catalogue, ref: str = "") -> ListProfile:
    """Return the start of an own model: a unit of the books, or the middle of every range.

    Raises Refusal if the books lack the unit, or the game has no own models.
    """
    system = catalogue.system
    if not system.own_models:
        raise Refusal(_("{game} has no custom models.").format(game=system.name))
    middle = {stat.id: ((stat.low or 0) + (stat.high or 0)) // 2 for stat in system.stats.values()}
    if ref:
        unit = catalogue.units.get(ref)
        if unit is None:
            raise Refusal(_("That unit is not in the list’s books."))
        numbers = {key: value for key, value in unit.stats.items() if isinstance(value, int)}
        uses = tuple(ListAbility(use.ability.id, use.target) for use in unit.abilities)
        return ListProfile(unit.name, frozen({**middle, **numbers}), uses)
    taken = {entry.profile.name for entry in document.units if entry.profile is not None}
    names = (_("Model {number}").format(number=number) for number in range(1, len(taken) + 2))
    return ListProfile(next(name for name in names if name not in taken), frozen(middle), ())
