"""What settles findings about single units: their size, their options, what the army caps."""

from collections.abc import Callable, Iterator
from functools import partial

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Answer
from armybuilder.advice.remedies.cases import Case, settles
from armybuilder.advice.remedies.reductions import Way, best, models_answer, option_answer, removal
from armybuilder.editing.option_entries import chosen_options, folded
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.kinds.bearer import Bearer, is_tied
from armybuilder.engine.kinds.cap import CapRule
from armybuilder.engine.kinds.enchants import Enchants
from armybuilder.engine.kinds.entry import Entry
from armybuilder.engine.kinds.model_each import ModelEach
from armybuilder.engine.kinds.per_piece import PerPiece
from armybuilder.engine.kinds.per_unit import PerUnit
from armybuilder.engine.lines import Line, path_of
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Offer, Option
from armybuilder.engine.wording import spelled
from armybuilder.loading.limits import MAX_MODELS, MAX_TIMES
from armybuilder.loading.problems import Refusal


@settles(Entry)
def entry(case: Case) -> Iterator[Answer]:
    """A unit that departs from its entry in the book."""
    for line in case.culprits:
        yield from ASPECTS[case.rule.aspect](
            case, line, "/".join(getattr(case.finding.about, "path", ()))
        )


def _size(case: Case, line: Line, path: str) -> Iterator[Answer]:
    models = case.finding.allowed or 0
    if 0 < models <= MAX_MODELS:
        yield models_answer(line, case.name(line), models)


def _unavailable(case: Case, line: Line, path: str) -> Iterator[Answer]:
    if not path:
        yield removal(line, case.name(line))
        return
    for place, taken in enumerate(line.loadout.taken):
        if path_of(line, place) == path and not taken.pick.given:
            yield option_answer(line, place)


def _too_often(case: Case, line: Line, path: str) -> Iterator[Answer]:
    for place, taken in enumerate(line.loadout.taken):
        if path_of(line, place) == path:
            number = max(case.finding.allowed or 0, 0)
            # What is given cannot be left; three deep a document says no number.
            most = 1 if path.count("/") > 1 else MAX_TIMES
            if (0 if taken.pick.given else -1) < number <= most:
                yield option_answer(line, place, number=number)


def _group(case: Case, line: Line, path: str) -> Iterator[Answer]:
    """Of a group with too much in it, options off, or a number of one lower."""
    points = case.rule.aspect == "allowance"
    excess = case.finding.excess
    parent, _slash, group_id = path.rpartition("/")
    inside = {
        id(taken.pick)
        for place, taken in enumerate(line.loadout.taken)
        if path_of(line, place).rpartition("/")[0] == parent
        and any(group.id == group_id for group in taken.slot.groups)
    }

    def worth(taken: Taken) -> int:
        if id(taken.pick) not in inside:
            return 0
        return taken.total if points else taken.number

    def ways() -> Iterator[Way]:
        for place, taken in enumerate(line.loadout.taken):
            if not points and worth(taken) > excess and not taken.pick.given:
                left = taken.number - excess
                yield Way(excess, 0, partial(option_answer, line, place, number=left))
        yield from case.less.options(line, worth, named=False)

    yield from best(ways(), excess)


def _under(case: Case, line: Line, path: str) -> Iterator[Answer]:
    """An option that must be taken; of a group the player chooses."""
    *above, wanted = path.split("/")
    offer: Offer = line.unit.offer
    for step in above:
        offer = offer.slots[step][0].option.offer
    slots = offer.slots.get(wanted)
    number = case.finding.allowed or 0
    if slots and number <= MAX_TIMES and _writable(slots[0].option, len(above) + 1, number):
        fields = {"act": "option-number", "unit": line.pick.id, "option": path}
        label = _("Take {option} {number} times") if number > 1 else _("Take {option}")
        said = label.format(option=slots[0].option.name, number=number)
        yield Answer(said, {**fields, "number": str(number)})


def _writable(option: Option, depth: int, number: int) -> bool:
    """Whether a document can say that an option is taken so often, so many options deep, with what
    is taken on it from the start.
    """
    inner = chosen_options(fresh_picks(option.offer))
    entry: dict[str, object] = {"id": option.id} | ({"number": number} if number > 1 else {})
    written: list[dict[str, object]] = [{**entry, "options": inner} if inner else entry]
    for _level in range(depth - 1):
        written = [{"id": option.id, "options": written}]
    try:
        folded(written)
    except Refusal:
        return False
    return True


