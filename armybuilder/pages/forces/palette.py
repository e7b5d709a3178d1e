"""Commands of the palette on the page of a list of a community's files."""

from collections.abc import Iterator
from uuid import UUID

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.units import TICK
from armybuilder.battlescribe.files.choices import root_choices
from armybuilder.lists.selectors import current_version
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import fresh
from armybuilder.pages.builder import beside
from armybuilder.pages.builder.keyboard import Command, commands_everywhere
from armybuilder.pages.forces.page import ForcesPage
from armybuilder.pages.forces.words import primary_category


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
        for choice in root_choices(evaluation, force):
            category = primary_category(choice.definition)
            if not choice.hidden:
                name = page.words.category(category, choice.definition)
                ref = f"{evaluation.picks[force].id}:{choice.definition.key}"
                about = ", ".join(filter(None, (name, shown)))
                words = _("Add {name}").format(name=choice.name.strip())
                yield Command(words, about, act={"act": "add", "ref": ref})
