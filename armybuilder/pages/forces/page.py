"""Contents of the builder's page for a list of a community's files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple
from urllib.parse import quote

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.battlescribe.files.books import ForceDefinition
from armybuilder.battlescribe.files.building import ListBuilder, primary_of
from armybuilder.battlescribe.files.choices import Choice, choices_on
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reports import FileReport, Told
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.battlescribe.files.view import UnitLines, unit_of
from armybuilder.collection.selectors import collection_of, game_of_files, owned_numbers
from armybuilder.engine.kernel.branches import Branch, Node
from armybuilder.engine.kernel.owned import beyond, models_in
from armybuilder.engine.states import TO_DO
from armybuilder.engine.verdict import counts_of, verdict_words
from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.lists.worked_out import WorkedOut, changed, worked_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.list_page import ListPage
from armybuilder.pages.builder.panes import sent
from armybuilder.pages.forces.units import (
    ListWords,
    StackView,
    UnitViewer,
    primary_category,
    taken_on,
)
from armybuilder.solving.cpsat import is_installed
from armybuilder.solving.owned import Models

#: Options of a group that are named; of more their number.
MAX_NAMED: Final = 24


class Preview(NamedTuple):
    """An entry as it would be added.

    `taken` are contents that come along, `bounds` its limits; `broken` are errors that it causes,
    and `why` the URL that explains them; `options` are names of choices, by groups.
    """

    ref: str
    name: str
    points: str
    bounds: str
    taken: str
    broken: tuple[Told, ...]
    why: str
    card: UnitLines
    options: tuple[tuple[str, str], ...]


def make_preview(one: WorkedOut, ref: str, why_url: str) -> Preview | None:
    """Return the entry that `ref` names as `add` does; None if the list has no such place."""
    force, __, key = ref.partition(":")
    builder = one.builder()
    try:
        on = builder.at(force)
        definition = builder.offered(on, key)
    except Refusal:
        return None
    (choice,) = choices_on(one.evaluation, on, [definition])
    root = _added(builder, force, choice)
    after = changed(one, builder)
    known = {told.sentence for told in one.told}
    words = ListWords(after)
    assert root.branch is not None  # noqa: S101 units stand in branches
    most = "∞" if choice.most is None else choice.most
    return Preview(
        ref=ref,
        name=words.shown(root),
        points=words.spent(root),
        bounds=_("{number} in the list; from {least} to {most}").format(
            number=choice.number, least=choice.least, most=most
        ),
        taken=taken_on(root, words),
        broken=tuple(one for one in after.told if one.is_error and one.sentence not in known),
        why=f"{why_url}?on={force}&entry={quote(key)}",
        card=unit_of(after.game, after.evaluation, root.branch),
        options=tuple(_offered(root, words)),
    )


def _added(builder: ListBuilder, force: str, choice: Choice) -> Node:
    """Add an entry for a moment; a hidden one too, which an act of the player couldn't."""
    if choice.hidden:
        return builder.at(builder.select(force, choice.definition))
    return builder.at(builder.add(force, choice.definition.key))


def _offered(root: Node, words: ListWords) -> Iterator[tuple[str, str]]:
    """Yield the groups of a unit's possible options, each with names and prices."""
    groups: dict[str, list[str]] = {}
    for choice in choices_on(words.one.evaluation, root):
        if not choice.hidden:
            group = choice.definition.groups[0].name.strip() if choice.definition.groups else ""
            price = words.price(choice.prices)
            name = choice.name.strip()
            groups.setdefault(group or _("Options"), []).append(
                f"{name} ({price})" if price else name
            )
    for group, names in groups.items():
        more = len(names) - MAX_NAMED
        rest = [_("and {number} more").format(number=more)] if more > 0 else []
        yield group, ", ".join([*names[:MAX_NAMED], *rest])


#: Letters of a row's text about a unit's options.
MAX_SUMMARY: Final = 300

