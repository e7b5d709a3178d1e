"""Edits: pure functions from a list to the next one, the only door for changes.

One that cannot be done raises `Refusal`. Drafts go through illegal states: nothing is judged.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.rulebook import leading_role
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Setting
from armybuilder.loading import limits
from armybuilder.loading.armylist import (
    ArmyList,
    ListAbility,
    ListBook,
    ListCard,
    ListOption,
    ListProfile,
    ListUnit,
    changed,
    frozen,
    pieces_in,
    with_settings,
)
from armybuilder.loading.documents import offered_by, own_unit
from armybuilder.loading.problems import Refusal


def writable(options: tuple[ListOption, ...], level: int = 1) -> tuple[ListOption, ...]:
    """Return the options. Raises Refusal: one three deep says more than its id."""
    for option in options:
        if level < limits.DEEPEST:
            writable(option.options, level + 1)
        elif option != ListOption(option.id):
            raise Refusal(
                _("An option three levels deep can be taken only once and can’t have options.")
            )
    return options


def chosen_options(picks: tuple[OptionPick, ...]) -> tuple[ListOption, ...]:
    """Return picks as a document writes them: those that are chosen, not those that are given."""
    return tuple(
        ListOption(pick.id, pick.number, options=chosen_options(pick.picks))
        for pick in picks
        if not pick.given
    )


MAX_ID = 999_999_999


def new_document(catalogue: Catalogue, name: str, limit: int) -> ArmyList:
    """Return an empty list of the catalogue's system and books."""
    books = tuple(ListBook(book.id, book.revision) for book in catalogue.books)
    document = with_settings(ArmyList(catalogue.system.id, books, "", 1), {})
    return set_limit(rename(document, name), limit)


def rename(document: ArmyList, name: str) -> ArmyList:
    return replace(document, name=read_name(name, required=True))


def read_name(name: str, required: bool = False) -> str:
    """Return a name in one line. Raises Refusal: it is too long, or missing."""
    return _text(name, limits.MAX_NAME, _("The name"), required=required)


def read_notes(notes: str) -> str:
    """Return notes. Raises Refusal: they are too long."""
    return _text(notes, limits.MAX_NOTES, _("The notes"))


def set_limit(document: ArmyList, limit: int) -> ArmyList:
    return replace(document, limit=_within(limit, 1, limits.MAX_LIMIT, _("The size")))


def set_notes(document: ArmyList, notes: str) -> ArmyList:
    return changed(document, notes=read_notes(notes))


def set_setting(document: ArmyList, catalogue: Catalogue, key: str, value: str) -> ArmyList:
    """Set a setting that the players agreed on; an empty value returns to the default."""
    setting = catalogue.system.settings.get(key)
    if setting is None or setting.kind in ("pieces", "pool"):
        raise Refusal(
            _("{game} has no setting “{name}”.").format(game=catalogue.system.name, name=key[:60])
        )
    settings = dict(document.settings)
    if value == "":
        settings.pop(key, None)
    elif setting.kind == "number":
        settings[key] = whole_number(value, setting.low, setting.high, _(setting.name))
    elif value in offered_by(setting, catalogue):
        settings[key] = value
    else:
        refusal = _("{name} cannot be “{value}”.")
        raise Refusal(refusal.format(name=_(setting.name), value=value[:60]))
    return with_settings(document, settings)


def add_piece(document: ArmyList, catalogue: Catalogue, key: str, piece: str) -> ArmyList:
    """Bring one more piece of a setting that takes several (terrain, a pool of creatures)."""
    if piece not in pieces_of(catalogue, key):
        raise Refusal(_("There is no piece “{name}”.").format(name=piece[:60]))
    pieces = [*_pieces(document, key), piece]
    if len(pieces) > limits.MAX_PIECES:
        raise Refusal(_("That is more than {number} pieces.").format(number=limits.MAX_PIECES))
    return with_settings(document, {**document.settings, key: tuple(pieces)})


