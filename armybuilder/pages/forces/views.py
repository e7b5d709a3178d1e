"""The builder of a list of a community's files: its page, and the acts of its buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.about import HistoryAct
from armybuilder.acts.base import act_kinds
from armybuilder.acts.forces import decode_force_act, read_limit
from armybuilder.acts.units import TICK
from armybuilder.battlescribe.files.choices import Choice, choices_on
from armybuilder.battlescribe.files.game import GameFiles, limits_of
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.owned import counted_unit, is_counted, models_in
from armybuilder.games.opening import open_book, open_game
from armybuilder.games.services import holding_of
from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.lists import forces
from armybuilder.lists.forces import build_list_for, start_forces
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import Saved
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import FROM_FILES, ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, fresh_form, pack_wanted, tie_to_event
from armybuilder.pages.builder import beside
from armybuilder.pages.builder.keyboard import Command, commands_everywhere
from armybuilder.pages.builder.views import CARD_BUILDER, QUIET, Builder, sent_as
from armybuilder.pages.forces.page import ForcesPage, catalogues_of
from armybuilder.pages.forces.units import primary_category
from armybuilder.requests import HtmxRequest

#: Letters of a search.
MAX_TEXT = 80


@fresh
def builder(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the page of a list: of our books, or of a community's files."""
    version = current_version(request, list_id)
    if isinstance(version.content, ForceList):
        return FORCE_BUILDER.show(request, version)
    return CARD_BUILDER.show(request, version)


class ForceBuilder(Builder[ForcesPage]):
    """The builder of lists of a community's files."""

    folder = "forces/"
    act_url = "force-act"
    quiet = ("take", "leave", "count", "none", *QUIET)

    def make_page(self, request: HttpRequest, version: Version, touched: str) -> ForcesPage:
        return ForcesPage(version, catalogue=request.GET.get("catalogue", ""))

    def shelf(self, request: HttpRequest, page: ForcesPage) -> tuple[str, dict[str, Any]]:
        text = request.GET.get("q", "").strip()[:MAX_TEXT]
        force, owned = _force_of(request, page), request.GET.get("owned", "")
        wanted = {"q": text, "force": request.GET.get("force", "") and force, "owned": owned[:1]}
        return urlencode({key: value for key, value in wanted.items() if value}), {
            "text": text,
            "force_id": force,
            "force_asked": wanted["force"],
            "owned": bool(owned),
            "shelf": SimpleLazyObject(lambda: make_shelf(page, force, text, bool(owned))),
            "menu_key": (
                page.document.name,
                [(one.id, one.limit) for one in page.one.costs],
                "user_name" in request.session,
            ),
        }

    def save(self, request: HttpRequest, list_id: UUID, seen: int, fields: dict[str, str]) -> Saved:
        holder, kind = holder_of(request), act_kinds().get(fields["act"])
        if kind is not None and issubclass(kind, HistoryAct):
            return forces.step_forces(holder, list_id, seen, kind.read(fields))
        act = decode_force_act(fields)
        return forces.perform_forces(holder, list_id, seen, act, sent_as(request))

    def event(self, version: Version, act: str) -> str:
        return "book-changed" if "force" in act else "list-changed"

    def place(self, page: ForcesPage, fields: dict[str, str], entry: str) -> dict[str, Any]:
        place = entry or fields.get("place", "")
        if fields["act"] == "add":
            return {"entry": "shelf", "view": "units"}
        if fields["act"] in self.quiet and page.opened:
            return {"entry": place or f"models-{fields.get('unit', '')}", "view": "unit"}
        return {"entry": place}


def _force_of(request: HttpRequest, page: ForcesPage) -> str:
    """Return the force to which units are added; "" where there is none.

    It is the one asked for, else that of the open unit, else the first.
    """
    evaluation = page.one.evaluation
    ids = [evaluation.picks[force].id for force in evaluation.forces]
    asked = request.GET.get("force", "") or request.POST.get("now-force", "")
    if asked in ids:
        return asked
    node = page.one.node(page.opened) if page.opened else None
    if node is not None:
        return evaluation.picks[node.force].id
    return ids[0] if ids else ""


