"""View of a list of a game's files for sheets, texts and pages: forces, units, profiles in the
files' own tables, and rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.books import cost_types
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.reports import Told
from armybuilder.battlescribe.files.showing import Shown, ShownProfile, number_text
from armybuilder.engine.kernel.branches import Branch, Node
from armybuilder.engine.kernel.conditions import Kind, Number
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.wording import say

#: Letters beyond which a sentence is the text of a rule, and no value of a table.
LONG: Final = 60
#: Letters that fit side by side on a phone of 360 pixels.
NARROW: Final = 32
#: Letters of a category that players know.
MAX_KEYWORD: Final = 40
#: Marks of New Recruit for bold and small letters.
_MARKS: Final = re.compile(r"\*\*|\^\^")
_SENTENCE: Final = re.compile(r"[.!?](\s|$)")


@dataclass(frozen=True, slots=True)
class CostLine:
    """A cost of something, and its limit (-1: none)."""

    name: str
    number: Number
    limit: Number = -1

    @property
    def words(self) -> str:
        """Such as "120 pts"."""
        return f"{number_text(self.number)} {self.name}"

    @property
    def of_limit(self) -> str:
        """Such as "120 of 2000 pts"."""
        if self.limit < 0:
            return self.words
        number, limit = number_text(self.number), number_text(self.limit)
        return say("{number} of {limit} {name}", number=number, limit=limit, name=self.name)


@dataclass(frozen=True, slots=True)
class PickLine:
    """A pick with its contents, equal ones merged: how many, on how many (`on`).

    `kind` is that of its file: unit, model, upgrade. `own` is the player's name for it.
    """

    name: str
    number: int = 1
    on: int = 1
    kind: str = "upgrade"
    own: str = ""
    notes: str = ""
    costs: tuple[CostLine, ...] = ()
    below: tuple[PickLine, ...] = ()

    @property
    def has_models(self) -> bool:
        """Return whether it is or contains a model, and so has its own line."""
        return self.kind == "model" or any(one.has_models for one in self.below)

    @property
    def options(self) -> tuple[PickLine, ...]:
        """Its contents without models."""
        return tuple(one for one in self.below if not one.has_models)

    @property
    def options_words(self) -> str:
        """Its contents without models, in words."""
        return ", ".join(one.words for one in self.options)

    @property
    def line(self) -> str:
        """Its number, name and contents as one line."""
        return replace(self, on=0).words

    @property
    def lines(self) -> tuple[PickLine, ...]:
        """Its models, and what holds some."""
        return tuple(one for one in self.below if one.has_models)

    @property
    def models(self) -> int:
        """Number of models, with those in its contents."""
        own = self.number if self.kind == "model" else 0
        return own + sum(one.models for one in self.below)

    @property
    def words(self) -> str:
        """Its name with its number, and its contents in brackets: "4 of 10 Meltagun (Krak)"."""
        text = self.name
        if self.on > 1 and self.number < self.on:
            text = say("{number} of {all} {name}", number=self.number, all=self.on, name=text)
        elif self.number != self.on:
            text = f"{self.number} {text}"
        inner = ", ".join(one.words for one in self.below)
        return f"{text} ({inner})" if inner else text


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """Profiles of a type, a row each: its name, then its values by the columns of its type."""

    type: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def named_rows(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The name of each row, and its values with the names of their columns."""
        return [(name, [*zip(self.columns, values, strict=True)]) for name, *values in self.rows]

    @property
    def is_wide(self) -> bool:
        """Return whether its columns need more room side by side than a phone has."""
        columns = zip((self.type, *self.columns), *self.rows, strict=True)
        longest = (max(map(len, " ".join(column).split()), default=0) for column in columns)
        return sum(letters + 1 for letters in longest) > NARROW