def pieces_of(catalogue: Catalogue, key: str) -> dict[str, str]:
    """Return the names, by id, offered by a setting that takes several; else nothing."""
    setting: Setting | None = catalogue.system.settings.get(key)
    if setting is not None and setting.kind == "pool":
        return {ref: unit.name for ref, unit in catalogue.units.items()}
    if setting is not None and setting.kind == "pieces":
        return {piece.id: piece.name for piece in setting.values.values()}
    return {}


def remove_piece(document: ArmyList, key: str, piece: str) -> ArmyList:
    """Leave one piece behind; of several equal ones, the last."""
    pieces = _pieces(document, key)
    if piece not in pieces:
        raise Refusal(_("That piece is no longer on the list."))
    last = len(pieces) - 1 - pieces[::-1].index(piece)
    left = (*pieces[:last], *pieces[last + 1 :])
    return with_settings(document, {**document.settings, key: left})


def add_unit(document: ArmyList, catalogue: Catalogue, ref: str) -> tuple[ArmyList, str]:
    """Add the least of a unit, or one model to a plain entry; return the entry's id too."""
    unit = catalogue.units.get(ref)
    if unit is None:
        raise Refusal(_("The chosen books have no unit “{name}”.").format(name=ref[:80]))
    role = leading_role(unit, catalogue.system)
    if role and not any(role in entry.roles for entry in document.units):
        return _append(document, replace(new_entry(unit), roles=(role,)))
    if unit.size is not None:
        return _append(document, new_entry(unit))
    for entry in document.units:
        plain = entry == ListUnit(entry.id, entry.models, ref, card=entry.card)
        if plain and entry.models < limits.MAX_MODELS:
            return set_models(document, entry.id, entry.models + 1), entry.id
    return _append(document, new_entry(unit))


def new_entry(unit: Unit) -> ListUnit:
    """Return the least there is of a unit, with the options it starts with, without an id."""
    options = writable(chosen_options(unit.fresh))
    return ListUnit("", unit.smallest, unit.ref, options=options)


def add_own(document: ArmyList, catalogue: Catalogue, profile: ListProfile) -> tuple[ArmyList, str]:
    """Add one of the player's own models; see `own_profile`. Returns its id too."""
    if not catalogue.system.own_models:
        raise Refusal(_("{game} has no custom models.").format(game=catalogue.system.name))
    unit = own_unit(profile, catalogue, "", [])
    return _append(document, ListUnit("", unit.smallest if unit else 1, profile=profile))


def own_profile(
    catalogue: Catalogue,
    name: str,
    stats: Mapping[str, str],
    abilities: list[str],
    targets: Mapping[str, str],
) -> ListProfile:
    """Return a custom model from a form; numbers within the system's bounds."""
    system = catalogue.system
    numbers = {}
    for stat in system.stats.values():
        low, high = stat.low or 0, 99 if stat.high is None else stat.high
        numbers[stat.id] = whole_number(stats.get(stat.id, ""), low, high, stat.name)
    uses = []
    for ability_id in dict.fromkeys(abilities):
        ability = catalogue.abilities.get(ability_id)
        if ability is None:
            raise Refusal(_("There is no special rule “{name}”.").format(name=ability_id[:60]))
        aimed = ""
        if ability.target and (target := targets.get(ability_id, "").strip()):
            what = _("The target of {name}").format(name=ability.name)
            aimed = _text(target, 60, what)
        uses.append(ListAbility(ability_id, aimed))
    name = _text(name, limits.MAX_NAME, _("The name"), required=True)
    return ListProfile(name, frozen(numbers), tuple(uses))


def set_profile(document: ArmyList, entry_id: str, profile: ListProfile) -> ArmyList:
    if find(document, entry_id).profile is None:
        raise Refusal(_("That is not a custom model."))
    return change_entry(document, entry_id, lambda entry: replace(entry, profile=profile))


def set_models(document: ArmyList, entry_id: str, models: int) -> ArmyList:
    """Set how many models; none takes the entry off the list."""
    _within(models, 0, limits.MAX_MODELS, _("The number of models"))
    if models == 0:
        return remove(document, entry_id)
    return change_entry(document, entry_id, lambda entry: replace(entry, models=models))


