"""From the XML of a BattleScribe file to frozen values."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final, Literal
from xml.etree.ElementTree import Element

from armybuilder.loading.deadline import check
from armybuilder.loading.problems import Refusal
from bookimport.names import clean, restricting, without_prefix
from bookimport.source import (
    STRANGE,
    CategoryLink,
    Conditions,
    Constraint,
    Field,
    Info,
    Kind,
    Modifier,
    Repeat,
    SourceCondition,
    SourceEntry,
    SourceFile,
    SourceForce,
    SourceProfile,
)

#: Entries, groups and links that one file may have; the largest real ones have some 30,000.
MOST_ENTRIES: Final = 50_000
HOLDING: Final = {"selectionEntry", "selectionEntryGroup", "entryLink"}
_GROUP_TAGS: Final = {"selectionEntryGroup"}
_CHILD_LISTS: Final = ("selectionEntries", "selectionEntryGroups", "entryLinks")


class Parser:
    """Turns the XML of one file into values. Raises Refusal at a price or force it cannot read."""

    def __init__(
        self,
        file: str,
        points: str,
        profile_types: dict[str, str],
        strange: dict[Element, str],
        prefixes: Collection[str] = (),
    ) -> None:
        self.file = file
        self.points = points
        self.profile_types = profile_types
        self.strange = strange
        self.prefixes = prefixes

    def file_of(self, root: Element) -> SourceFile:
        """Return everything the file holds, indexed by id; the first of two equal ids counts."""
        entries = sum(part.tag in HOLDING for part in root.iter())
        if entries > MOST_ENTRIES:
            raise Refusal(f"{self.file}: it has more than {MOST_ENTRIES} entries.")
        tops = ("selectionEntries/selectionEntry", "entryLinks/entryLink")
        roots = tuple(self.entry(item) for top in tops for item in root.iterfind(top))
        shared = [
            self.entry(item)
            for name in ("sharedSelectionEntries", "sharedSelectionEntryGroups")
            for item in root.iterfind(f"{name}/*")
        ]
        source = SourceFile(
            self.file, root.get("id", ""), root.get("name", ""), root.get("revision", ""), roots,
            tuple(self._force(item) for item in root.iterfind("forceEntries/forceEntry")),
            {
                item.get("id", ""): self._category(item, item.get("id", ""))
                for item in root.iter("categoryEntry")
            },
            tuple(self._rule(item) for item in root.iterfind("rules/rule")),
        )  # fmt: skip
        for entry in [*roots, *shared]:
            _index(source, entry)
        for item in root.iterfind("sharedProfiles/profile"):
            source.profiles.setdefault(item.get("id", ""), self._profile(item))
        for item in root.iter():
            if item.get("id"):
                source.names.setdefault(item.get("id", ""), clean(item.get("name", item.tag)))
        return source

    def entry(self, item: Element) -> SourceEntry:
        """Return an entry, group or link with everything in it."""
        check()
        kind: Kind = "group" if item.tag in _GROUP_TAGS else "upgrade"
        if item.tag == "entryLink":
            kind = "link"
        elif item.get("type") in {"unit", "model"}:
            kind = "unit" if item.get("type") == "unit" else "model"
        return SourceEntry(
            id=item.get("id", ""),
            name=without_prefix(item.get("name", ""), self.prefixes),
            written=item.get("name", ""),
            kind=kind,
            hidden=item.get("hidden") == "true",
            target=item.get("targetId", ""),
            default=item.get("defaultSelectionEntryId", ""),
            cost=self._cost(item),
            constraints=self._constraints(item),
            modifiers=self._modifiers(item),
            categories=tuple(
                (link.get("targetId", ""), link.get("primary") == "true")
                for link in item.iterfind("categoryLinks/categoryLink")
            ),
            infos=tuple(self._infos(item)),
            profiles=tuple(self._profile(part) for part in item.iterfind("profiles/profile")),
            sentences=tuple(_sentences(item)),
            children=tuple(
                self.entry(child) for part in item if part.tag in _CHILD_LISTS for child in part
            ),
            strange=self.strange.get(item, ""),
            exported=item.get("import") != "false",
            collective=item.get("collective") == "true",
        )

    def _infos(self, item: Element) -> Iterator[Info]:
        for link in item.iterfind("infoLinks/infoLink"):
            if link.get("type") not in {"rule", "profile"}:
                continue
            yield Info(
                link.get("name", ""),
                link.get("targetId", ""),
                link.get("type") == "profile",
                link.get("hidden") == "true",
                self._modifiers(link),
            )
        yield from (self._rule(rule) for rule in item.iterfind("rules/rule"))

    def _rule(self, item: Element) -> Info:
        return Info(item.get("name", ""), "", False, False, self._modifiers(item))

    def _profile(self, item: Element) -> SourceProfile:
        """Cells with long prose (effects, descriptions) are left where they are."""
        kind = self.profile_types.get(item.get("typeId", ""), item.get("typeName", ""))
        prose = {"Effect", "Description", "Spells"}
        cells = tuple(
            (cell.get("typeId", ""), cell.get("name", ""), clean(cell.text or ""))
            for cell in item.iterfind("characteristics/characteristic")
            if cell.get("name") not in prose
        )
        name = item.get("name", "")
        return SourceProfile(item.get("id", ""), name, kind, cells, self._modifiers(item))

    def _force(self, item: Element) -> SourceForce:
        links = tuple(
            self._category(link, link.get("targetId", ""))
            for link in item.iterfind("categoryLinks/categoryLink")
        )
        hidden = item.get("hidden") == "true"
        name = clean(item.get("name", ""))
        for part in self._constraints(item):
            if part.strange or part.field != "selections" or not _allows_one(part):
                raise Refusal(f"{self.file}: {name}: a limit of forces is not understood yet.")
        if item.find("forceEntries/forceEntry") is not None:
            raise Refusal(f"{self.file}: {name}: forces within a force are not understood yet.")
        return SourceForce(item.get("id", ""), name, hidden, links)

    def _category(self, item: Element, target: str) -> CategoryLink:
        """Return a category, or its link in a force, with its limits and what changes them."""
        return CategoryLink(
            target,
            item.get("name", ""),
            self._constraints(item),
            self._modifiers(item),
            self.strange.get(item, ""),
        )

    def _cost(self, item: Element) -> int | None:
        costs = [
            self._price(cost.get("value", ""), item)
            for cost in item.iterfind("costs/cost")
            if cost.get("typeId") == self.points
        ]
        return sum(costs) if costs else None

    def _price(self, text: str, item: Element) -> int:
        try:
            return self.whole(text, f"the price of {item.get('name')}")
        except Refusal as refusal:
            said = refusal.sentence.rstrip(".")
            raise Refusal(f"{said}; fractions are not understood yet.") from refusal

    def _constraints(self, item: Element) -> tuple[Constraint, ...]:
        return tuple(
            self._constraint(part, item) for part in item.iterfind("constraints/constraint")
        )

    def _constraint(self, part: Element, item: Element) -> Constraint:
        id_ = part.get("id", "")
        kind: Literal["min", "max"] = "min" if part.get("type") == "min" else "max"
        strange = self.strange.get(part, "")
        try:
            counted = self.field_of(part.get("field", ""), item)
            value = self.whole(part.get("value", ""), f"a limit of {item.get('name')}")
        except Refusal as refusal:
            strange = strange or refusal.sentence
        if strange:
            return Constraint(id_, kind, "selections", "elsewhere", -1, strange)
        # A list is one force, so what is counted in a force is counted in the army.
        return Constraint(
            id_, kind, counted, "parent" if part.get("scope") == "parent" else "roster", value
        )

    def _modifiers(self, item: Element) -> tuple[Modifier, ...]:
        """Return the changes, those in groups with what the groups ask of all of them."""
        found = [self._modifier(part, item) for part in item.iterfind("modifiers/modifier")]
        for group in item.iterfind("modifierGroups/modifierGroup"):
            around = self._modifier(group, item)
            found += [
                replace(
                    one,
                    when=Conditions("and", (around.when, one.when)),
                    repeats=(*around.repeats, *one.repeats),
                )
                for one in self._modifiers(group)
            ]
        return tuple(found)

    def _modifier(self, part: Element, item: Element) -> Modifier:
        name = part.get("field", "")
        strange = self.strange.get(part, "")
        repeats: tuple[Repeat, ...] = ()
        try:
            repeats = tuple(self._repeat(one, item) for one in part.iterfind("repeats/repeat"))
            when = self._conditions(part, item)
        except Refusal as refusal:
            strange = strange or refusal.sentence
        if strange:
            when = Conditions("and", (SourceCondition(STRANGE, "selections", "", strange, 0),))
        return Modifier(
            part.get("type", ""),
            "points" if name == self.points else name,
            part.get("value", ""),
            when,
            repeats,
        )

    def _conditions(self, part: Element, item: Element) -> Conditions:
        """Return the conditions of a modifier or a group; groups may hold groups."""
        single = [self._condition(one, item) for one in part.iterfind("conditions/condition")]
        groups = [
            self._conditions(group, item)
            for group in part.iterfind("conditionGroups/conditionGroup")
        ]
        either = part.tag == "conditionGroup" and part.get("type") == "or"
        return Conditions("or" if either else "and", (*single, *groups))

    def _condition(self, part: Element, item: Element) -> SourceCondition:
        kind, scope = part.get("type", ""), part.get("scope", "")
        if scope == "force" and kind not in {"instanceOf", "notInstanceOf"}:
            scope = "roster"
        return SourceCondition(
            kind,
            self.field_of(part.get("field", ""), item),
            scope,
            part.get("childId", ""),
            self.whole(part.get("value", ""), f"a condition of {item.get('name')}"),
        )

    def _repeat(self, part: Element, item: Element) -> Repeat:
        scope = part.get("scope", "")
        return Repeat(
            self.field_of(part.get("field", ""), item),
            "roster" if scope == "force" else scope,
            part.get("childId", ""),
            self.whole(part.get("value", ""), f"a repeat of {item.get('name')}"),
            part.get("roundUp") == "true",
        )

    def field_of(self, name: str, item: Element) -> Field:
        """Return what a limit or condition counts. Raises Refusal at anything else."""
        fields: dict[str, Field] = {
            "selections": "selections",
            self.points: "points",
            f"limit::{self.points}": "limit",
        }
        if name not in fields:
            raise Refusal(
                f"{self.file}: {item.get('name')}: field “{name[:60]}” is not understood."
            )
        return fields[name]

    def whole(self, text: str, what: str) -> int:
        """Return a whole number out of text like 12 or 12.0. Raises Refusal at any other."""
        try:
            number = float(text)
        except ValueError:
            number = 0.5
        if not number.is_integer() or abs(number) > 1_000_000:
            raise Refusal(f"{self.file}: {what} is “{text[:40]}”, not a whole number.")
        return int(number)


def _allows_one(limit: Constraint) -> bool:
    """Return whether a limit on the number of forces lets a list be one force, as it is here."""
    return limit.value <= 1 if limit.type == "min" else limit.value != 0


def _index(source: SourceFile, entry: SourceEntry) -> None:
    source.entries.setdefault(entry.id, entry)
    for constraint in entry.constraints:
        source.constraints.setdefault(constraint.id, constraint)
    for profile in entry.profiles:
        source.profiles.setdefault(profile.id, profile)
    for child in entry.children:
        _index(source, child)


def _sentences(item: Element) -> Iterator[str]:
    """Yield the sentences of an entry's own items and rules that restrict who may have it."""
    texts = [*item.iterfind("profiles/profile/characteristics/characteristic")]
    texts += item.iterfind("rules/rule/description")
    for text in texts:
        yield from restricting(text.text or "")
