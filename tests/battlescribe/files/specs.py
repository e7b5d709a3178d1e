"""Runs specs of rosters: a game and its catalogues, edits, and what the list must come to.

The form is that of the public conformance suite of BattleScribe's formats (WarHub,
battlescribe-spec). Specs of our own stand beside this module; the suite's are read where they lie.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import yaml

from armybuilder.battlescribe.files.books import ForceDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.edits import RosterEditor
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, element_of, number_of, read_element
from armybuilder.battlescribe.files.rosters import RosterReader, RosterWriter
from armybuilder.battlescribe.files.showing import Shown, ShownProfile, text_of
from armybuilder.engine.kernel.branches import Breach, Node, Why
from armybuilder.engine.kernel.conditions import FORCES, Kind, Scope
from armybuilder.engine.kernel.definitions import Definition

HERE: Final = Path(__file__).parent
SUITE: Final = HERE.parents[2].parent / "shared" / "data" / "battlescribe-spec" / "roster"

#: Lists whose elements are told apart by this key, whatever their order.
_KEYS: Final = {
    "costs": "typeId",
    "profiles": "name",
    "rules": "name",
    "categories": "entryId",
    "publications": "id",
    "costLimits": "typeId",
}
#: What every force has for what is of none of its categories.
_UNCATEGORISED: Final = {
    "name": "Uncategorised",
    "entryId": "(No Category)",
    "primary": False,
    "profiles": [],
    "rules": [],
}
_IN_ORDER: Final = {"forces", "selections", "children", "childForces"}
_OF_ERRORS: Final = {"errors", "errorsContain", "errorCount", "engines"}
_REFERENCE: Final = re.compile(r"\$\{\{\s*steps\.([\w-]+)\.([\w-]+)(?:\.([^\s}]+))?\s*\}\}")


def read_spec(path: Path) -> dict[str, Any]:
    """Return a spec, all its values as texts."""
    data: dict[str, Any] = yaml.load(path.read_text(), yaml.CBaseLoader)  # noqa: S506 texts only
    return data


def game_of(spec: Mapping[str, Any]) -> GameFiles:
    """Return the game that a spec sets up."""
    system = dict(spec["setup"].get("gameSystem") or {})
    system = {"id": spec["id"], "name": spec["id"], **system}
    catalogues = [
        {"name": spec["id"], "gameSystemId": system["id"], **catalogue}
        for catalogue in spec["setup"].get("catalogues", ())
    ]
    roots = [_element("catalogue", catalogue) for catalogue in catalogues]
    return GameFiles.of(_element("gameSystem", system), roots)


def _element(place: str, data: Mapping[str, Any]) -> FileElement:
    root = element_of(place, data)
    for element in root.walk():
        if element.place == "characteristics":
            element.attributes["$text"] = element.get("value")
    return root


class Run:
    """One run of a spec; `failures` says what is otherwise than it wants."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.spec = spec
        self.game = game_of(spec)
        self.editor = RosterEditor(self.game)
        self.name = spec["id"]
        self.steps: dict[str, Mapping[str, Any]] = {}
        self.failures: list[str] = []
        for step in spec["steps"]:
            if "action" in step:
                made = self._act(step["action"], {k: self._resolved(v) for k, v in step.items()})
                self.steps[step.get("id", "")] = made
            elif "expectedState" in step:
                self._expect(step["expectedState"] or {})
            else:
                self._expect_file(step)

    def _resolved(self, value: Any) -> Any:
        found = _REFERENCE.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            return value
        made = self.steps[found[1]][found[2]]
        return made[found[3]] if found[3] else made

    # Actions

    def _act(self, action: str, said: Mapping[str, Any]) -> Mapping[str, Any]:
        editor = self.editor
        pick = said.get("selectionId") or said.get("forceId") or ""
        if action in ("addForce", "addChildForce"):
            above = pick if action == "addChildForce" else ""
            return self._add_force(said, above)
        if action in ("selectEntry", "selectChildEntry"):
            definition = self._entry(pick, said["entryId"])
            id = editor.select(pick, definition)
            return {"selectionId": id, "selections": dict(editor.made)}
        if action in ("duplicateSelection", "duplicateForce"):
            key = "selectionId" if action == "duplicateSelection" else "forceId"
            return {key: editor.duplicate(pick)}
        if action in ("removeForce", "deselectSelection"):
            editor.remove(pick) if action == "removeForce" else editor.deselect(pick)
        elif action == "setSelectionCount":
            editor.set_count(pick, int(said["count"]))
        elif action == "setCostLimit":
            editor.set_limit(said["costTypeId"], number_of(said["value"]) or 0)
        elif action == "setCustomization":
            texts = {key: said[key] for key in ("customName", "customNotes") if key in said}
            of = f"{said['categoryEntryId']}/" if "categoryEntryId" in said else ""
            editor.say(pick, {of + key: text for key, text in texts.items()})
        elif action == "loadRoster":
            root = read_element(said["content"].encode())
            reader = RosterReader(self.game, editor.book)
            self.editor = RosterEditor(self.game, reader.read(root))
            self.name = root.get("name")
        elif action not in ("reload", "dump"):
            raise ValueError(action)
        return {}

    def _add_force(self, said: Mapping[str, Any], above: str) -> Mapping[str, Any]:
        editor = self.editor
        outer = editor.pick(above).definition if above else None
        first = next(iter(self.game.heads))
        default = outer.book.root.id if isinstance(outer, FileDefinition) else first
        within = outer if isinstance(outer, ForceDefinition) else None
        force = editor.book(said.get("catalogueId", default)).force(said["forceEntryId"], within)
        assert force is not None, said["forceEntryId"]
        id = editor.add_force(force, above)
        return {"forceId": id, "selections": dict(editor.made)}

    def _entry(self, pick: str, id: str) -> Definition:
        above = self.editor.pick(pick).definition
        offered = [one for one in above.offered if isinstance(one, FileDefinition)]
        by_key = (one for one in offered if one.key == id)
        return next(by_key, None) or next(one for one in offered if id in one.ids)

    # Expectations

    def _expect(self, wanted: Mapping[str, Any]) -> None:
        view = View(self.editor, self.name)
        self.failures += _differences(wanted, view.roster(), "")
        breaches = self.editor.evaluation.breaches
        errors = [view.error(breach) for breach in breaches if breach.severity == "error"]
        self.failures += _errors(wanted, errors)

    def _expect_file(self, step: Mapping[str, Any]) -> None:
        snapshot = HERE / "snapshots" / f"{self.spec['id']}.{step['id']}.ros"
        wanted = snapshot.read_text()
        got = RosterWriter(self.game, self.editor.evaluation).xml("roster", self.name)
        if got != wanted:
            self.failures.append(f"{snapshot.name}: {got}")