def step_models(document: ArmyList, entry_id: str, step: int) -> ArmyList:
    """One model more (+1) or less (-1)."""
    return set_models(document, entry_id, find(document, entry_id).models + step)


def remove(document: ArmyList, entry_id: str) -> ArmyList:
    find(document, entry_id)
    return replace(document, units=tuple(entry for entry in document.units if entry.id != entry_id))


def duplicate(document: ArmyList, catalogue: Catalogue, entry_id: str) -> tuple[ArmyList, str]:
    """Put a copy behind the entry, without roles only one may have. Returns its id too."""
    entry = find(document, entry_id)
    known = catalogue.system.roles
    roles = tuple(role for role in entry.roles if role not in known or not known[role].alone)
    copy = changed(entry, id=next_id(document), roles=roles)
    place = _place(document, entry_id) + 1
    units = (*document.units[:place], copy, *document.units[place:])
    return _with_units(document, units), copy.id


def move(document: ArmyList, entry_id: str, step: int) -> ArmyList:
    """Move the entry up (-1) or down (+1); at either end it stays."""
    place = _place(document, entry_id)
    target = min(max(place + step, 0), len(document.units) - 1)
    units = list(document.units)
    units.insert(target, units.pop(place))
    return replace(document, units=tuple(units))


def move_before(document: ArmyList, entry_id: str, before: str) -> ArmyList:
    """Move the entry to just before another; "" is behind all. Raises Refusal where one is gone."""
    moved = find(document, entry_id)
    if before == entry_id:
        return document
    rest = remove(document, entry_id)
    place = _place(rest, before) if before else len(rest.units)
    return replace(rest, units=(*rest.units[:place], moved, *rest.units[place:]))


def rename_unit(document: ArmyList, entry_id: str, name: str) -> ArmyList:
    """Give the entry a custom name; an empty one restores the unit's."""
    return change_entry(
        document,
        entry_id,
        lambda entry: changed(entry, name=read_name(name)),
    )


def note_unit(document: ArmyList, entry_id: str, notes: str) -> ArmyList:
    notes = read_notes(notes)
    return change_entry(document, entry_id, lambda entry: changed(entry, notes=notes))


def switch_role(document: ArmyList, catalogue: Catalogue, entry_id: str, role: str) -> ArmyList:
    """Give the entry a role, or take it away; one that is `alone` leaves its former entry."""
    known = catalogue.system.roles.get(role)
    if known is None:
        raise Refusal(
            _("{game} has no role “{name}”.").format(game=catalogue.system.name, name=role[:60])
        )
    if known.alone and role not in find(document, entry_id).roles:
        for entry in document.units:
            if role in entry.roles:
                document = switch_role(document, catalogue, entry.id, role)

    def switched(entry: ListUnit) -> ListUnit:
        roles = tuple(held for held in entry.roles if held != role)
        return changed(entry, roles=roles if role in entry.roles else (*roles, role))

    return change_entry(document, entry_id, switched)


def split_role(
    document: ArmyList, catalogue: Catalogue, entry_id: str, role: str
) -> tuple[ArmyList, str]:
    """Let exactly one model of an entry have a role, and return the id of its new entry too."""
    entry = find(document, entry_id)
    known = catalogue.system.roles.get(role)
    if known is None or not known.act_one or entry.models < 2:
        raise Refusal(_("There is nothing to split."))
    others = tuple(held for held in entry.roles if held != role)
    one = changed(entry, id=next_id(document), models=1, roles=(*others, role))
    rest = changed(entry, models=entry.models - 1, roles=others)
    place = _place(document, entry_id)
    units = (*document.units[:place], rest, one, *document.units[place + 1 :])
    return _with_units(document, units), one.id


