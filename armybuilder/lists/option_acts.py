"""The acts that change what is taken on a unit. Each says what is on it now."""

from django.utils.translation import gettext as _

from armybuilder.engine.options import Offer, Option
from armybuilder.engine.wording import spelled
from armybuilder.lists import edits, option_edits
from armybuilder.lists.acts import Asked, Done, act, entry_touched
from armybuilder.lists.option_entries import Entry, unfolded
from armybuilder.loading.documents import Document
from armybuilder.loading.limits import MAX_TIMES


@act("option", entry_touched)
def _option(asked: Asked) -> Done:
    path = asked.fields.get("option", "")
    document = option_edits.switch_option(asked.document, asked.catalogue, asked.unit, path)
    return _done(asked, document, path)


@act("option-number", entry_touched)
def _option_number(asked: Asked) -> Done:
    """So many of an option: `option` is its path, `number` how many."""
    number = edits.whole_number(asked.fields.get("number", ""), 0, MAX_TIMES, _("The number"))
    path = asked.fields.get("option", "")
    document = option_edits.set_number(asked.document, asked.catalogue, asked.unit, path, number)
    return _done(asked, document, path)


@act("put-on", entry_touched)
def _put_on(asked: Asked) -> Done:
    """An enchantment put on a piece of equipment: `option` is its path, `piece` what it is on."""
    path, piece = asked.fields.get("option", ""), asked.fields.get("piece", "")
    document = option_edits.put_on(asked.document, asked.catalogue, asked.unit, path, piece)
    return _done(asked, document, path)


def _done(asked: Asked, document: Document, path: str) -> Done:
    """What the act did, in words, from the option at `path` as it stands now."""
    steps = path.split("/")
    entry = edits.find(document, asked.unit)
    option = _option_at(asked.catalogue.units[entry["unit"]].offer, steps)
    taken = _entry_at(unfolded(entry.get("options", [])), steps)
    said = _told(taken).format(
        unit=asked.name(),
        option=option.name,
        number=taken.get("number", 1) if taken else 0,
        piece=spelled(taken.get("on", "")) if taken else "",
    )
    return Done(document, said, asked.unit)


def _told(taken: Entry | None) -> str:
    """The sentence for what is taken of an option."""
    if taken is None:
        return _("{unit}: without {option}.")
    if "on" in taken:
        return _("{unit}: {option} on {piece}.")
    if taken.get("number", 1) > 1:
        return _("{unit}: with {number} × {option}.")
    return _("{unit}: with {option}.")


def _option_at(offer: Offer, steps: list[str]) -> Option:
    """The option that a path leads to; the edit before has seen that there is one."""
    for step in steps[:-1]:
        offer = offer.slots[step][0].option.offer
    return offer.slots[steps[-1]][0].option


def _entry_at(options: list[Entry], steps: list[str]) -> Entry | None:
    """What a unit's entry says of the option at the end of a path; None where it is not taken."""
    first, *deeper = steps
    entry = next((had for had in options if had["id"] == first), None)
    if entry is None or not deeper:
        return entry
    return _entry_at(entry.get("options", []), deeper)
