"""The acts that change what is taken on a unit. Each says what is on it now."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from armybuilder.acts.registry import Asked, Done, act, entry_touched
from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine.options import Offer, Option
from armybuilder.engine.wording import listed, spelled
from armybuilder.loading.armylist import ArmyList, ListOption
from armybuilder.loading.limits import MAX_TIMES


@act("option", entry_touched)
def _option(asked: Asked) -> Done:
    path = asked.fields.get("option", "")
    document = option_edits.switch_option(asked.document, asked.catalogue, asked.unit, path)
    return _done(asked, document, path)


@act("option-number", entry_touched)
def _option_number(asked: Asked) -> Done:
    """So many of an option: `option` is its path, `number` how many."""
    number = unit_edits.whole_number(asked.fields.get("number", ""), 0, MAX_TIMES, _("The number"))
    path = asked.fields.get("option", "")
    document = option_edits.set_number(asked.document, asked.catalogue, asked.unit, path, number)
    return _done(asked, document, path)


@act("put-on", entry_touched)
def _put_on(asked: Asked) -> Done:
    """An enchantment put on a piece of equipment: `option` is its path, `piece` what it is on."""
    path, piece = asked.fields.get("option", ""), asked.fields.get("piece", "")
    document = option_edits.put_on(asked.document, asked.catalogue, asked.unit, path, piece)
    return _done(asked, document, path)


@act("no-option", entry_touched)
def _no_option(asked: Asked) -> Done:
    """Nothing of a group: `no-option` is its path."""
    path = asked.fields.get("no-option", "")
    document = option_edits.empty_group(asked.document, asked.catalogue, asked.unit, path)
    gone = listed(_gone(asked, document))
    said = _("{unit}: without {option}.").format(unit=asked.name(), option=gone)
    return Done(document, said if gone else _("Nothing changed."), asked.unit)


def _done(asked: Asked, document: ArmyList, path: str) -> Done:
    """What the act did, in words, from the option at `path` as it stands now."""
    steps = path.split("/")
    entry = unit_edits.find(document, asked.unit)
    option = _option_at(asked.catalogue.units[entry.ref].offer, steps)
    taken = _entry_at(entry.options, steps)
    gone = listed(_gone(asked, document)) if taken else ""
    said = _told(taken, gone).format(
        unit=asked.name(),
        option=option.name,
        number=taken.number if taken else 0,
        piece=spelled(taken.on) if taken else "",
        others=gone,
    )
    return Done(document, said, asked.unit)


def _told(taken: ListOption | None, gone: str) -> str:
    """The sentence for what is taken of an option, and what it took the place of."""
    if taken is None:
        return _("{unit}: without {option}.")
    if gone:
        return _("{unit}: {option} instead of {others}.")
    if taken.on:
        return _("{unit}: {option} on {piece}.")
    if taken.number > 1:
        return _("{unit}: with {number} × {option}.")
    return _("{unit}: with {option}.")


def _gone(asked: Asked, document: ArmyList) -> Iterator[str]:
    """The names of the options that the unit had and has no more; not what was taken on them."""
    had, has = (unit_edits.find(one, asked.unit) for one in (asked.document, document))
    offer = asked.catalogue.units[had.ref].offer
    yield from _missing(had.options, has.options, offer)


def _missing(had: Iterable[ListOption], has: Iterable[ListOption], offer: Offer) -> Iterator[str]:
    kept = {entry.id: entry for entry in has}
    for entry in had:
        if entry.id not in offer.slots:
            continue
        option = offer.slots[entry.id][0].option
        if entry.id not in kept:
            yield option.name
        else:
            yield from _missing(entry.options, kept[entry.id].options, option.offer)


def _option_at(offer: Offer, steps: list[str]) -> Option:
    """The option that a path leads to; the edit before has seen that there is one."""
    for step in steps[:-1]:
        offer = offer.slots[step][0].option.offer
    return offer.slots[steps[-1]][0].option


def _entry_at(options: Iterable[ListOption], steps: list[str]) -> ListOption | None:
    """What a unit's entry says of the option at the end of a path; None where it is not taken."""
    first, *deeper = steps
    entry = next((had for had in options if had.id == first), None)
    if entry is None or not deeper:
        return entry
    return _entry_at(entry.options, deeper)