_ROW = (
    '<li id="{id}" class="line {state}" tabindex="-1">'
    '<span class="handle" aria-hidden="true"></span>'
    '<a class="unit-line" id="open-{id}" aria-current="{current}" href="{url}"'
    ' hx-get="{url}&amp;part=list" data-view="unit">'
    '<span class="unit-what"><strong dir="auto">{name}</strong>{shown}{badge}</span>'
    ' <span class="unit-points">{points}</span> {summary}{notes}</a></li>\n'
)
_BADGE = ' <span class="badge {}">{} {}</span>'
_SHOWN = ' <span class="muted">{}</span>'


class Heading(NamedTuple):
    """The units of a category in a force, as rows of HTML."""

    name: str
    rows: Html
    number: int


class SettingLine(NamedTuple):
    """Something that says how a list is set up, with its options."""

    id: str
    name: str
    summary: str
    options: Html
    stacks: tuple[StackView, ...]
    bad: bool


class ForceView(NamedTuple):
    """A force with a heading; `depth` is the number of forces around it."""

    id: str
    name: str
    own_name: str
    catalogue: str
    book: str
    notes: str
    points: str
    depth: int
    first: bool
    last: bool
    headings: tuple[Heading, ...]
    kinds: tuple[tuple[str, str], ...]


class CatalogueChoice(NamedTuple):
    """A catalogue of which a force can be."""

    id: str
    name: str