def fill_card(
    document: ArmyList, catalogue: Catalogue, entry_id: str, fields: Mapping[str, str]
) -> ArmyList:
    """Fill in blanks of a unit ("points", "ratings.commander"); empty texts stay open."""
    unit = catalogue.units.get(find(document, entry_id).ref)
    if unit is None or not unit.blanks:
        raise Refusal(_("This card has nothing left to fill in."))
    points: int | None = None
    attributes: dict[str, str] = {}
    ratings: dict[str, int] = {}
    for blank in unit.blanks:
        value = fields.get(blank.field, "").strip()
        if not value:
            continue
        kind, __, key = blank.field.partition(".")
        if kind == "attributes":
            attribute = catalogue.system.attributes[key]
            if value not in attribute.values:
                refusal = _("{name} cannot be “{value}”.")
                raise Refusal(refusal.format(name=attribute.name, value=value[:60]))
            attributes[key] = value
        elif kind == "ratings":
            what = _("The {name}").format(name=blank.name)
            ratings[key] = whole_number(value, 0, 99, what)
        else:
            points = whole_number(value, 0, 999, _("The points"))
    card = ListCard(points, frozen(attributes), frozen(ratings))
    return change_entry(document, entry_id, lambda entry: replace(entry, card=card or None))


def find(document: ArmyList, entry_id: str) -> ListUnit:
    """Return the entry of an id. Raises Refusal where it is gone."""
    for entry in document.units:
        if entry.id == entry_id:
            return entry
    raise Refusal(_("That unit is no longer on the list."))


def next_id(document: ArmyList) -> str:
    """Return an id above the highest, so that none comes back; at the top, the lowest free one."""
    taken = {int(entry.id[1:]) for entry in document.units}
    number = max(taken, default=0) + 1
    if number > MAX_ID:
        number = next(free for free in range(1, len(taken) + 2) if free not in taken)
    return f"u{number}"


def whole_number(text: str, low: int, high: int, what: str) -> int:
    """Return the number in a form field. Raises Refusal where it is none or out of bounds."""
    digits = text.strip()
    if not (digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit()):
        raise Refusal(_("{what} must be a whole number.").format(what=what))
    # Of a very long number it is enough that it is out of bounds.
    return _within(int(digits) if len(digits) <= 9 else high + 1, low, high, what)


def _within(number: int, low: int, high: int, what: str) -> int:
    if not low <= number <= high:
        raise Refusal(
            _("{what} must be from {low} to {high}.").format(what=what, low=low, high=high)
        )
    return number


def _text(text: str, longest: int, what: str, required: bool = False) -> str:
    text = text.replace("\r\n", "\n").replace("\0", "")
    text = " ".join(text.split()) if longest <= limits.MAX_NAME else text.strip()
    if len(text) > longest:
        refusal = _("{what}: {number} characters; the maximum is {longest}.")
        raise Refusal(refusal.format(what=what, number=len(text), longest=longest))
    if required and not any(letter.isprintable() and letter != " " for letter in text):
        raise Refusal(_("{what} is empty.").format(what=what))
    return text


def _pieces(document: ArmyList, key: str) -> list[str]:
    """Return the pieces chosen in a setting; a file may hold a single one, or something else."""
    return [piece for piece in pieces_in(document.settings.get(key)) if isinstance(piece, str)]


def _with_units(document: ArmyList, units: tuple[ListUnit, ...]) -> ArmyList:
    if len(units) > limits.MAX_UNITS:
        raise Refusal(_("A list holds at most {number} units.").format(number=limits.MAX_UNITS))
    return replace(document, units=units)


def _append(document: ArmyList, entry: ListUnit) -> tuple[ArmyList, str]:
    entry = replace(entry, id=next_id(document))
    return _with_units(document, (*document.units, entry)), entry.id


def _place(document: ArmyList, entry_id: str) -> int:
    return document.units.index(find(document, entry_id))


def change_entry(
    document: ArmyList, entry_id: str, change: Callable[[ListUnit], ListUnit]
) -> ArmyList:
    found = find(document, entry_id)
    units = (change(entry) if entry is found else entry for entry in document.units)
    return replace(document, units=tuple(units))