class View:
    """A list as specs speak of it."""

    def __init__(self, editor: RosterEditor, name: str) -> None:
        self.editor = editor
        self.name = name
        self.evaluation = editor.evaluation
        self.shown = Shown(self.evaluation)
        roots = (editor.game.system, *map(editor.game.root, editor.game.heads))
        self.costs = [cost for root in roots for cost in root.all("costTypes")]

    def roster(self) -> dict[str, Any]:
        """Return the whole list."""
        evaluation, system = self.evaluation, self.editor.game.system
        forces = sorted(evaluation.below[evaluation.top], key=lambda f: _natural(f.definition.name))
        used = {cost for node in evaluation.nodes() for cost in self._priced(node.definition)}
        costs = [
            self._cost(cost, evaluation.spent(cost.id))
            for cost in self.costs
            if not evaluation.forces or cost.id in used or not any(evaluation.nodes())
        ]
        limits = [
            self._cost(cost, limit)
            for cost in self.costs
            if (limit := self.editor.roster.limits.get(cost.id, -1)) >= 0
        ]
        return {
            "name": self.name,
            "forceCount": len(evaluation.below[evaluation.top]),
            "selectionCount": sum(
                len(evaluation.branches[force]) for force in evaluation.below[evaluation.top]
            ),
            "forces": [self.force(force) for force in forces],
            "costs": costs,
            "costCount": len(costs),
            "costLimits": limits,
            "costLimitCount": len(limits),
            "gameSystemName": system.get("name"),
            "gameSystemId": system.id,
        }

    def _priced(self, definition: Definition) -> set[str]:
        if not isinstance(definition, FileDefinition):
            return set()
        said = {cost.get("typeId") for e in definition.elements for cost in e.all("costs")}
        return said | definition.modifiers.keys()

    def _cost(self, cost: FileElement, value: Any) -> dict[str, Any]:
        return {
            "name": cost.get("name"),
            "typeId": cost.id,
            "value": value,
            "hidden": cost.says("hidden"),
        }

    def force(self, node: Node) -> dict[str, Any]:
        """Return a force."""
        definition, pick = node.definition, self.evaluation.picks[node]
        assert isinstance(definition, ForceDefinition)
        book = definition.book
        order = [element.id for element in book.force_elements(definition)]
        inner = sorted(
            self.evaluation.below[node],
            key=lambda f: order.index(f.definition.key) if f.definition.key in order else 99,
        )
        linked = (self._force_category(one, node) for one in definition.category_definitions)
        categories = [_UNCATEGORISED, *linked]
        sources = self.editor.game.sources(book.root)
        roots = [branch.root for branch in self.evaluation.branches[node]]
        own = {key: text for key, text in pick.said.items() if "/" not in key}
        return {
            "name": self.shown.name(node),
            "selectionCount": len(roots),
            "availableEntryCount": sum(
                self.evaluation.is_hidden(Node(one, node, None)) is False and not one.groups
                for one in definition.children
            ),
            "hidden": definition.hidden.holds(self.evaluation, node),
            "childForceCount": len(inner),
            "childForces": [self.force(one) for one in inner],
            "selections": self._selections(roots, node),
            "publicationId": definition.get("publicationId"),
            "page": definition.get("page"),
            "entryId": definition.key,
            "categories": categories,
            "categoryCount": len(categories),
            "publications": [
                {"id": one.id, "name": one.get("name")}
                for root in sources
                for one in root.all("publications")
            ],
            "catalogueId": book.root.id,
            "catalogueName": book.root.get("name"),
            **self._force_infos(definition, node),
            **own,
        }

    def _force_infos(self, definition: ForceDefinition, node: Node) -> dict[str, Any]:
        """Return what is shown of a force: its own, its catalogue's, its system's."""
        roots = (self.editor.game.sources(definition.book.root)[0], self.editor.game.system)
        found = [self._infos(definition, node)]
        found += [
            self._infos(FileDefinition(definition.book, r, Kind.CATEGORY), node) for r in roots
        ]
        return {key: [one for infos in found for one in infos[key]] for key in found[0]}

    def _force_category(self, definition: FileDefinition, force: Node) -> dict[str, Any]:
        link = definition.elements[-1]
        place = Node(definition, force, None)
        said = self.evaluation.picks[force].said
        of = f"{definition.key}/"
        return {
            "name": definition.main.get("name"),
            "entryId": definition.key,
            "primary": link.says("primary"),
            "page": definition.get("page"),
            "publicationId": definition.get("publicationId"),
            **self._infos(definition, place),
            **{key.removeprefix(of): text for key, text in said.items() if key.startswith(of)},
        }

    def _selections(self, nodes: list[Node], force: Node | None = None) -> list[dict[str, Any]]:
        shown = [self.selection(node) for node in nodes]
        if force is None:
            return sorted(shown, key=lambda one: _natural(one["name"]))
        definition = force.definition
        assert isinstance(definition, ForceDefinition)
        places = {one.key: place for place, one in enumerate(definition.category_definitions)}
        return sorted(
            shown,
            key=lambda one: (
                next(
                    (
                        places[c["entryId"]]
                        for c in one["categories"]
                        if c["primary"] and c["entryId"] in places
                    ),
                    -1,
                ),
                _natural(one["name"]),
            ),
        )

    def selection(self, node: Node) -> dict[str, Any]:
        """Return a selection with all that is on it."""
        definition, pick, evaluation = node.definition, node.pick, self.evaluation
        assert isinstance(definition, FileDefinition)
        assert pick is not None
        publication = definition.get("publicationId")
        of = definition.book.game.find(publication, definition.main) if publication else None
        priced = self._priced(definition)
        groups = definition.groups
        return {
            "name": self.shown.name(node),
            "type": definition.type,
            "number": node.number,
            "hidden": evaluation.is_hidden(node),
            "costs": [
                self._cost(cost, evaluation.cost(node, cost.id))
                for cost in self.costs
                if cost.id in priced
            ],
            "children": self._selections(node.below),
            "categories": [
                self._category(definition, id, primary, node)
                for id, primary in node.categories.items()
            ],
            "page": text_of(definition, "page", definition.get("page"), evaluation, node),
            "publicationId": publication,
            "publicationName": of.get("name") if of is not None else None,
            "entryId": definition.key,
            "entryGroupId": groups[-1].key if groups else None,
            "childCount": len(node.below),
            **self._infos(definition, node),
            **pick.said,
        }

    def _category(
        self, definition: FileDefinition, id: str, primary: bool, node: Node
    ) -> dict[str, Any]:
        entry = definition.book.game.find(id, definition.elements[-1])
        if entry is None:
            return {"name": "", "entryId": id, "primary": primary}
        category = FileDefinition(definition.book, entry, Kind.CATEGORY)
        name = text_of(category, "name", entry.get("name"), self.evaluation, node)
        return {
            "name": name,
            "entryId": id,
            "primary": primary,
            "page": entry.get("page"),
            "publicationId": entry.get("publicationId"),
            **self._infos(category, node),
        }

    def _infos(self, definition: FileDefinition, node: Node) -> dict[str, Any]:
        shown = list(self.shown.profiles(definition, node))
        return {
            "profiles": [_profile(one) for one in shown if one.type or one.type_id],
            "rules": [
                {**_head(one), "description": one.description}
                for one in shown
                if not (one.type or one.type_id)
            ],
        }

    def error(self, breach: Breach) -> tuple[str, str, str, str]:
        """Return what an error is on (kind, id) and from (owner, bound)."""
        if breach.why is Why.LIMIT:
            return "roster", "", "costLimits", breach.cost
        if breach.why is Why.LOOP:
            return "roster", "", "loop", ""
        definition = breach.node.definition
        if breach.bound is None:
            assert isinstance(definition, FileDefinition)
            on = "force" if definition.kind is Kind.FORCE else "selection"
            owner = definition if breach.notice is None else breach.notice.definition
            assert isinstance(owner, FileDefinition)
            what = "hidden" if breach.notice is None else breach.notice.severity
            return on, definition.main.id, owner.main.id, what
        bound, of = breach.bound, breach.bound.definition
        assert isinstance(of, FileDefinition)
        owner = of.main.id if of.kind is Kind.CATEGORY else bound.source
        return (*self._on(breach, of), owner, bound.id)

    def _on(self, breach: Breach, of: FileDefinition) -> tuple[str, str]:
        bound = breach.bound
        assert bound is not None
        query = bound.query
        if of.kind is Kind.FORCE:
            return ("roster", "") if query.field == FORCES else ("force", of.main.id)
        if of.kind is Kind.CATEGORY:
            return "category", of.main.id
        above = breach.node.above
        assert above is not None
        if (
            breach.is_over
            and of.kind is Kind.ENTRY
            and not (query.scope is Scope.PARENT and of.is_collective)
        ):
            taken = next((n for n in self.evaluation.nodes() if query.tag in n.tags), None)
            if taken is not None and isinstance(taken.definition, FileDefinition):
                return "selection", taken.definition.main.id
        if above.branch is not None and isinstance(above.definition, FileDefinition):
            return "selection", above.definition.main.id
        if query.field == FORCES or (query.scope is Scope.LIST and not of.categories):
            return "roster", ""
        primary = next((id for id, is_primary in of.categories.items() if is_primary), None)
        if primary and not (query.scope is Scope.FORCE and bound.low is not None):
            return "category", primary
        return "force", above.definition.key


