"""What settles findings about the list as a whole: points, numbers, factions, roles, settings."""

from collections.abc import Iterable, Iterator
from functools import partial

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Answer
from armybuilder.advice.remedies.cases import Case, settles
from armybuilder.advice.remedies.reductions import Way, best, option_answer, raised, removal
from armybuilder.engine.bounds import ShareOf
from armybuilder.engine.catalogue import Setting
from armybuilder.engine.kinds.available import Available, fits
from armybuilder.engine.kinds.belongs import Belongs
from armybuilder.engine.kinds.capacity import Capacity
from armybuilder.engine.kinds.clash import Clash
from armybuilder.engine.kinds.copies import Copies
from armybuilder.engine.kinds.eligible import Eligible
from armybuilder.engine.kinds.faction import Faction
from armybuilder.engine.kinds.limit import Limit, chosen_pieces
from armybuilder.engine.kinds.must_lead import MustLead
from armybuilder.engine.kinds.one_book import OneBook
from armybuilder.engine.kinds.owned import Owned
from armybuilder.engine.kinds.pool import Pool
from armybuilder.engine.kinds.price_cap import PriceCap
from armybuilder.engine.kinds.unknown import Unknown
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.nouns import counted
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING
from armybuilder.engine.wording import inside, quote
from armybuilder.loading.limits import MAX_PIECES

#: How much of a unit's name a button repeats where it comes from a file.
LONGEST = 40


@settles(Limit)
def limit(case: Case) -> Iterator[Answer]:
    """Too many or too few of something."""
    rule, found = case.rule, case.finding
    over = (found.measured or 0) > (found.allowed or 0)
    if rule.count == "pieces":
        if over:
            yield from _pieces_left(case, rule.setting, _matching_pieces(case))
        return
    role = _role(case)
    if not over:
        yield from _missing(case, role)
        return
    if role:
        yield from _relieved(case, role)
    if rule.count == "points":
        yield from best(_points(case), found.excess)
    elif rule.count == "models":
        # Where a share of all models is allowed, each that goes lowers what is allowed too.
        share = isinstance(rule.maximum, ShareOf) and rule.maximum.whole == "models"
        excess = _share_excess(case) if share else found.excess
        lines = _meant(case)
        ways = (way for line in lines for way in case.less.models(line, excess))
        yield from best(ways, excess, 2 if share else 1)
    else:
        yield from best(_picks(case), found.excess)


def _role(case: Case) -> str:
    """The role that a rule counts, or ""."""
    roles = case.system.roles
    return next((role for role in roles if case.rule.selector.mentions(f"role:{role}")), "")


def _meant(case: Case) -> list[Line]:
    """The lines that a limit counts as a whole, but for those whose going would change who is."""
    rule, standing = case.rule, case.standing
    lines = [
        line
        for line in standing.matching(rule.selector)
        if not standing.spares(rule.head.id, line) and not case.less.lift(line, rule.head.id)
    ]
    if rule.selector.mentions(CROSS_FACTION):
        lines = [line for line in lines if not case.less.leads(line)]
    return lines


def _share_excess(case: Case) -> int:
    measured, total = case.finding.measured or 0, case.standing.models
    share = case.rule.maximum.share
    return next(n for n in range(measured + 1) if measured - n <= share.down(total - n))


def _picks(case: Case) -> Iterator[Way]:
    """Units less; what counts as several because of options is left to the player."""
    for line in _meant(case):
        risk = case.less.risk(line, line.points, True)
        yield Way(1, risk, partial(removal, line, case.name(line)))


def _points(case: Case) -> Iterator[Way]:
    """Fewer points of what a limit counts: units, models, options, and settings that cost some."""
    rule, standing, excess = case.rule, case.standing, case.finding.excess
    whole = {line.pick.id for line in _meant(case)}

    def still(line: Line) -> int:
        return line.points if rule.selector.matches(line.tags) else 0

    def enough(taken: Taken) -> int:
        # An option that is not enough lessens less than the unit it is on.
        return taken.total if taken.total >= excess else 0

    for line in standing.lines:
        if line.pick.id in whole:
            yield from case.less.points(line, excess)
            if line.points >= excess and line.loadout.taken:
                yield from case.less.options(line, enough, still=still)
    for line, taken in standing.options_by[rule.number]:
        if line.pick.id not in whole:
            yield from case.less.options(line, partial(_total_of, taken))
    if rule.selector == EVERYTHING:
        yield from _settings_less(case)


def _total_of(meant: Taken, taken: Taken) -> int:
    """The points of a taken option where it is the one meant."""
    return meant.total if taken.pick is meant.pick else 0


