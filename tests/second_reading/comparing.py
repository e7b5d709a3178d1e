"""One army judged twice: where the program's report and the source's verdict differ.

Names tell which of our ids stand for an entry or a group of the source.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from armybuilder.battlescribe.rosters.writing import write_ros
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.kinds.limit import Limit
from armybuilder.engine.lines import Line
from armybuilder.engine.report import Report
from armybuilder.engine.rules import Finding
from armybuilder.engine.validate import validate
from armybuilder.loading.documents import Document, make_roster
from armybuilder.loading.library import CATALOGUE_DIR, Library
from tests.building.documents import value_of
from tests.second_reading.reader.books import Army, Book, Key, read_army
from tests.second_reading.reader.judging import Fault, Verdict, judge
from tests.second_reading.reader.wordings import word_faults

Kind = Literal[
    "price", "category", "limit", "group", "allowance", "hidden", "cap", "general", "named", "other"
]
#: Who says more: the source forbids what the program allows, the other way round, or two numbers.
Side = Literal["source", "program", "numbers"]

#: Findings about the size of a unit, and about what it has taken.
SIZES = frozenset(("unit.too-small", "unit.too-large"))
ALLOWANCE = "items.allowance"
CAPS = frozenset(("cap.over", "cap.under", "one-of-a-kind.over"))
STANDARD_BEARER = "Battle Standard Bearer"
#: The rule of the system, and our id of the option, that stand for the source's cap of it.
BATTLE_STANDARD, BATTLE_STANDARD_BEARER = "battle-standard", "battle-standard-bearer"
CATEGORIES = frozenset(("category.over", "category.under"))


@dataclass(frozen=True, eq=False)
class Case:
    """An army and what both say of it."""

    names: Names
    document: Document
    report: Report
    army: Army
    verdict: Verdict

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.report.full.lines

    @property
    def errors(self) -> tuple[Finding, ...]:
        return self.report.of(Severity.ERROR)

    @property
    def unchecked(self) -> frozenset[tuple[str, str]]:
        """What the program says that it does not judge: (the pick, the option or unit by name)."""
        return frozenset((unit, one.name) for one in self.report.unchecked for unit in one.units)

    @property
    def plainly_legal(self) -> bool:
        """Whether the program calls the army legal and leaves nothing open."""
        return self.report.legal and not self.report.unchecked


@dataclass(frozen=True, eq=False)
class Difference:
    """Something that one says of an army and the other does not. `line` is the unit that it is
    about, None where it is about the army. Of two numbers `source` and `program` are both there.
    """

    kind: Kind
    side: Side
    what: str
    case: Case = field(repr=False)
    line: Line | None = field(default=None, repr=False)
    fault: Fault | None = None
    finding: Finding | None = None
    source: float = 0
    program: float = 0

    @property
    def unit(self) -> str:
        """The unit's name in its book; "" where it is about the army."""
        return self.line.unit.name if self.line is not None else ""

    def __str__(self) -> str:
        where = f"{self.unit}: " if self.unit else ""
        said = {
            "source": "the source forbids it, the program does not",
            "program": "the program forbids it, the source does not",
            "numbers": f"{self.source:g} by the source, {self.program:g} by the program",
        }[self.side]
        if self.fault is not None and self.fault.answer == "cannot be told":
            said = "the source does not tell, the program allows it"
        wording = self.fault.wording if self.fault is not None else ""
        more = f" ({wording})" if wording not in self.what else ""
        code = f" [{self.finding.code}]" if self.finding is not None else ""
        return f"{self.kind}: {where}{self.what}{more}{code}: {said}"


def judge_twice(
    document: Document, library: Library, catalogue: Catalogue, books: dict[Key, Book], names: Names
) -> Case:
    """What both say of an army: the source reads it as the roster that the program writes."""
    report = validate(make_roster(value_of(document), catalogue), catalogue)
    army = read_army(write_ros(value_of(document), library), books)
    return Case(names, document, report, army, judge(army, word_faults))


def differences(case: Case) -> Iterator[Difference]:
    """Where the two differ, in the order of a verdict: numbers first."""
    yield from _prices(case)
    yield from _categories(case)
    yield from _matched(case)