class Named(NamedTuple):
    """Rules of a type of profile, by their names."""

    type: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule of the files: the type of its profile, its text by columns, its source.

    If rules of its name differ, it is `of` these units.
    """

    name: str
    type: str
    texts: tuple[tuple[str, str], ...]
    source: str = ""
    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitLines:
    """A pick directly in a force, with all its contents."""

    id: str
    pick: PickLine
    costs: tuple[CostLine, ...]
    keywords: tuple[str, ...]
    tables: tuple[ProfileTable, ...]
    named: tuple[Named, ...]
    source: str = ""
    rules: tuple[RuleText, ...] = ()

    @property
    def price(self) -> str:
        """Its price in words."""
        return ", ".join(cost.words for cost in self.costs)

    @property
    def told_rules(self) -> tuple[RuleText, ...]:
        """The rules of which a text or its place in a book is known."""
        return tuple(rule for rule in self.rules if rule.texts or rule.source)

    @property
    def untold(self) -> Iterator[Named]:
        """The other rules, by their names."""
        told = {(rule.type, rule.name) for rule in self.told_rules}
        for type, names in self.named:
            if left := tuple(name for name in names if (type, name) not in told):
                yield Named(type, left)

    @property
    def is_plain(self) -> bool:
        """Return whether it is only a choice: a size of game, a detachment."""
        return not (self.tables or self.pick.has_models or self.costs)


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """The units of a category in a force; a force without categories has one group without name."""

    name: str
    units: tuple[UnitLines, ...]


@dataclass(frozen=True, slots=True)
class ForceLines:
    """A force, and the forces in it."""

    id: str
    name: str
    book: str
    own: str
    costs: tuple[CostLine, ...]
    groups: tuple[UnitGroup, ...]
    below: tuple[ForceLines, ...] = ()

    def walk(self) -> Iterator[ForceLines]:
        """Yield itself and all forces in it."""
        yield self
        for force in self.below:
            yield from force.walk()

    @property
    def units(self) -> tuple[UnitLines, ...]:
        """Its units, without those of forces in it."""
        return tuple(unit for group in self.groups for unit in group.units)


@dataclass(frozen=True, slots=True)
class ListView:
    """View of a list of a game's files.

    `books` are its catalogues with their revisions; `costs` its totals, first the one that limits
    the list's size.
    """

    game: str
    revision: str
    books: tuple[str, ...]
    costs: tuple[CostLine, ...]
    forces: tuple[ForceLines, ...]
    rules: tuple[RuleText, ...]
    findings: tuple[Told, ...]

    @property
    def all_forces(self) -> tuple[ForceLines, ...]:
        """Its forces, each with those in it behind it."""
        return tuple(inner for force in self.forces for inner in force.walk())

    @property
    def units(self) -> tuple[UnitLines, ...]:
        """The units of all forces."""
        return tuple(unit for force in self.all_forces for unit in force.units)

    @property
    def models(self) -> int:
        """Number of its models."""
        return sum(unit.pick.models for unit in self.units)

    @property
    def told_rules(self) -> tuple[RuleText, ...]:
        """The rules of which a text is known."""
        return tuple(rule for rule in self.rules if rule.texts)

    def without_notes(self) -> ListView:
        """Return it without the player's notes on units and their contents."""
        return self._with(lambda unit: replace(unit, pick=_unnoted(unit.pick)))

    def _with(self, change: Callable[[UnitLines], UnitLines]) -> ListView:
        return replace(self, forces=tuple(_changed(force, change) for force in self.forces))

    def without_texts(self) -> ListView:
        """Return it as others may see it: rules by their names, without what these say."""
        rules = tuple(dict.fromkeys(_untold(rule) for rule in self.rules))
        bare = self._with(lambda unit: replace(unit, rules=tuple(map(_untold, unit.rules))))
        return replace(bare, rules=rules)