def _head(shown: ShownProfile) -> dict[str, Any]:
    return {
        "name": shown.name,
        "hidden": False,
        "page": shown.page,
        "publicationId": shown.publication,
    }


def _profile(shown: ShownProfile) -> dict[str, Any]:
    return {
        **_head(shown),
        "typeId": shown.type_id,
        "typeName": shown.type,
        "characteristics": [
            {"name": name, "typeId": type_id, "value": value}
            for name, type_id, value in shown.values
        ],
    }


def _natural(text: str) -> list[tuple[int, int, str]]:
    parts = (part for part in re.split(r"(\d+)", text) if part)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.lower()) for part in parts]


def _differences(wanted: Mapping[str, Any], got: Mapping[str, Any], path: str) -> Iterator[str]:
    for key, value in wanted.items():
        if key not in _OF_ERRORS:
            yield from _difference(key, value, got.get(key), f"{path}.{key}")


def _difference(key: str, wanted: Any, got: Any, path: str) -> Iterator[str]:
    if key in _KEYS:
        yield from _unordered(key, wanted, got or [], path)
    elif key == "characteristics":
        values = {one["name"]: one["value"] for one in got or ()}
        for one in wanted:
            if values.get(one["name"]) != one.get("value", ""):
                yield f"{path}: {one} not {values}"
    elif key in _IN_ORDER:
        got = got or []
        if len(got) != len(wanted):
            yield f"{path}: {[one['name'] for one in got]} not {[w.get('name') for w in wanted]}"
        for number, (one, other) in enumerate(zip(wanted, got, strict=False)):
            yield from _differences({"hidden": "false", **one}, other, f"{path}[{number}]")
    elif isinstance(got, bool):
        if (wanted == "true") != got:
            yield f"{path}: {got} not {wanted}"
    elif isinstance(got, (int, Fraction)):
        if Fraction(wanted) != got:
            yield f"{path}: {got} not {wanted}"
    elif (got or "") != (wanted or ""):
        yield f"{path}: {got!r} not {wanted!r}"