def _prices(case: Case) -> Iterator[Difference]:
    for line, points in zip(case.lines, case.verdict.points, strict=True):
        if line.points != points:
            yield Difference(
                "price", "numbers", "price", case, line, None, None, points, line.points
            )
    total, spent = case.verdict.total, case.report.spent
    if spent - total != sum(line.points for line in case.lines) - sum(case.verdict.points):
        yield Difference("price", "numbers", "army", case, None, None, None, total, spent)


def _categories(case: Case) -> Iterator[Difference]:
    measured = {
        rule.what: term.measured
        for rule in case.report.system.rules
        if isinstance(rule, Limit) and rule.count == "points" and rule.what
        for term in rule.terms(case.report.full)
    }
    for id_, points in case.verdict.categories.items():
        name = case.names.categories[id_]
        if name in measured and measured[name] != points:
            yield Difference(
                "category", "numbers", name, case, None, None, None, points, measured[name]
            )


def _matched(case: Case) -> Iterator[Difference]:
    """Faults that no finding speaks of, and findings that speak of no fault."""
    met: set[int] = set()
    for fault in case.verdict.faults:
        found = [one for one in case.errors if _same(case, fault, one)]
        met |= {id(one) for one in found}
        if not found:
            line = case.lines[fault.unit] if fault.unit is not None else None
            kind: Kind = "other" if fault.kind == "unknown" else fault.kind
            yield Difference(kind, "source", fault.name, case, line, fault)
        elif fault.answer == "cannot be told":
            # The source may forbid it by its limits, too.
            others = (one for one in case.verdict.faults if one.answer == "broken")
            if not any(_same(case, one, found[0]) for one in others):
                yield _strict(case, found[0])
    for finding in case.errors:
        if id(finding) not in met:
            yield _strict(case, finding)


def _strict(case: Case, finding: Finding) -> Difference:
    by_id = {line.pick.id: line for line in case.lines}
    line = by_id.get(finding.units[0]) if len(finding.units) == 1 else None
    what = str(finding.values.get("option") or finding.values.get("group")
               or finding.values.get("name") or finding.values.get("what") or "")  # fmt: skip
    return Difference(_kind(finding), "program", what, case, line, None, finding)


def _kind(finding: Finding) -> Kind:
    code = finding.code
    if code in CAPS:
        return "cap"
    if code in CATEGORIES:
        return "category"
    if code == ALLOWANCE:
        return "allowance"
    if code.startswith("general."):
        return "general"
    if code.startswith("group."):
        return "group"
    if code in SIZES or code == "option.too-often":
        return "limit"
    return "hidden" if code == "option.requires" else "other"


def _same(case: Case, fault: Fault, finding: Finding) -> bool:
    kind = _kind(finding)
    if fault.kind == "general" or (kind == "general" and fault.name == STANDARD_BEARER):
        return _same_general(case, fault, finding)
    if fault.kind == "category":
        side = "category.over" if fault.side == "max" else "category.under"
        same = case.names.categories.get(fault.ids[0]) == finding.values.get("what")
        return same and (finding.code == side or finding.code == "category.under")
    if fault.unit is None:
        return _same_in_army(case, fault, finding)
    if case.lines[fault.unit].pick.id not in finding.units:
        return False
    if "allowance" in (fault.kind, kind):
        return fault.kind == kind and fault.measured == finding.measured
    if kind in ("cap", "category", "general"):
        return False
    own = _own(case, fault)
    if fault.kind == "named":
        # What a mount forbids its rider's items, a file may forbid the rider to ride.
        own = own.union(*map(case.names.ours, fault.members))
    around = _own(case, fault).union(*map(case.names.ours, fault.ids))
    return bool(own & _about(case, finding) or _named(finding) & around)


def _same_general(case: Case, fault: Fault, finding: Finding) -> bool:
    """Both are about who leads, or about that unit as the leader. Where the program's General may
    not lead, the source often has no mark for that and says that there is none.
    """
    if not finding.code.startswith("general."):
        return False
    if fault.unit is not None:
        return case.lines[fault.unit].pick.id in finding.units
    return (finding.code == "general.too-many") is (fault.side == "max")


def _same_in_army(case: Case, fault: Fault, finding: Finding) -> bool:
    """Both are about how much of something the army has; or one is that it may have none."""
    if finding.code == "option.requires" and fault.allowed == 0:
        if finding.about.text[-1:] != "/":
            return bool(_own(case, fault) & _named(finding))
        refs = (line.unit.ref for line in case.lines if line.pick.id in finding.units)
        return bool(_own(case, fault) & {ref.partition("/")[2] for ref in refs})
    if finding.code not in CAPS:
        return False
    under = finding.code == "cap.under"
    return under is (fault.side == "min") and capped(finding) in capped_ids(
        case.names, fault.ids[0]
    )