def _changed(force: ForceLines, change: Callable[[UnitLines], UnitLines]) -> ForceLines:
    """Return a force with all units in it changed."""
    groups = (replace(group, units=tuple(map(change, group.units))) for group in force.groups)
    below = tuple(_changed(inner, change) for inner in force.below)
    return replace(force, groups=tuple(groups), below=below)


def _untold(rule: RuleText) -> RuleText:
    return replace(rule, texts=(), of=())


def _unnoted(pick: PickLine) -> PickLine:
    return replace(pick, notes="", below=tuple(_unnoted(one) for one in pick.below))


def view_of(game: GameFiles, evaluation: Evaluation, findings: tuple[Told, ...] = ()) -> ListView:
    """Return the view of a list, with these findings on it."""
    return _Viewer(game, evaluation).view(findings)


def unit_of(game: GameFiles, evaluation: Evaluation, branch: Branch) -> UnitLines:
    """Return the view of one unit of a list."""
    return _Viewer(game, evaluation).unit(branch)


class _Viewer:
    """Looks at a list that is worked out."""

    def __init__(self, game: GameFiles, evaluation: Evaluation) -> None:
        self.game = game
        self.evaluation = evaluation
        self.shown = Shown(evaluation)
        self._sources: dict[tuple[str, str], str] = {}
        self._units: dict[Branch, dict[ShownProfile, None]] = {}
        self._owners: dict[RuleText, dict[str, None]] = {}
        self._wordy: set[tuple[str, str]] = set()

    def view(self, findings: tuple[Told, ...]) -> ListView:
        """Return all of it."""
        for force in self.evaluation.forces:
            for branch in self.evaluation.branches[force]:
                self._units[branch] = dict.fromkeys(self._profiles(branch))
        self._find_wordy()
        top = self.evaluation.top
        forces = tuple(self._force(force) for force in self.evaluation.below[top])
        limits = self.evaluation.roster.limits
        spent = ((cost, self.evaluation.spent(cost.id)) for cost in self._costs)
        return ListView(
            game=_name(self.game.system),
            revision=self.game.system.get("revision"),
            books=tuple(dict.fromkeys(self._books())),
            costs=tuple(
                CostLine(_name(cost), number, limits.get(cost.id, -1)) for cost, number in spent
            ),
            forces=forces,
            rules=tuple(sorted(self._told(), key=_by_type)),
            findings=findings,
        )

    def unit(self, branch: Branch) -> UnitLines:
        """Return one unit."""
        self._units[branch] = dict.fromkeys(self._profiles(branch))
        self._find_wordy()
        return self._unit(branch, "")

    @cached_property
    def _costs(self) -> tuple[FileElement, ...]:
        """The costs that the game shows of such a list; one at least, if it has any."""
        costs = tuple(cost_types(self.game, self.evaluation).values())
        return tuple(cost for cost in costs if not self._hides(cost)) or costs[:1]

    def _hides(self, cost: FileElement) -> bool:
        """Return whether a cost is hidden in all forces."""
        forces = [
            (force, force.definition.book)
            for force in self.evaluation.forces
            if isinstance(force.definition, FileDefinition)
        ]
        if not forces:
            return cost.says("hidden")
        return all(
            FileDefinition(book, cost, Kind.CATEGORY).hidden.holds(self.evaluation, force) is True
            for force, book in forces
        )

    def _books(self) -> Iterator[str]:
        for force in self.evaluation.forces:
            if isinstance(force.definition, FileDefinition):
                root = force.definition.book.root
                revision = say("revision {revision}", revision=root.get("revision", "?"))
                yield f"{_name(root)}, {revision}"

    def _profiles(self, branch: Branch) -> Iterator[ShownProfile]:
        for node in branch.nodes:
            if isinstance(node.definition, FileDefinition):
                for shown in self.shown.profiles(node.definition, node):
                    source = self._source(node.definition, shown.publication, shown.page)
                    yield replace(shown, publication=source)

    def _source(self, definition: FileDefinition, publication: str, page: str) -> str:
        """Return the source of a rule, a profile or a unit: publication and page."""
        key = publication, page
        if key not in self._sources:
            found = self.game.find(publication, definition.main) if publication else None
            name = found.get("shortName") or _name(found) if found is not None else ""
            place = say("page {page}", page=page) if page else ""
            self._sources[key] = ", ".join(filter(None, (name, place)))
        return self._sources[key]

    def _find_wordy(self) -> None:
        """Find the columns that hold sentences anywhere on the list; rules show these once."""
        for profiles in self._units.values():
            for profile in profiles:
                for column, _, text in profile.values:
                    if len(text) > LONG and _SENTENCE.search(text):
                        self._wordy.add((profile.type, column))

    # Forces and units

    def _force(self, node: Node) -> ForceLines:
        definition, pick = node.definition, self.evaluation.picks[node]
        order: dict[str, str] = {}
        book = ""
        if isinstance(definition, FileDefinition):
            book = _name(definition.book.root)
            order = {
                entry.key: _name(entry.main)
                for entry in getattr(definition, "category_definitions", ())
            }
        count = self.evaluation.count
        groups: dict[str, list[UnitLines]] = {key: [] for key in order}
        names = dict(order)
        for branch in self.evaluation.branches[node]:
            primary = next((id for id, of in branch.root.categories.items() if of), "")
            if primary not in names:
                names[primary] = self._category(branch.root, primary)
            groups.setdefault(primary, []).append(self._unit(branch, primary))
        return ForceLines(
            id=pick.id,
            name=self.shown.name(node).strip(),
            book=book,
            own=pick.said.get("customName", ""),
            costs=self._cost_lines(lambda cost: count(node, cost, "", True, False)),
            groups=tuple(UnitGroup(names[key], tuple(of)) for key, of in groups.items() if of),
            below=tuple(self._force(inner) for inner in self.evaluation.below[node]),
        )

    def _category(self, node: Node, id: str) -> str:
        definition = node.definition
        if not isinstance(definition, FileDefinition):
            return ""
        return self.game.name_of(id, definition.book.root).strip()

    def _unit(self, branch: Branch, primary: str) -> UnitLines:
        root = branch.root
        definition = root.definition
        keywords = (self._category(root, id) for id in root.categories if id != primary)
        source = ""
        if isinstance(definition, FileDefinition):
            page = definition.get("page")
            source = self._source(definition, definition.get("publicationId"), page)
        tables, named, rules = self._tables(self._units[branch])
        pick = self._pick(root, 1)
        for rule in rules:
            self._owners.setdefault(rule, {})[pick.name] = None
        return UnitLines(
            id=branch.pick.id,
            pick=pick,
            costs=self._cost_lines(partial(self.evaluation.branch_cost, branch)),
            keywords=tuple(dict.fromkeys(filter(is_keyword, keywords))),
            tables=tables,
            named=named,
            source=source,
            rules=rules,
        )

    def _cost_lines(self, number: Callable[[str], Number]) -> tuple[CostLine, ...]:
        """Return the costs of something that are not 0, by their ids."""
        costs = ((cost, number(cost.id)) for cost in self._costs)
        return tuple(CostLine(_name(cost), of_it) for cost, of_it in costs if of_it)

    def _told(self) -> Iterator[RuleText]:
        """Yield the rules of all units, each once; of those with one name, whose each is."""
        names = Counter((rule.type, rule.name) for rule in self._owners)
        for rule, owners in self._owners.items():
            several = names[rule.type, rule.name] > 1
            yield replace(rule, of=tuple(owners)) if several else rule

    def _pick(self, node: Node, on: int) -> PickLine:
        definition, said = node.definition, node.pick.said if node.pick else {}
        kind = definition.type if isinstance(definition, FileDefinition) else "upgrade"
        return PickLine(
            name=self.shown.name(node).strip(),
            number=node.number,
            on=on,
            kind=kind,
            own=said.get("customName", ""),
            notes=said.get("customNotes", ""),
            costs=self._cost_lines(partial(self.evaluation.cost, node)),
            below=_merged(self._pick(below, node.number) for below in node.below),
        )

    def _tables(
        self, profiles: Iterable[ShownProfile]
    ) -> tuple[tuple[ProfileTable, ...], tuple[Named, ...], tuple[RuleText, ...]]:
        """Return profiles as tables, the names of those shown in words alone, and these words."""
        by_type: dict[str, list[ShownProfile]] = {}
        for profile in profiles:
            by_type.setdefault(profile.type, []).append(profile)
        tables, named, rules = [], [], dict[RuleText, None]()
        for type, of in by_type.items():
            columns = tuple(dict.fromkeys(column for one in of for column, *_ in one.values))
            short = tuple(one for one in columns if (type, one) not in self._wordy)
            if short != columns:  # Of rules, a column in which nothing stands says nothing.
                filled = {column for one in of for column, _, text in one.values if text.strip()}
                short = tuple(one for one in short if one in filled)
            wordy = [one for one in of if short != columns or not columns]
            said = [self._rule(one) for one in wordy]
            rules.update(dict.fromkeys(rule for rule in said if rule.texts or not short))
            if short:
                rows = dict.fromkeys(_row(profile, short) for profile in of)
                tables.append(ProfileTable(type.strip(), short, tuple(rows)))
            else:
                names = dict.fromkeys(one.name.strip() for one in of)
                named.append(Named(type.strip(), tuple(names)))
        return tuple(tables), tuple(named), tuple(rules)

    def _rule(self, profile: ShownProfile) -> RuleText:
        """Return the text of a profile or a rule."""
        texts = tuple(
            (column, text)
            for column, _, text in profile.values
            if text.strip(" -") and (profile.type, column) in self._wordy
        )
        if profile.description:
            texts = (*texts, ("", profile.description))
        texts = tuple((column, _MARKS.sub("", text).strip()) for column, text in texts)
        return RuleText(profile.name.strip(), profile.type.strip(), texts, profile.publication)