def _unordered(key: str, wanted: Any, got: list[dict[str, Any]], path: str) -> Iterator[str]:
    if len(got) != len(wanted):
        yield f"{path}: {len(got)} not {len(wanted)}"
    for one in wanted:
        by = _KEYS[key] if _KEYS[key] in one else "name"
        same = [other for other in got if other.get(by) == one.get(by)]
        if not same:
            yield f"{path}: no {one.get(by)} in {[other.get(by) for other in got]}"
            continue
        if key in ("profiles", "rules"):
            one = {"hidden": "false", **one}
        yield from min((list(_differences(one, other, path)) for other in same), key=len)


def _errors(wanted: Mapping[str, Any], got: list[tuple[str, str, str, str]]) -> Iterator[str]:
    if "errorCount" in wanted:
        if len(got) != int(wanted["errorCount"]):
            yield f"{len(got)} errors, not {wanted['errorCount']}: {got}"
        return
    rest, contained = list(got), "errorsContain" in wanted
    for one in wanted.get("errorsContain" if contained else "errors") or ():
        on, _, id = one["on"].partition(" ")
        owner, _, bound = one["from"].rpartition("/")
        same = [e for e in rest if (e[0], e[2], e[3]) == (on, owner, bound) and id in ("", e[1])]
        if not same:
            yield f"missing error {one} among {got}"
        elif not contained:
            rest.remove(same[0])
    if rest and not contained:
        yield f"further errors {rest}"


def outcome(path: Path, run: Callable[[Mapping[str, Any]], Run] = Run) -> list[str]:
    """Return how a list comes to something else than a spec wants."""
    return run(read_spec(path)).failures