def capped(finding: Finding) -> tuple[str, bool]:
    """(our id of what a finding about a cap counts, whether its models)."""
    if finding.head.id == BATTLE_STANDARD:
        return BATTLE_STANDARD_BEARER, False
    # "option:armour/shield times", "unit:armour/shield models", or the rule "must-unit:armour"
    tag, _, what = finding.about.text.partition(" ")
    tag = finding.head.id if finding.code == "cap.under" else tag
    return tag.rpartition(":")[2].rpartition("/")[2], what == MODELS


def capped_ids(names: Names, id_: str) -> frozenset[tuple[str, bool]]:
    """The same of the source's id of what has a limit in the army. An option may be capped by the
    models that have it.
    """
    if names.models_of(id_):
        return frozenset({(names.models_of(id_), True)})
    counted = (False,) if names.is_unit(id_) else (False, True)
    return frozenset((ours, models) for ours in names.ours(id_) for models in counted)


def _own(case: Case, fault: Fault) -> frozenset[str]:
    """Our ids of what a fault is about; groups that we do not have stand for what is in them."""
    ours = case.names.ours(fault.ids[0]) or frozenset().union(*map(case.names.ours, fault.members))
    whole = fault.unit is not None and fault.ids[0] == case.army.units[fault.unit].place.id
    return ours | {""} if whole else ours


def _named(finding: Finding) -> frozenset[str]:
    """Our id of what a finding about a unit is about; "" for the unit itself."""
    if finding.code in SIZES:
        return frozenset({MODELS})
    return frozenset({finding.about.text.rpartition("/")[2]})


def _about(case: Case, finding: Finding) -> frozenset[str]:
    """Our ids of what a finding is about, and of the groups around that."""
    found = set(_named(finding))
    for line in case.lines:
        if line.pick.id in finding.units:
            for taken in line.loadout.taken:
                if taken.option.id in found or _enchants(finding, taken.option.name):
                    found |= {taken.option.id}
                    found |= {group.id for slot in taken.pick.slots for group in slot.groups}
    return frozenset(found)


def _enchants(finding: Finding, name: str) -> bool:
    names: Any = finding.values.get("names", ())
    slots = ("items.slot", "items.dominant")
    return finding.code in slots and isinstance(names, list) and name in names


SYSTEM = "t9a-2023"
#: All games whose books were made of BattleScribe files; a folder of files for each.
SYSTEMS = (SYSTEM, "t9a-2024", "t9a-3rd", "essence-of-war")
#: What our findings call the models of a unit.
MODELS = "models"


class Names:
    """The names of one book. Its origin file says what became of each of the source's ids."""

    def __init__(self, file: Path) -> None:
        data = json.loads(file.read_text("utf-8"))
        self.book: str = data["book"]
        self.catalogue: Key = data["catalogue"]["id"], data["catalogue"]["name"]
        self.categories: dict[str, str] = data["categories"]
        self._ours: dict[str, set[str]] = defaultdict(set)
        self._models: dict[str, str] = {}
        self._units = {node["id"] for node in data["units"]}
        for node in (*data["units"], *data["shared"]):
            self._walk(node, node.get("as", ""))

    def _walk(self, node: Mapping[str, Any], unit: str) -> None:
        if "as" in node:
            self._ours[node["id"]].add(node["as"])
        if node.get("is") == MODELS:
            self._ours[node["id"]].add(MODELS)
            self._models[node["id"]] = unit
        for inner in node.get("in", ()):
            self._walk(inner, unit)

    def ours(self, id_: str) -> frozenset[str]:
        """Our ids of what the source knows by an id; none where we have no such thing."""
        return frozenset(self._ours.get(id_, ()))

    def is_unit(self, id_: str) -> bool:
        return id_ in self._units

    def models_of(self, id_: str) -> str:
        """Our id of the unit whose models the source knows by an id; "" where it is no such."""
        return self._models.get(id_, "")


def all_names(system: str) -> dict[str, Names]:
    """The names of all imported books of a game, by our ids of the books."""
    files = sorted((CATALOGUE_DIR / system / "battlescribe").glob("*.json"))
    found = (Names(file) for file in files)
    return {names.book: names for names in found}