@dataclass
class ForcesPage(ListPage):
    """The page of a list of a community's files.

    `catalogue` is that of which a force is added; `peeked` names a force and an entry, as `add`
    does. `of_owned`: advice uses only the models that the player owns.
    """

    catalogue: str = ""
    of_owned: bool = False
    start: int = 0
    news: None = None
    shelf_class: ClassVar[str] = " sized of-files"

    @cached_property
    def one(self) -> WorkedOut:
        return worked_out(self.version)

    @property
    def document(self) -> ForceList:
        return self.one.document

    @property
    def report(self) -> FileReport:
        return self.one.report

    @cached_property
    def words(self) -> ListWords:
        return ListWords(self.one)

    @property
    def models_game(self) -> str:
        return game_of_files(self.document.game.system)

    @cached_property
    def missing(self) -> list[str]:
        if not collection_of(self.holder, self.models_game).exists():
            return []
        models = models_in(self.one.roster.forces)
        owned = owned_numbers(self.holder, self.models_game, models.keys())
        return beyond(self.one.roster, owned)

    @property
    def owned_only(self) -> Models | None:
        """The models that advice is limited to; None for any."""
        return self.collection if self.of_owned else None

    @property
    def owned(self) -> Models:
        """The same as `collection`: files have no numbers of owned models."""
        return self.collection

    @property
    def collection_id(self) -> str:
        """The game of the collection in URLs."""
        return self.document.game.key

    @property
    def can_fill(self) -> bool:
        """Return whether points are left that a solver could spend."""
        return is_installed() and any(cost.spent < cost.limit for cost in self.one.costs)

    @property
    def game_name(self) -> str:
        return self.document.game.name

    @property
    def game_words(self) -> str:
        system = self.one.game.system
        revision = _("revision {number}").format(number=system.get("revision") or "?")
        return f"{self.document.game.name}, {revision}"

    @property
    def verdict_words(self) -> str:
        """The verdict and the costs as a sentence, to be read out after a change."""
        costs = ", ".join(f"{cost.words} {cost.name}" for cost in self.one.costs)
        return f"{self.report.verdict_sentence}. {costs}"

    # The army

    @cached_property
    def _wrong(self) -> dict[str, list[Told]]:
        wrong: dict[str, list[Told]] = {}
        for one in self.report.findings:
            if one.unit:
                wrong.setdefault(one.unit, []).append(one)
        return wrong

    @cached_property
    def forces(self) -> list[ForceView]:
        evaluation = self.one.evaluation
        return list(self._forces(evaluation.below[evaluation.top], 0))

    def _forces(self, nodes: list[Node], depth: int) -> Iterator[ForceView]:
        for node in nodes:
            pick, definition = self.one.evaluation.picks[node], node.definition
            prices = {
                cost: self.one.evaluation.count(node, cost, "", True, False)
                for cost in self.words.costs
            }
            root = definition.book.root if isinstance(definition, FileDefinition) else None
            yield ForceView(
                id=pick.id,
                name=self.words.shown(node),
                own_name=pick.said.get("customName", ""),
                catalogue=root.id if root is not None else "",
                book=root.get("name").strip() if root is not None else "",
                notes=pick.said.get("customNotes", ""),
                points=self.words.price(prices),
                depth=depth,
                first=node is nodes[0],
                last=node is nodes[-1],
                headings=tuple(self._headings(node)),
                kinds=tuple(self._kinds(definition)),
            )
            yield from self._forces(self.one.evaluation.below[node], depth + 1)

    def _kinds(self, definition: object) -> Iterator[tuple[str, str]]:
        """Yield the forces allowed within one: their ids and names."""
        if isinstance(definition, ForceDefinition):
            for element in definition.book.force_elements(definition):
                yield element.id, element.get("name").strip()

    def _headings(self, force: Node) -> Iterator[Heading]:
        linked = getattr(force.definition, "category_definitions", ())
        order = {one.key: one.main.get("name").strip() for one in linked}
        under: dict[str, list[Branch]] = {key: [] for key in order}
        for branch in self.one.evaluation.branches[force]:
            if not self.words.is_setting(branch.root):
                under.setdefault(primary_of(branch.root), []).append(branch)
        for key, branches in under.items():
            if branches:
                name = order.get(key) or self.words.category(key, branches[0].root.definition)
                rows = join(self._row(branch) for branch in branches)
                yield Heading(name or _("Others"), rows, len(branches))

    def _row(self, branch: Branch) -> Html:
        node, pick = branch.root, branch.pick
        state, trouble = _state(self._wrong.get(pick.id, ()))
        own = pick.said.get("customName", "")
        badge = fill(_BADGE, state, icon(state), trouble) if trouble else EMPTY
        summary = taken_on(node, self.words)
        if len(summary) > MAX_SUMMARY:
            summary = f"{summary[:MAX_SUMMARY]} …"
        notes = pick.said.get("customNotes", "")
        row = fill(
            _ROW,
            id=pick.id,
            state=f"{state} open" if pick.id == self.opened else state,
            current="true" if pick.id == self.opened else "false",
            url=self.opens(pick.id),
            name=self.words.name(node),
            shown=fill(_SHOWN, self.words.shown(node)) if own else EMPTY,
            badge=badge,
            points=self.words.spent(node),
            summary=element("span", summary, class_="unit-summary") if summary else EMPTY,
            notes=element("span", notes, class_="line-notes") if notes else EMPTY,
        )
        return sent(pick.id, row, self.parts_known)

    @cached_property
    def order(self) -> list[str]:
        """The ids of the units in their order on the page."""
        evaluation = self.one.evaluation
        units = (branch for force in evaluation.forces for branch in evaluation.branches[force])
        return [one.pick.id for one in units if not self.words.is_setting(one.root)]

    @property
    def size_words(self) -> str:
        number = len(self.order)
        return ngettext("{number} unit", "{number} units", number).format(number=number)

    # The open unit

    @cached_property
    def why_url(self) -> str:
        """URL that explains why something can't be taken."""
        return reverse("force-why", args=[self.version.army_list_id])

    @cached_property
    def _viewer(self) -> UnitViewer:
        return UnitViewer(self.words, self.one.told, self.asks, self.why_url)

    @cached_property
    def unit(self) -> dict[str, Any] | None:
        if self.opened not in self.order:
            return None
        node = self.one.node(self.opened)
        if node is None:
            return None
        return self._viewer.view(node) | self.neighbours(self.opened)

    @cached_property
    def preview(self) -> Preview | None:
        """An entry as adding it would make it; None where none is asked for."""
        return make_preview(self.one, self.peeked, self.why_url) if self.peeked else None

    # Errors

    @cached_property
    def tellings(self) -> list[tuple[Told, str, str]]:
        """Findings, with the URL and the name of the unit at fault."""
        evaluation = self.one.evaluation
        units = (branch for force in evaluation.forces for branch in evaluation.branches[force])
        roots = {branch.pick.id: branch.root for branch in units}
        found = []
        for one in self.report.findings:
            node = roots.get(one.unit)
            there = node is not None and not self.words.is_setting(node)
            place = self.opens(one.unit) if there else ""
            found.append((one, place, self.words.name(node) if node is not None else ""))
        return found

    @property
    def unchecked(self) -> tuple[Told, ...]:
        return self.report.unchecked

    # How the list is set up

    @cached_property
    def settings(self) -> list[SettingLine]:
        evaluation = self.one.evaluation
        viewer = self._viewer
        return [
            SettingLine(
                id=branch.pick.id,
                name=self.words.name(branch.root),
                summary=taken_on(branch.root, self.words),
                options=viewer.drawer(branch.root).html(),
                stacks=tuple(viewer.stacks(branch.root)),
                bad=branch.pick.id in self._wrong,
            )
            for force in evaluation.forces
            for branch in evaluation.branches[force]
            if self.words.is_setting(branch.root)
        ]

    @cached_property
    def more_settings(self) -> list[tuple[str, str, str]]:
        """Further settings of the list: how to add them, their names, and reasons against."""
        evaluation, found = self.one.evaluation, []
        for force in evaluation.forces:
            among = [
                one
                for one in force.definition.offered
                if self.words.sets_up(primary_category(one), one)
            ]
            id = evaluation.picks[force].id
            for choice in choices_on(evaluation, force, among):
                full = choice.most is not None and choice.number >= choice.most
                if not choice.hidden and not (choice.number and full):
                    ref = f"{id}:{choice.definition.key}"
                    found.append((ref, choice.name.strip(), choice.reason))
        return found

    @cached_property
    def catalogues(self) -> list[CatalogueChoice]:
        return catalogues_of(self.one.game)

    @cached_property
    def force_kinds(self) -> list[tuple[str, str]]:
        """The kinds of forces of the catalogue that is chosen: their ids and names."""
        if self.catalogue not in {one.id for one in self.catalogues}:
            return []
        elements = self.one.book(self.catalogue).force_elements()
        return [(element.id, element.get("name").strip()) for element in elements]

    @property
    def limits(self) -> list[tuple[str, str, str]]:
        """The costs that a list may limit: id, name, limit."""
        limits = self.one.roster.limits
        shown = (cost for cost in self.one.cost_types if not cost.says("hidden"))
        return [
            (cost.id, cost.get("name").strip(), _typed(limits.get(cost.id, -1))) for cost in shown
        ]


def catalogues_of(game: GameFiles) -> list[CatalogueChoice]:
    """Return the catalogues of a game of which a force can be, by name."""
    found = [
        CatalogueChoice(head.id, head.get("name").strip())
        for head in game.heads.values()
        if not head.says("library")
    ]
    return sorted(found, key=lambda one: one.name.casefold())


def _typed(limit: Any) -> str:
    return number_text(limit) if limit >= 0 else ""


def _state(wrong: Any) -> tuple[str, str]:
    """Return a row's mark, and the words of its badge."""
    marks = [one.mark for one in wrong]
    pairs = (("error", "missing") if mark == TO_DO else (mark, "broken") for mark in marks)
    counts = counts_of(pairs, 0)
    trouble = _("view") if marks else ""
    if counts.errors:
        trouble = verdict_words(counts)
    if counts.broken:
        return "error", trouble
    if counts.missing:
        return TO_DO, trouble
    return next(iter(marks), ""), trouble
