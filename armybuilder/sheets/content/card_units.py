"""From a unit of a book to the face of its card."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine.catalogue import System
from armybuilder.engine.describe import endurance, option_cost, unit_attributes
from armybuilder.engine.options import Group, Option, keyword_tag
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Stat
from armybuilder.loading.unit_fields import price_remark, remark_words
from armybuilder.sheets.content.card_face import (
    FEW,
    KINDS,
    Face,
    Health,
    StatBlock,
)
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.structure import Lines, Named, StatCell, Uses
from armybuilder.sheets.content.unit_words import cap_words, size_of

#: Values of at most so many letters stand in a box under their label; longer ones are words.
SHORT = 4
#: What a part to write abilities in is called.
ABILITIES = gettext_lazy("Special abilities")
#: A group of more options than these is only named.
MOST_NAMES = 14


def face_of(unit: Unit, system: System, kind: str = "") -> Face:
    """Return the face of a unit's card; `kind` is that of its book, "" where nobody says."""
    cells = tuple(_stats(unit, system))
    return Face(
        title=one_line(unit.name) or _("Unnamed"),
        price="?" if unit.price.start is None else str(unit.price.start),
        price_remark=price_remark(unit),
        unique=one_line(unit.unique),
        about=one_line(unit_attributes(unit, system) or unit.group),
        marks=tuple(_marks(unit, system)),
        price_marks=tuple(_price_marks(unit, system)),
        stats=cells,
        blocks=tuple(_blocks(unit, system)),
        health=health_of(unit, system),
        abilities=tuple(
            Uses(one_line(use.label), use.boxes, one_line(use.ability.summary))
            for use in unit.abilities
        ),
        spells=tuple(
            Uses(one_line(spell.name), spell.uses, system.spell_summaries.get(spell.name, ""))
            for spell in unit.spells
        ),
        keywords=tuple(one_line(keyword.name) for keyword in unit.keywords),
        keywords_name=keywords_name(system),
        texts=tuple(_texts(unit, system)),
        lists=tuple(_options(unit)),
        fields=tuple(_open(unit, system)),
        write=tuple(_missing(unit, system)) if unit.blanks else (),
        note=one_line(remark_words(unit)),
        source=source_of(unit, system, kind),
    )


def _marks(unit: Unit, system: System) -> Iterator[str]:
    """Return how many models a unit of many has, and how often an army may have it."""
    if not system.sized:
        return
    if unit.size is not None and unit.counts:
        yield size_of(unit)
    if cap := cap_words(unit):
        yield cap


def _price_marks(unit: Unit, system: System) -> Iterator[str]:
    """Return what more models of a unit of many cost."""
    if system.sized and unit.price.extra:
        yield _("{points} points for each additional model").format(points=f"{unit.price.extra:+}")


def _stats(unit: Unit, system: System) -> Iterator[StatCell]:
    """Return the card's statistics, and empty boxes for unknown ones (health, or all on a card that
    is not complete).
    """
    few = len(system.stats) <= FEW
    for stat in system.stats.values():
        label = stat.name if few else stat.short
        if stat.id in unit.stats:
            yield StatCell(label, one_line(stat.shown(unit.stats[stat.id])), stat.help)
        elif not unit.profiles and (unit.blanks or stat.health):
            yield StatCell(label, "", stat.help)


def _blocks(unit: Unit, system: System) -> Iterator[StatBlock]:
    """The stat lines; rules of theirs that the whole unit has are not told twice, nor its name."""
    known = {keyword_tag(keyword.name) for keyword in unit.keywords}
    for profile in unit.profiles:
        told = [(stat, str(profile.stats.get(stat.id, ""))) for stat in system.stats.values()]
        rules = [rule for rule in profile.rules if keyword_tag(rule) not in known]
        name = "" if profile.name == unit.name else one_line(profile.name)
        yield stat_block(name, told, one_line(", ".join(rules)))


def keywords_name(system: System) -> str:
    """Return what the system calls the words on a unit's card."""
    return _("Rules") if system.sized else _("Keywords")


def stat_block(name: str, told: Iterable[tuple[Stat, str]], rules: str = "") -> StatBlock:
    """Statistics with their values as texts: short ones in boxes, others in words; "" is none."""
    cells, words = [], []
    for stat, text in told:
        value = one_line(text)
        if len(value) > SHORT:
            words.append(f"{stat.short} {value}")
        elif value:
            cells.append(StatCell(stat.short, value, stat.help))
    return StatBlock(name, "; ".join(filter(None, (", ".join(words), rules))), tuple(cells))


def health_of(unit: Unit, system: System, models: int = 1) -> Health | None:
    """Return what each of so many models can take; None where the system or the card tells none."""
    takes = endurance(unit, system)
    return Health(takes.name, takes.each, models, takes.box) if takes else None


def _texts(unit: Unit, system: System) -> Iterator[Lines]:
    for part in system.texts.values():
        lines = tuple(filter(None, map(one_line, unit.texts.get(part.id, ()))))
        if lines:
            yield Lines(part.name, lines)


def _open(unit: Unit, system: System) -> Iterator[str]:
    """Return what the rules need and the card leaves open; statistics have boxes of their own."""
    for blank in unit.blanks:
        yield one_line(blank.name[:1].upper() + blank.name[1:])


def _missing(unit: Unit, system: System) -> Iterator[str]:
    """Parts that a card which is not complete may have beside what we know of it."""
    yield from (part.name for part in system.texts.values() if part.id not in unit.texts)
    if not unit.abilities and not unit.spells:
        yield str(ABILITIES)


def _options(unit: Unit) -> Iterator[Named]:
    """Options by name, group by group; those outside of groups together, the given ones apart."""
    nodes = unit.offer.nodes
    given = [node.name for node in nodes if isinstance(node, Option) and node.given]
    loose = [_priced(node) for node in nodes if isinstance(node, Option) and not node.given]
    for heading, names in ((_("Comes with"), given), (_("Options"), loose)):
        if names:
            yield Named(heading, one_line(", ".join(names)))
    for node in nodes:
        if isinstance(node, Group):
            yield Named(one_line(node.name), one_line(_group(node)))


def _group(group: Group) -> str:
    names = list(dict.fromkeys(_names(group)))
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    number, most = len(names), group.allowance.base
    if most:
        text = ngettext(
            "{number} to choose from, up to {points} point",
            "{number} to choose from, up to {points} points",
            most,
        )
        return text.format(number=number, points=most)
    return _("{number} to choose from").format(number=number)


def _names(group: Group) -> Iterator[str]:
    for node in group.nodes:
        if isinstance(node, Group):
            yield from _names(node)
        elif not node.given:
            yield _priced(node)


def _priced(option: Option) -> str:
    """Return an option with its price: "Shields +2 a model"; a free one by its name alone."""
    cost = option_cost(option)
    return f"{option.name} {cost}" if cost else option.name


def source_of(unit: Unit, system: System, kind: str = "") -> str:
    """Return the small print: collector number and set, the book, its kind, and the game."""
    told = (unit.number, unit.origin, unit.book_name, str(KINDS.get(kind, kind)), system.name)
    return one_line(" · ".join(dict.fromkeys(filter(None, told))))
