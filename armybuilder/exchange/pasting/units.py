"""One unit of a text: which of the books' units it is, its options, and its cost."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import prod

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.lines import Line
from armybuilder.engine.names import simple
from armybuilder.engine.options import Group, Option
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.units import Unit
from armybuilder.exchange.pasting import entries, options, own_forms
from armybuilder.exchange.pasting.entries import NamedEntry
from armybuilder.exchange.pasting.head import SECTIONS
from armybuilder.exchange.pasting.names import (
    ALIKE,
    EXACT,
    GUESS,
    MOST_GUESSES,
    NONE,
    NameMatch,
    Patience,
    ReadNames,
    are_alike,
    in_part,
    without_aside,
)
from armybuilder.exchange.pasting.own_models import (
    StatedProfile,
    filled_card,
    is_profile_of,
    own_profile,
    read_details,
    read_rules,
    same,
)
from armybuilder.exchange.pasting.parts import number_in, pieces, shape, with_digits
from armybuilder.exchange.pasting.priced import MANY_MODELS, PricedEntries, number_ways
from armybuilder.exchange.pasting.profiles import ProfileReader
from armybuilder.exchange.pasting.results import UnitRead
from armybuilder.exchange.pasting.rows import single_spaced
from armybuilder.loading.armylist import ListOption, ListProfile, ListUnit
from armybuilder.loading.limits import MAX_MODELS, MAX_NAME, MAX_NOTES

#: Units of one name that are tried, and cuts of a line that are guessed at.
MOST_ALIKE = 8
MOST_CUTS = 4
#: Words before the first comma that may be a name and an option.
MOST_WORDS = 12
#: Letters of a word that alone may name a unit, if the points fit.
_WORD_LETTERS = 5
#: Models of a unit that is one, as "3 Cannons" are.
_FEW = 5
#: How often the points of a guess may be those in the text, or these those of the guess.
_FAR = 1.75
#: Lines for which all units of the books are offered, and how many of them.
MOST_WHOLE_BOOKS = 20
MOST_UNITS = 150

#: "Musician +10 Standard Bearer +10": prices behind what a unit takes.
_PRICED_PART = shape(r"(?<=<letter>)\s+\(?\+\s?\d{1,3}(?:\s?<points>)?\)?(?=[\s,;]|$)")
#: "Spears (Core)": what may be the name of a category.
_TAG = shape(r"\s*\((<letter>{3,20})\)(?=\s*(?:[,(\[:]|$))")
#: "125 - Cavalry, 5x1", "Cavalry (5x1) 125", "5x1 Cavalry": ranks and files.
_FORMED = shape(r"[,:]?\s*\(?(?<!\d)\d{1,2}\s?<x>\s?\d{1,2}(?!\d)(?:\s-\s<letter>+)?\)?(?!\s*=)")
#: "Gnolls: 5": a number of models, though it may be the points of one.
_PLURAL = shape(r".*<letter>{2}s\s*(?::|=|<dash>)\s*\d{1,2}")
_SPACED_X = shape(r"(?<=\d)\s?(<x>)\s?(?=\d)")
_COUNTED = shape(r"(?:<x>\s?(\d{1,3})|(\d{1,3})\s?<x>)\s+")
_REF = re.compile(r"[a-z0-9_-]{1,80}/[a-z0-9_-]{1,80}")


@dataclass(frozen=True, slots=True)
class Block:
    """A unit's line with the lines below; `more` is on it.

    `ours`: of our forms, of the `full` one; `rules_told`: by the text, of some unit; `profile`: it
    is one of an own model.
    """

    number: int
    text: str
    details: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    ours: bool = False
    full: bool = False
    rules_told: bool = True
    profile: bool = False


@dataclass(frozen=True, slots=True)
class _Match:
    """A unit that a line may mean: what follows its name, and a number found behind the name.

    `own` is the player's name for it, if that is on the line.
    """

    unit: Unit
    sure: str
    rest: str
    models: int = 0
    own: str = ""


class PastedUnitReader:
    """Reads the units of one text by one catalogue. `choices` are the player's, by field name."""

    def __init__(
        self,
        catalogue: Catalogue,
        limit: int,
        settings: Mapping[str, SettingValue],
        choices: Mapping[str, str],
    ) -> None:
        self.catalogue = catalogue
        self.system = catalogue.system
        self.choices = choices
        self.priced = PricedEntries(catalogue, limit, settings)
        self.guesses = Patience(MOST_GUESSES)
        self.readings = Patience(options.MOST_READINGS_OF_TEXT)
        named = [(unit.name, unit) for unit in catalogue.units.values()]
        several = catalogue.namesakes()
        full = [(unit.full_name, unit) for name, unit in named if name in several]
        self.names = ReadNames([*named, *full], self.guesses, in_part(named))
        self.things = ReadNames(
            (option.name, (unit, option.name))
            for unit in catalogue.units.values()
            for node in unit.offer.nodes
            if isinstance(node, Group) and node.least.base == 1
            for option in node.nodes
            if isinstance(option, Option)
        )
        self.profiles = ProfileReader(self.system, (one.name for one in catalogue.units.values()))
        self.categories = {
            simple(name) for book in catalogue.books for name in book.categories.values()
        }
        self.headings = SECTIONS | self.categories
        self.roles = ReadNames((role.name, role.id) for role in self.system.roles.values())
        self._options: dict[str, options.OptionNames] = {}
        self.numbers_price = False
        self._whole_books = MOST_WHOLE_BOOKS

    def knows(self, text: str) -> bool:
        """Return whether a line of any text names a unit of the books, as written or nearly so."""
        return self.unit_named(text) is not None

    def weigh(self, texts: Iterable[str]) -> None:
        """Decide whether numbers before units, and nothing else on a line, are their points."""
        read = [(self.entry_of(text), self.unit_named(text)) for text in texts]
        numbers = {
            (entry.models, unit and not unit.size and unit.price.start)
            for entry, unit in read
            if unit and entry.models and entry.points is None and entry.times == 1
        }
        self.numbers_price = len(numbers) > 1 and all(one == price for one, price in numbers)

    def may_mean(self, words: str) -> bool:
        """Return whether words may name a unit, written wrongly."""
        return bool(self._guessed(words))

    def unit_named(self, text: str) -> Unit | None:
        """Return the unit that a line names, as written or nearly so."""
        entry = self.entry_of(text)
        matches = self._known(entry.words)
        if not matches and (entry.points is not None or entry.models > 0):
            matches = self._by_thing(entry.words, entry.models)
        return matches[0].unit if matches else None

    def entry_of(self, text: str) -> NamedEntry:
        """Return the parts of a line, with bare points after a unit: "Demon 42"."""
        if self.system.sized and (formed := self._formed(text)):
            return formed
        digits = with_digits(text)
        if digits != text and not self._known(entries.read_entry(text).words):
            text = digits
        if self.system.sized and "+" in text:
            text = _PRICED_PART.sub(",", entries.summed(text))
        entry = entries.read_entry(text)
        entry = replace(entry, words=_TAG.sub(self._untagged, entry.words))
        bare = entries.bare_number(entry.words) if entry.points is None else None
        if bare is None or self.names.known(entry.words).values:
            return entry
        matches = self._known(bare[0])
        parts = pieces(matches[0].rest) if matches else []
        if not matches:
            return entry
        # "Hounds, Banner 24"; but not a name that ends with a number.
        known = self._of(matches[0].unit).splitter.is_known
        if parts and (not known(parts[-1]) or known(pieces(entry.words)[-1])):
            return entry
        return replace(entry, words=bare[0], points=bare[1], each=True)

    def _formed(self, text: str) -> NamedEntry | None:
        """Return a line of a unit with ranks and files that it may take; None for another.

        These are neither models nor points: "5x3 Archers 150", "125 - Cavalry, 5×1".
        """
        for match in _FORMED.finditer(text):
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            entry = entries.read_entry(rest.strip(" ,:-–"))
            taken = _SPACED_X.sub(r"\1", match[0].strip(" ,:()"))
            known = self._known(entry.words)
            if known and self._of(known[0].unit).splitter.is_known(taken):
                return replace(entry, words=f"{entry.words}, {taken}")
        return None

    def _untagged(self, tag: re.Match[str]) -> str:
        """Return a tag behind a name, "" where it is a category and no part of the name."""
        named = simple(tag.string[: tag.end()]) in self.names.simple
        return "" if simple(tag[1]) in self.categories and not named else tag[0]

    def options_in(self, unit: Unit, text: str) -> bool:
        """Return whether a line below a unit names something that the unit may take."""
        read = self._of(unit).read(text, {}, lambda _roles, _options: (0, 0), None)
        return any(piece.kind != "unknown" and piece.sure != GUESS for piece in read.pieces)

    def read(self, block: Block) -> UnitRead:
        """Return the unit of a block."""
        chosen = self.choices.get(f"unit-{block.number}", "")
        # Our formats without statistics have it on one line.
        whole = block.profile or (block.ours and self.system.own_models)
        if whole and chosen != options.LEAVE_OUT and chosen not in self.catalogue.units:
            profiled = self._profiled(block)
            if profiled is not None:
                return profiled
        text = single_spaced(block.text)
        entry = own_forms.read_own_line(text) if block.ours else self.entry_of(text)
        stated = read_details(block.details, self.system)
        if block.full:
            roles = [role.name for role in self.system.roles.values()]
            entry = own_forms.with_details(entry, block.details, self.names, roles)
        matches = self._matches(block, entry, stated)
        if not matches:
            return self._unknown(block, entry, stated)
        counted = matches[0].models
        if entry.models > counted > 0 and entry.points is None:  # "370 Citizen Spears x25"
            entry = replace(entry, models=counted, points=entry.models)
        if (
            entry.models > 1 < counted and entry.points == entry.models * counted
        ):  # "24 Orcs x2 (48)"
            entry = replace(entry, pair=(entry.models, counted))
        more = ", ".join(block.more)
        matches = [replace(one, rest=", ".join(filter(None, (one.rest, more)))) for one in matches]
        picked = chosen == matches[0].unit.ref
        # Units that books split by their size, "Hounds" and "Hounds (Core)".
        known = [match.unit for match in matches]
        alike = [] if block.ours or picked else self.names.siblings(known[0].name)
        others = (unit for unit in alike if unit not in known)
        siblings = [replace(matches[0], unit=unit, sure=ALIKE) for unit in others][:MOST_ALIKE]
        reads = [
            self._read(block, way, stated, counted)
            for match in (*matches, *siblings)
            for way in self._ways(block, entry, match)
            for counted in self._counted(block, way, match)
        ]
        best = min(reads, key=self._badness)
        picked = chosen == best.chosen
        few, many = sorted((best.printed or 0, best.computed or 0))
        if best.sure == GUESS and not picked and 0 < few * _FAR < many:
            return self._unknown(block, entry, stated)
        only = len(matches) == 1 or best.chosen not in [match.unit.ref for match in matches]
        if only and best.sure not in (GUESS, NONE) and not picked:
            return best
        best = replace(best, picked=picked)
        return self._with_choices(best, entry, known)

    def _profiled(self, block: Block) -> UnitRead | None:
        """Return a model with its own profile; a book's unit if it is exactly that."""
        written = self.profiles.read(block.text)
        if written is None:
            return None

        def cost(profile: ListProfile) -> int | None:
            return self._points(ListUnit("", 1, profile=profile))

        profile, read = read_rules(written, self.profiles.rules, self._pieces(block), cost)
        models, printed = written.prices.meant(cost(profile))
        models = min(models, MAX_MODELS)
        known = self.names.known(written.name)
        lost = [piece.text for piece in read if piece.kind == "unknown"]
        fitting = (one for one in known.values if not lost and is_profile_of(profile, one))
        unit = next(fitting, None)
        made = ListUnit("", models, unit.ref) if unit else ListUnit("", models, profile=profile)
        entry = NamedEntry(models, written.name, printed, written.own)
        notes = (*filter(None, [written.mark]), *block.notes)
        made = _described(made, entry, replace(block, notes=notes), lost)
        return UnitRead(
            text=single_spaced(block.text),
            entry=made,
            name=unit.name if unit else profile.name,
            sure=known.sure if unit else EXACT,
            models=models,
            printed=printed,
            computed=self._points(made),
            pieces=read,
            chosen=unit.ref if unit else "",
        )

    def _points(self, entry: ListUnit) -> int | None:
        line = self.priced.line(entry)
        return line.points if line else None

    def _pieces(self, block: Block) -> dict[int, str]:
        fields = (
            (number, f"piece-{block.number}-{number}") for number in range(options.MOST_PIECES)
        )
        return {number: self.choices[field] for number, field in fields if field in self.choices}

    def _matches(self, block: Block, entry: NamedEntry, stated: StatedProfile) -> list[_Match]:
        """Return the possible units; of several with one name those that the details fit."""
        chosen = self.choices.get(f"unit-{block.number}", "")
        if chosen == options.LEAVE_OUT:
            return []
        words = entry.words
        matches = self._known(words) or self._by_thing(words, entry.models) or self._guessed(words)
        if entry.points and not matches:  # "prince, 245"
            matches = self._guessed(words, partial(self.names.by_word, letters=_WORD_LETTERS))
        if chosen in self.catalogue.units:
            unit = self.catalogue.units[chosen]
            if matches:
                return [replace(matches[0], unit=unit, sure=EXACT)]
            return [_Match(unit, EXACT, next((rest for _name, rest in entries.cuts(words, 0)), ""))]
        if block.ours:
            fitting = [
                match
                for match in matches
                if same(stated, match.unit, self.system, block.rules_told)
            ]
            if fitting or own_profile(entry.words, stated, self.system):
                return fitting
        return matches

    def _ways(self, block: Block, entry: NamedEntry, match: _Match) -> list[NamedEntry]:
        """Return the ways to take a line's numbers; "2 Chariots" are two units of one each."""
        unit, models = match.unit, entry.models or match.models
        entry = replace(entry, models=models)
        alone = self.system.sized and unit.size is not None and unit.size[1].base == 1
        ranks = any("×" in option.name for option in unit.offer.options())
        alone &= not block.ours and (not ranks or _FORMED.search(block.text) is not None)
        if alone and entry.times == 1 and 1 < models <= entries.MOST_TIMES:
            entry = replace(entry, times=models, models=1)
        price = unit.price.start
        behind = not unit.size and models == match.models  # "Orc Boss 60 (leader)"
        if (self.numbers_price or behind) and models == price and entry.points is None:
            return [replace(entry, models=1, points=models)]
        plural = _PLURAL.fullmatch(block.text) and not (models or unit.size or unit.name[-1] == "s")
        if plural and 1 < (entry.points or 0) <= (unit.price.start or 0):
            entry = replace(entry, models=entry.points or 0, points=None)
        return number_ways(entry, unit)

    def _counted(self, block: Block, entry: NamedEntry, match: _Match) -> Iterator[_Match]:
        """Yield a match with its number of models: "Marksmen: 16x Marksman, Crossbow", "16 models".

        The match follows unchanged, unless the number is that of models alone, or precedes the
        unit's own name.
        """
        unit = match.unit
        models = entry.models or match.models
        parts = [] if block.ours else pieces(match.rest)
        for place, part in enumerate(parts):
            counted = replace(match, rest=", ".join(parts[:place] + parts[place + 1 :]))
            if (alone := entries.models_in(with_digits(part))) and alone == (models or alone):
                yield replace(counted, models=alone)
                return
            if part.isdigit() and (unit.size or part == "1") and int(part) == (models or int(part)):
                yield replace(counted, models=int(part))
            name, number = entries.times(part)
            own = are_alike(name, without_aside(unit.name))
            sized = not models and unit.size is not None
            if number and sized and (own or not self._of(unit).names.known(name).values):
                yield replace(counted, models=number)
                if own and number >= unit.smallest:
                    return
        yield match

    def _badness(self, read: UnitRead) -> tuple[bool, int, int]:
        """Rank a reading: number of models, points, names that were not found."""
        unit = self.catalogue.units[read.chosen]
        most = unit.size[1].base if unit.size else None
        sized = read.models >= unit.smallest and (most is None or read.models <= most)
        return not sized, (True, None, False).index(read.agrees), len(read.lost)

    def _known(self, words: str) -> list[_Match]:
        for name, rest in entries.cuts(words, self.names.most_commas):
            match, models = self.names.known(name), 0
            if not match.values:
                name, models = entries.number_behind(name)
                match = self.names.known(name) if models else match
            if match.values:
                units = match.values[:MOST_ALIKE]
                first, comma, more = rest.partition(",")
                if first.isdigit() and len(first) < 4 and (units[0].size or not comma):
                    models, rest = models or int(first), more.strip(" -–:")
                return [_Match(unit, match.sure, rest, models) for unit in units]
        return self._run_together(words, self.names.known) or self._called(words)

    def _called(self, words: str) -> list[_Match]:
        """Return the unit behind a player's own name for it: "Grom (Orc Boss)", "Grom - Orc Boss".

        Units of other games take things that are called as units are.
        """
        for own, rest in () if self.system.sized else entries.cuts(words, 0):
            unit, *more = pieces(rest) or [""]
            name, models = entries.number_behind(unit)
            match = self.names.known(name)
            if match.values and simple(own) not in self.headings and not own.isupper():
                units = match.values[:MOST_ALIKE]
                return [_Match(one, ALIKE, ", ".join(more), models, own) for one in units]
        return []

    def _run_together(self, words: str, find: Callable[[str], NameMatch[Unit]]) -> list[_Match]:
        """Return units whose options follow the name without a comma: "Lord General, Shield"."""
        first, _comma, more = words.partition(",")
        said = first.split()[:MOST_WORDS]
        for end in range(len(said) - 1, 0, -1):
            match = find(" ".join(said[:end]))
            rest, models = " ".join(said[end:]), 0
            if counted := _COUNTED.match(rest):  # "Spears x25 full command"
                rest, models = rest[counted.end() :], int(counted[1] or counted[2])
            units = [one for one in match.values if self._of(one).splitter.understands(rest)]
            if units:
                taken = ", ".join(filter(None, (rest, more.strip())))
                return [_Match(unit, match.sure, taken, models) for unit in units[:MOST_ALIKE]]
        return []

    def _by_thing(self, words: str, number: int) -> list[_Match]:
        """Return units named by one of their required things: "Cannon" for "Field Artillery"."""
        for name, rest in entries.cuts(words, 0):
            name, models = entries.number_behind(name)
            least = models or (number if number <= MANY_MODELS else 0)
            known = [
                (unit, thing)
                for unit, thing in self.things.known(name).values[:MOST_ALIKE]
                if least <= (unit.size[1].base or least if unit.size else _FEW)
            ]
            if known:
                taken = [(unit, ", ".join(filter(None, (thing, rest)))) for unit, thing in known]
                return [_Match(unit, ALIKE, more, models) for unit, more in taken]
        return []

    def _guessed(
        self, words: str, find: Callable[[str], NameMatch[Unit]] | None = None
    ) -> list[_Match]:
        find = find or self.names.find
        for name, rest in islice(entries.cuts(words, 0), MOST_CUTS):
            name, models = entries.number_behind(name)
            guess = find(name).values[:MOST_ALIKE]
            if guess:
                return [_Match(unit, GUESS, rest, models) for unit in guess]
        return self._run_together(words, self.names.shortened)

    def _read(
        self, block: Block, entry: NamedEntry, stated: StatedProfile, match: _Match
    ) -> UnitRead:
        unit, rest = match.unit, match.rest
        printed = entry.printed
        models = min(entry.models or match.models, MAX_MODELS)
        if models > 1 and (ranks := _ranks_of(models, unit)):
            models, rest = 1, rest if _FORMED.search(rest) else f"{rest}, {ranks}".strip(", ")
        base = ListUnit("", models or unit.smallest, unit.ref)
        # The points of one model, unless a role on the line may change them.
        shared = any(
            role.price is not None and role.name in rest for role in self.system.roles.values()
        )
        each = None if printed is None or shared else printed // base.models
        base = replace(base, card=filled_card(unit, stated, each))
        chosen = self._pieces(block)

        def judge(roles: tuple[str, ...], options: tuple[ListOption, ...]) -> tuple[int, int]:
            line = self.priced.line(replace(base, roles=roles, options=options))
            return (line.points, len(line.loadout.breaches)) if line else (0, 0)

        taken = self._of(unit).read(rest, chosen, judge, printed)
        if not models and printed is not None and unit.size is not None:
            base = replace(base, models=self.priced.models(base, taken.options, printed))
        made = replace(base, roles=taken.roles, options=taken.options)
        added: tuple[str, ...] = ()
        if not block.ours:
            made, added = self.priced.completed(made, self._of(unit).spots, printed)
        lost = [piece.text for piece in taken.pieces if piece.kind == "unknown"]
        called = replace(entry, own=entry.own or match.own)
        made = _described(made, called, block, lost)
        line = self.priced.line(made)
        return UnitRead(
            text=block.text,
            entry=made,
            name=unit.name,
            sure=match.sure,
            models=made.models,
            times=entry.times,
            printed=printed,
            computed=line.points if line and unit_priced(line) else None,
            pieces=taken.pieces,
            chosen=unit.ref,
            added=added,
        )

    def _of(self, unit: Unit) -> options.OptionNames:
        if unit.ref not in self._options:
            self._options[unit.ref] = options.OptionNames(
                self.system, unit, self.guesses, self.readings
            )
        return self._options[unit.ref]

    def _unknown(self, block: Block, entry: NamedEntry, stated: StatedProfile) -> UnitRead:
        """Read a line that fits no unit: an own model, a lost unit, or one to choose."""
        left_out = self.choices.get(f"unit-{block.number}") == options.LEAVE_OUT
        models = max(1, min(entry.models, MAX_MODELS))
        profile = None if left_out else own_profile(entry.words, stated, self.system)
        made: ListUnit | None = None
        if profile is not None:
            made = ListUnit("", models, profile=profile)
        elif block.ours and _REF.fullmatch(entry.words) and not left_out:
            made = ListUnit("", models, entry.words)
        made = made and _described(made, entry, block, [])
        name, sure = entry.words, NONE if profile is None else EXACT
        points = self._points(made) if made else None
        read = UnitRead(block.text, made, name, sure, models, entry.times, entry.printed, points)
        return read if profile is not None else self._with_choices(read, entry, [])

    def _with_choices(self, read: UnitRead, entry: NamedEntry, units: Sequence[Unit]) -> UnitRead:
        near: list[Unit] = []
        if not units or read.picked or read.sure == GUESS:
            name = next((name for name, _rest in entries.cuts(entry.words, 0)), "")
            near = self.names.alike(entries.number_behind(name)[0])
        if not units and self._whole_books > 0:
            self._whole_books -= 1
            near += sorted(self.catalogue.units.values(), key=lambda unit: unit.name)[:MOST_UNITS]
        several = len(self.catalogue.books) > 1
        choices = {
            unit.ref: options.ReadChoice(unit.ref, unit.full_name if several else unit.name)
            for unit in (*units, *near)
        }
        return replace(read, choices=tuple(choices.values()))


def _ranks_of(models: int, unit: Unit) -> str:
    """Return the ranks and files of a unit that is one formation, by its models; "" of others."""
    if unit.size is None or unit.size[1].base != 1:
        return ""
    sizes = (option.name.split("×") for option in unit.offer.options() if "×" in option.name)
    fitting = [size for size in sizes if prod(map(number_in, size)) == models]
    return "×".join(fitting[0]) if len(fitting) == 1 else ""


def unit_priced(line: Line) -> bool:
    """Return whether the points of a unit are known."""
    return line.unit.price.start is not None


def _described(unit: ListUnit, entry: NamedEntry, block: Block, lost: Sequence[str]) -> ListUnit:
    """Return the unit with its name and notes; the notes keep names that were not found."""
    notes = "\n".join((*block.notes, *([", ".join(lost)] if lost else [])))[:MAX_NOTES].strip()
    return replace(unit, name=entry.own[:MAX_NAME], notes=notes)