def is_keyword(category: str) -> bool:
    """Return whether the name of a category is for players: authors begin others with a sign, or
    put a whole rule into them.
    """
    return category[:1].isalnum() and len(category) <= MAX_KEYWORD


def _row(profile: ShownProfile, columns: Iterable[str]) -> tuple[str, ...]:
    values = {column: _on_one_line(text) for column, _, text in profile.values}
    name, noted = profile.name.strip(), _on_one_line(profile.annotation)
    return (f"{name} ({noted})" if noted else name, *(values.get(col, "") for col in columns))


def _on_one_line(text: str) -> str:
    """Return a value without marks, its lines as one."""
    lines = (line.strip().removesuffix(",") for line in _MARKS.sub("", text).splitlines())
    return ", ".join(filter(None, lines))


def _name(element: FileElement) -> str:
    return element.get("name").strip()


def _by_type(rule: RuleText) -> tuple[bool, str, str]:
    """Return by what rules are sorted: types of profiles, then rules; each by name."""
    return not rule.type, rule.type, rule.name.casefold()


def _merged(lines: Iterable[PickLine]) -> tuple[PickLine, ...]:
    """Return lines with equal ones once, their numbers added."""
    merged: dict[PickLine, list[PickLine]] = {}
    for line in lines:
        merged.setdefault(line, []).append(line)
    return tuple(
        _times(line, len(same)) if len(same) > 1 else line for line, same in merged.items()
    )


def _times(line: PickLine, times: int) -> PickLine:
    costs = tuple(replace(one, number=one.number * times) for one in line.costs)
    inner = (_times(one, times) for one in line.below)
    below = tuple(replace(one, on=one.on * times) for one in inner)
    return replace(line, number=line.number * times, costs=costs, below=below)