ASPECTS: dict[str, Callable[[Case, Line, str], Iterator[Answer]]] = {
    "too-small": _size,
    "too-large": _size,
    "unavailable": _unavailable,
    "too-often": _too_often,
    "group-over": _group,
    "allowance": _group,
    "group-under": _under,
}


@settles(ModelEach)
def model_each(case: Case) -> Iterator[Answer]:
    """More models, or one of those options off."""
    for line in case.culprits:
        yield from _size(case, line, "")
    yield from per_unit(case)


@settles(PerUnit)
def per_unit(case: Case) -> Iterator[Answer]:
    """Too many items of a kind on one unit: one of them off."""
    counted = {id(taken.pick) for _line, taken in case.standing.options_by[case.rule.number]}

    def worth(taken: Taken) -> int:
        return taken.number if id(taken.pick) in counted else 0

    ways = (way for line in case.culprits for way in case.less.options(line, worth, named=False))
    yield from best(ways, case.finding.excess)


@settles(PerPiece)
def per_piece(case: Case) -> Iterator[Answer]:
    """Too much put on one piece: one of these items off."""
    counted = {id(taken.pick) for _line, taken in case.standing.options_by[case.rule.number]}

    def worth(line: Line, taken: Taken) -> int:
        piece = case.rule.piece_of(line, taken) if id(taken.pick) in counted else None
        return taken.number if piece and piece.name == case.finding.values["what"] else 0

    for line in case.culprits:
        ways = case.less.options(line, partial(worth, line), named=False)
        yield from best(ways, case.finding.excess)


@settles(Bearer)
def bearer(case: Case) -> Iterator[Answer]:
    """What nobody bears is taken off."""
    counted = {id(taken.pick) for _line, taken in case.standing.options_by[case.rule.number]}
    for line in case.culprits:
        for place, taken in enumerate(line.loadout.taken):
            if id(taken.pick) in counted and not is_tied(taken) and not taken.pick.given:
                yield option_answer(line, place)


@settles(Enchants)
def enchants(case: Case) -> Iterator[Answer]:
    """An enchantment off, or put on one of the pieces it fits."""
    option_id = case.finding.about.option
    for line in case.culprits:
        for place, taken in enumerate(line.loadout.taken):
            if taken.pick.id != option_id or not taken.option.on:
                continue
            if not case.rule.ask:
                if not taken.pick.given:
                    yield option_answer(line, place)
                continue
            path = path_of(line, place)
            # What is given, or three deep, is not written down with what it is put on.
            if taken.pick.given or path.count("/") > 1:
                continue
            for piece in case.rule.fitting(line, taken):
                fields = {"act": "put-on", "unit": line.pick.id, "piece": piece}
                label = _("Put {option} on the {piece}").format(
                    option=taken.option.name, piece=spelled(piece)
                )
                yield Answer(label, {**fields, "option": path})


@settles(CapRule)
def cap(case: Case) -> Iterator[Answer]:
    """More of a unit or option than the army may hold: one of them less."""
    about = case.finding.about
    key, what = about.key, about.count
    yield from best(_cap_ways(case, key, what), case.finding.excess)


def _cap_ways(case: Case, key: str, what: str) -> Iterator[Way]:
    excess = case.finding.excess

    for line in case.culprits:
        if line.unit.cap is not None and line.unit.cap.key == key:
            if what == "points":
                yield from case.less.points(line, excess)
            elif what == "models":
                yield from case.less.models(line, excess)
            else:
                risk = case.less.risk(line, line.points, True)
                yield Way(1, risk, partial(removal, line, case.name(line)))
        yield from case.less.options(line, partial(_worth, key, what, line.models))


def _worth(key: str, what: str, models: int, taken: Taken) -> int:
    """What a taken option counts under a cap: times, points, or the models of its unit."""
    if not _capped(taken, key):
        return 0
    return {"times": taken.number, "points": taken.total}.get(what, models)


def _capped(taken: Taken, key: str) -> bool:
    return taken.option.cap is not None and taken.option.cap.key == key