FORCE_BUILDER = ForceBuilder()
act = require_POST(FORCE_BUILDER.act)


@fresh
def commands(request: HttpRequest, list_id: UUID) -> JsonResponse:
    """Answer the palette's commands for a list: of our books, or of a community's files."""
    version = current_version(request, list_id)
    if not isinstance(version.content, ForceList):
        answer: JsonResponse = beside.commands(request, list_id)
        return answer
    offered = [*commands_of(ForcesPage(version))]
    offered += commands_everywhere(holder_of(request), shipped_library(), list_id)
    return JsonResponse({"commands": [command.plain for command in offered], "tick": TICK})


def commands_of(page: ForcesPage) -> Iterator[Command]:
    """Yield everything that can be done with a list on its page."""
    if page.can_undo:
        yield Command(_("Undo"), page.version.act, act={"act": "undo"})
    if page.can_redo:
        yield Command(_("Redo"), str(page.version.next_act), act={"act": "redo"})
    yield Command(_("Go to the next error"), does="finding")
    branches = {one.pick.id: one for one in page.one.evaluation.all_branches()}
    for id in page.order:
        name = page.words.name(branches[id].root)
        yield Command(_("Go to {name}").format(name=name), _("on the list"), go=f"#{id}")
        yield Command(_("Copy {name}").format(name=name), act={"act": "duplicate", "unit": id})
        yield Command(_("Remove {name}").format(name=name), act={"act": "remove", "unit": id})
    yield from _additions(page)
    yield Command(_("Rename the list"), go="#list-name")
    for name, words in (
        ("print", _("Print: choose sheets and paper")),
        ("share", _("Share: links to the list")),
        ("export", _("Export")),
        ("history", _("History of the list")),
        ("force-why", _("Can it still become legal?")),
    ):
        yield Command(words, url=reverse(name, args=[page.version.army_list_id]))


def _additions(page: ForcesPage) -> Iterator[Command]:
    """Yield the units that can be added to each force, with its name if there are several."""
    evaluation = page.one.evaluation
    for force in evaluation.forces:
        shown = page.words.name(force) if len(evaluation.forces) > 1 else ""
        for choice in choices_on(evaluation, force):
            category = primary_category(choice.definition)
            if not choice.hidden:
                name = page.words.category(category, choice.definition)
                ref = f"{evaluation.picks[force].id}:{choice.definition.key}"
                about = ", ".join(filter(None, (name, shown)))
                words = _("Add {name}").format(name=choice.name.strip())
                yield Command(words, about, act={"act": "add", "ref": ref})