def _settings_less(case: Case) -> Iterator[Way]:
    for setting in case.system.settings.values():
        value = case.standing.roster.settings.get(setting.id)
        if not setting.points or not isinstance(value, int) or value <= setting.low:
            continue
        off = min(value - setting.low, -(-case.finding.excess // setting.points))
        yield Way(off * setting.points, 0, partial(_lowered, setting, value - off))


def _lowered(setting: Setting, value: int) -> Answer:
    fields = {"act": "setting", "setting": setting.id, "value": str(value)}
    label = _("Lower {unit} to {number}").format(unit=inside(setting.name), number=value)
    return Answer(label, fields)


def _missing(case: Case, role: str) -> Iterator[Answer]:
    """Too few: somebody gets the role, or a model that is there only sometimes comes for good."""
    sometimes = case.system.sometimes
    if role:
        yield from _promoted(case, role)
    elif case.rule.count == "models" and case.finding.lineup and sometimes:
        for line in case.page.report.full.lines:
            if sometimes in line.pick.roles and case.rule.selector.matches(line.tags):
                yield case.relief(line, sometimes)
    elif case.rule.count == "points":
        yield from _grown(case)


def _grown(case: Case) -> Iterator[Answer]:
    """Units with more models, where one of them alone makes up for the points that lack."""
    low, top = case.finding.allowed or 0, case.standing.roster.limit
    ways = []
    for line in _meant(case):
        extra = line.unit.price.extra
        if line.unit.size is None or extra <= 0 or not line.unit.counts:
            continue
        more = line.pick.models - (-case.finding.excess // extra)
        highest = line.unit.size[1].at(line.place)
        if highest is None or more <= highest:
            ways.append((more * extra, line, more))
    for _extra, line, more in sorted(ways, key=lambda way: way[0])[:2]:
        trial = case.less.trial(line, more)
        points = trial.points - line.points
        measured = (case.finding.measured or 0) + points
        if low <= measured and case.standing.points + points <= top:
            note = _("{points} more").format(points=counted(points, "point"))
            yield from raised(line, case.name(line), more - line.pick.models, note)


def _promoted(case: Case, role: str) -> Iterator[Answer]:
    """The dearest units that may have the role have it first."""
    lines = sorted(case.standing.lines, key=lambda line: -line.points)
    for line in lines:
        if role not in line.pick.roles and _may(case, line, role):
            yield case.promotion(line, role)


def _may(case: Case, line: Line, role: str) -> bool:
    rules = [rule for rule in case.system.rules if isinstance(rule, Eligible)]
    rules = [rule for rule in rules if rule.role == role]
    return bool(rules) and all(rule.doubt(line) is None for rule in rules)


def _relieved(case: Case, role: str) -> Iterator[Answer]:
    """Those relieved first who may not have the role, or bring the number down to what may be."""
    lines = [line for line in case.culprits if role in line.pick.roles]
    count, excess = case.rule.count, case.finding.excess

    def order(line: Line) -> tuple[bool, bool]:
        return _may(case, line, role), count == "models" and line.models < excess

    for line in sorted(lines, key=order)[:3]:
        yield case.relief(line, role)


@settles(Eligible)
def eligible(case: Case) -> Iterator[Answer]:
    """Somebody else gets the role, or nobody has it."""
    if case.system.roles[case.rule.role].alone:
        for number, answer in enumerate(_promoted(case, case.rule.role)):
            if number < 2:
                yield answer
    for line in case.culprits:
        yield case.relief(line, case.rule.role)


@settles(MustLead)
def must_lead(case: Case) -> Iterator[Answer]:
    """It gets the role; or what asks for it goes."""
    for line in case.culprits:
        if _may(case, line, case.rule.role):
            yield case.promotion(line, case.rule.role)
        for place, taken in enumerate(line.loadout.taken):
            if taken.option.must_lead is not None and not taken.pick.given:
                yield option_answer(line, place)
        if line.unit.must_lead is not None:
            yield removal(line, case.name(line))


@settles(Copies, Pool, Owned)
def copies(case: Case) -> Iterator[Answer]:
    """Fewer of one unit, or more of it."""
    found, rule = case.finding, case.rule
    excess, lines = found.excess, case.culprits
    if (found.measured or 0) < (found.allowed or 0):
        for line in lines[:1]:
            yield from raised(line, case.name(line), excess)
        return
    lines = [line for line in lines if not case.less.lift(line, rule.head.id)]
    yield from best((way for line in lines for way in case.less.models(line, excess)), excess)
    if isinstance(rule, Pool):
        chosen = chosen_pieces(case.standing.roster, rule.setting)
        if excess == 1 and len(chosen) < MAX_PIECES:
            name = str(found.values["unit"])
            setting = inside(case.system.settings[rule.setting].name)
            fields = {"act": "add-piece", "setting": rule.setting, "piece": found.about.text}
            yield Answer(_("Add {unit} to {place}").format(unit=name, place=setting), fields)


@settles(PriceCap)
def price_cap(case: Case) -> Iterator[Answer]:
    role = _role(case)
    for line in case.culprits:
        if role:
            yield case.relief(line, role)
        yield removal(line, case.name(line))


@settles(Capacity)
def capacity(case: Case) -> Iterator[Answer]:
    """Fewer of those that need capacity; those who give it, or decide the faction, stay."""
    needs = {part.unit: part.amount for part in case.rule.demands(case.standing)}
    lines = [line for line in case.culprits if not case.less.leads(line)]
    ways = (
        way
        for line in lines
        for way in case.less.models(line, case.finding.excess, needs[line.pick.id] // line.models)
    )
    yield from best(ways, case.finding.excess)


@settles(Clash)
def clash(case: Case) -> Iterator[Answer]:
    """One side goes: the smaller first."""
    full = case.page.report.full
    sides = []
    for side in case.rule.sides:
        lines = list(full.matching(side))
        here = [line for line in lines if not full.spares(case.rule.head.id, line)]
        # Where one that goes lifts the rule from others of its side, these must go with it.
        lifts = any(case.less.lift(line, case.rule.head.id) for line in here)
        sides.append(lines if lifts else here)
    for lines in sorted(sides, key=lambda lines: sum(line.models for line in lines)):
        yield from case.removal_of(lines)


@settles(Faction)
def faction(case: Case) -> Iterator[Answer]:
    """A tied faction chosen; or all but one faction off the list."""
    rule, report = case.rule, case.page.report
    names = case.system.attributes[rule.attribute].values
    if rule.setting and case.finding.head is rule.choose:
        standings = [standing.allegiance for standing in report.standings if standing.allegiance]
        for tied in sorted({faction for one in standings for faction in one.tied}):
            fields = {"act": "setting", "setting": rule.setting, "value": tied}
            yield Answer(_("Choose {what}").format(what=names[tied]), fields)
        return
    models: dict[str, int] = {}
    of = {line.pick.id: rule.faction_of(line.unit.attributes) for line in report.full.lines}
    for line in report.full.lines:
        models[of[line.pick.id]] = models.get(of[line.pick.id], 0) + line.models
    models.pop(rule.none, None)
    for kept in sorted(models, key=lambda one: -models[one])[:2]:
        yield from case.removal_of(line for line in report.full.lines if of[line.pick.id] != kept)


@settles(Belongs)
def belongs(case: Case) -> Iterator[Answer]:
    """A faction that all have chosen; or the strangers off the list."""
    rule, full = case.rule, case.page.report.full
    names = case.system.attributes[rule.attribute].values
    for value in rule.shared(full):
        fields = {"act": "setting", "setting": rule.setting, "value": value}
        yield Answer(_("Choose {what}").format(what=names[value]), fields)
    if not any(case.less.lift(line, rule.head.id) for line in case.culprits):
        yield from case.removal_of(case.culprits)


@settles(OneBook)
def one_book(case: Case) -> Iterator[Answer]:
    """All units of one book off the list, those of the smallest first."""
    books: dict[str, list[Line]] = {}
    for line in case.culprits:
        books.setdefault(line.unit.book, []).append(line)
    for lines in sorted(books.values(), key=lambda lines: sum(line.points for line in lines))[:2]:
        yield from case.removal_of(lines)


@settles(Available)
def available(case: Case) -> Iterator[Answer]:
    rule, settings = case.rule, case.standing.roster.settings
    values = case.system.settings[rule.setting].values
    pieces = chosen_pieces(case.standing.roster, rule.setting)
    wrong = (one for one in pieces if one in values and not fits(values[one], settings))
    yield from _pieces_left(case, rule.setting, wrong)


def _matching_pieces(case: Case) -> Iterator[str]:
    values = case.system.settings[case.rule.setting].values
    for piece in chosen_pieces(case.standing.roster, case.rule.setting):
        if piece in values and case.rule.selector.matches(values[piece].tags):
            yield piece


def _pieces_left(case: Case, setting_id: str, pieces: Iterable[str]) -> Iterator[Answer]:
    """One piece left behind, where a setting takes several."""
    setting = case.system.settings[setting_id]
    if setting.kind != "pieces":
        return
    for piece in dict.fromkeys(pieces):
        fields = {"act": "remove-piece", "setting": setting_id, "piece": piece}
        label = _("Leave {piece} behind").format(piece=setting.values[piece].name)
        yield Answer(label, fields)


@settles(Unknown)
def unknown(case: Case) -> Iterator[Answer]:
    """What nobody knows is left out; a book that was left out is used again."""
    page = case.page
    about = case.finding.about
    kind, unit, name = about.kind, about.pick, about.name
    if kind == "unit":
        if not case.system.sized:
            book_id = name.partition("/")[0]
            for book in page.other_books:
                if book.id == book_id:
                    label = _("Use {book} too").format(book=book.name)
                    yield Answer(label, {"act": "add-book", "book": book.id})
        label = _("Remove {unit}").format(unit=_short(page.names[unit]))
        yield Answer(label, {"act": "remove", "unit": unit})
    elif kind == "book":
        if len({book["id"] for book in page.document["books"]}) > 1:
            label = _("Leave out {what}").format(what=_short(name))
            yield Answer(label, {"act": "remove-book", "book": name})
    else:
        kind = "option" if kind == "repeated" else kind
        fields = {"act": "forget", "kind": kind, "name": name}
        label = _("Leave out {what}").format(what=quote(_short(name)))
        yield Answer(label, {**fields, "unit": unit} if unit else fields)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