@fresh_form
def new_list(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show the catalogues of a game, or the form for a list of one; a POST starts the list.

    Raises Http404 for a game that this browser does not hold.
    """
    holding = holding_of(holder_of(request), game_key)
    if holding is None:
        raise Http404("no such game in this browser")
    game, pack = open_game(game_key), pack_wanted(request, f"{FROM_FILES}{game_key}")
    refused = ""
    if request.method == "POST":
        try:
            return _start(request, game_key, game, pack)
        except Refusal as refusal:
            refused = refusal.sentence
    asked = request.POST if request.method == "POST" else request.GET
    catalogue = asked.get("catalogue", "")
    given = {key: asked[key] for key in ("event", "pack", "list") if asked.get(key)}
    context: dict[str, Any] = {"holding": holding, "refused": refused, "asked": asked}
    context |= {"event_pack": pack, "given": given, "query": urlencode(given)}
    if catalogue in game.heads:
        context |= _choices(request, game_key, game, catalogue, pack)
    else:
        context["catalogues"] = catalogues_of(game)
    return render(request, "forces/new.html", context, status=422 if refused else 200)


def _choices(
    request: HttpRequest, game_key: str, game: GameFiles, catalogue: str, pack: Pack | None
) -> dict[str, Any]:
    """Return the choices for a list of a catalogue. Raises Refusal if it cannot be read."""
    book = open_book(game_key, catalogue)
    limits = {**limits_of(game.system), **(pack.limits if isinstance(pack, FilePack) else {})}
    costs = [cost for cost in game.system.all("costTypes") if not cost.says("hidden")]
    return {
        "catalogue": catalogue,
        "catalogue_name": book.root.get("name").strip(),
        "forces": [(one.id, one.get("name").strip()) for one in book.force_elements()],
        "chosen": request.POST.get("force", ""),
        "costs": [
            (cost.id, cost.get("name").strip(), _typed(request, cost.id, limits)) for cost in costs
        ],
    }


def _typed(request: HttpRequest, cost: str, limits: Any) -> str:
    limit = limits.get(cost, -1)
    return request.POST.get(f"limit-{cost}", number_text(limit) if limit > 0 else "")


def _start(request: HttpRequest, game_key: str, game: GameFiles, pack: Pack | None) -> HttpResponse:
    limits = {
        cost.id: read_limit(request.POST[f"limit-{cost.id}"])
        for cost in game.system.all("costTypes")
        if f"limit-{cost.id}" in request.POST
    }
    catalogue, force = request.POST.get("catalogue", ""), request.POST.get("force", "")
    name = request.POST.get("name", "")
    holder = holder_of(request)
    version = start_forces(holder, game_key, catalogue, force, name, limits)
    if pack is not None:
        build_list_for(holder, version.army_list_id, pack)
    tie_to_event(request, version.army_list_id)
    return redirect("builder", version.army_list_id)


#: So many entries come at once.
MAX_SHOWN: Final = 400

_ENTRY = (
    '<li class="entry {state}"><button {asks} name="add" value="{ref}" id="add-{id}" class="add"'
    ' aria-label="{add}" aria-describedby="about-{id}"{off}>{plus}</button>'
    '<div class="entry-row"><span class="entry-sign">{sign}</span>'
    '<span class="entry-name"><a class="peek" href="?preview={ref}&amp;view=unit">'
    '<strong dir="auto">{name}</strong></a>{held}</span>'
    ' <span class="entry-facts">{facts}</span> <span class="entry-points">{points}</span>{why}'
    '<details class="entry-more" name="entry"><summary><span class="hidden">{more}</span></summary>'
    '<span class="entry-told" id="about-{id}">{told}</span></details></div></li>\n'
)
_HELD = (
    ' <span class="entry-held"><span aria-hidden="true">{number}</span>'
    '<span class="hidden">{words}</span></span>'
)
_WHY = '<span class="entry-why-not">{}</span>'
_SAYS = '<span class="entry-says">{} {}</span> <a class="option-why" href="{}">{}</a>'


class ShelfGroup(NamedTuple):
    name: str
    number: int
    entries: Html
    id: str


@dataclass
class ForceShelf:
    """Entries of one force; `hidden` are those that can't be seen there, and why."""

    force: str
    groups: list[ShelfGroup]
    hidden: Html
    hidden_number: int
    shown: int
    total: int


class _Drawer:
    def __init__(self, page: ForcesPage, force: str) -> None:
        self.page = page
        self.force = force
        self.add, self.more = _("Add {name}"), _("About {name}")
        self.held = _("{number} in the list")
        self.why = _("Why?")
        self.free = _("{number} left in my collection")
        self.left = {cost.id: cost.limit - cost.spent for cost in page.one.costs if cost.limit >= 0}

    def entry(self, choice: Choice, number: int, free: int = 0) -> Html:
        name, prices = choice.name.strip(), {} if choice.hidden else choice.prices
        over = any(prices.get(cost, 0) > left for cost, left in self.left.items())
        state = "breaks" if choice.reason else "over" if over else "fits"
        sign = icon("warning") if choice.reason else EMPTY
        why = EMPTY
        if choice.reason:
            why = fill(_WHY, choice.reason.removeprefix(f"{name}: "))
        told = EMPTY
        if choice.reason:
            url = f"{self.page.why_url}?on={self.force}&entry={quote(choice.definition.key)}"
            told = fill(_SAYS, icon("warning"), choice.reason, url, self.why)
        held = EMPTY
        if choice.number:
            words = self.held.format(number=choice.number)
            held = fill(_HELD, number=choice.number, words=words)
        return fill(
            _ENTRY,
            state=state,
            asks=self.page.asks,
            ref=f"{self.force}:{choice.definition.key}",
            id=f"{self.force}-{number}",
            add=self.add.replace("{name}", name),
            off=EMPTY,
            plus=icon("plus"),
            sign=sign,
            name=name,
            held=held,
            facts=self.free.format(number=free) if free else "",
            why=why,
            points=_unbroken(self.page.words.price(prices)),
            more=self.more.replace("{name}", name),
            told=told,
        )


def _unbroken(price: str) -> str:
    """Return a price that breaks only between costs."""
    return ", ".join(one.replace(" ", "\u00a0", 1) for one in price.split(", "))


def make_shelf(page: ForcesPage, force: str, text: str, owned: bool) -> ForceShelf | None:
    """Return the entries for a force whose names contain a text; None without the force.

    `owned`: only those of which the player owns enough models to add one.
    """
    node = page.one.node(force)
    if node is None:
        return None
    words = text.casefold().split()
    among = [
        one for one in node.definition.offered if not page.words.sets_up(primary_category(one), one)
    ]
    choices = list(enumerate(choices_on(page.one.evaluation, node, among)))
    found = [pair for pair in choices if all(word in pair[1].name.casefold() for word in words)]
    found.sort(key=lambda pair: pair[1].name.strip().casefold())
    away = [pair for pair in found if pair[1].hidden]
    shown = [pair for pair in found if not pair[1].hidden]
    drawer, free = _Drawer(page, force), dict[int, int]()
    if owned:
        free = _left_for(page, shown)
        away, shown = [], [pair for pair in shown if pair[0] in free]
    hidden = join(drawer.entry(choice, number) for number, choice in away[:MAX_SHOWN])
    groups = list(_groups(page, node, drawer, shown[:MAX_SHOWN], free))
    return ForceShelf(force, groups, hidden, len(away), len(shown), len(choices))


def _left_for(page: ForcesPage, shown: Iterable[tuple[int, Choice]]) -> dict[int, int]:
    """Return how many models are left of each choice that the collection suffices for, by place."""
    left, free = Counter(page.collection), dict[int, int]()
    left.subtract(models_in(page.one.roster.forces))
    for place, choice in shown:
        if left[counted_unit(choice.definition).id] > 0 or not is_counted(choice.definition):
            needed = models_in([choice.pick])
            if needed and all(left[unit] >= number for unit, number in needed.items()):
                free[place] = min(left[unit] for unit in needed)
    return free


def _groups(
    page: ForcesPage,
    node: Node,
    drawer: _Drawer,
    shown: Iterable[tuple[int, Choice]],
    free: Mapping[int, int],
) -> Iterable[ShelfGroup]:
    linked = getattr(node.definition, "category_definitions", ())
    order = {one.key: one.main.get("name").strip() for one in linked}
    under: dict[str, list[tuple[int, Choice]]] = {key: [] for key in order}
    for number, choice in shown:
        under.setdefault(primary_category(choice.definition), []).append((number, choice))
    for place, (key, pairs) in enumerate(under.items()):
        if pairs:
            name = order.get(key) or page.words.category(key, pairs[0][1].definition)
            rows = join(
                drawer.entry(choice, number, free.get(number, 0)) for number, choice in pairs
            )
            id = f"entries-{place}"
            entries = element("ul", "\n", rows, id=id, class_="entries")
            yield ShelfGroup(name or _("Others"), len(pairs), entries, id)
