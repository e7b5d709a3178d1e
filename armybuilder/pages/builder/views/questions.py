"""A page that answers how much of something a list could have."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.acts.answering import question_name, questions_by_id, reply_to
from armybuilder.acts.proposals import packed
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.views.builder import act_attributes
from armybuilder.pages.builder.views.filling import added_by
from armybuilder.solving.questions import Question, Reply, Sought

PAGE = "builder/questions.html"


@never_cache
@require_safe
def show_questions(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show the questions, and the answer to the one that `ask` names."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    known = questions_by_id(page.catalogue)
    asked = known.get(request.GET.get("ask", ""))
    context: dict[str, Any] = {
        "page": page,
        "questions": [(one.id, question_name(one), one is asked) for one in known.values()],
        "asked": asked,
    }
    if asked is not None:
        reply = reply_to(asked, page.document, page.catalogue)
        context |= {"reply": reply, "said": _said(asked, reply)}
        if reply.army_list is not None and reply.army_list != page.document:
            units, lines, _spent = added_by(page, reply.army_list)
            context |= {
                "units": units,
                "lines": lines,
                "proposal": packed(reply.army_list, page.document),
            }
    context |= act_attributes(request, page.version, reverse("act", args=[list_id]))
    return render(request, PAGE, context)


def _said(question: Question, reply: Reply) -> str:
    """Return the answer in a sentence."""
    if reply.army_list is None:
        if reply.impossible:
            return _("No way was found to make the list legal by adding alone.")
        return _("No answer was found.")
    number = reply.value
    if question.sought is Sought.MODELS:
        if reply.proved:
            return ngettext("{number} model.", "{number} models.", number).format(number=number)
        said = ngettext("At least {number} model.", "At least {number} models.", number)
    elif reply.proved:
        said = ngettext("{number} point.", "{number} points.", number)
    elif question.sought is Sought.CHEAPEST:
        said = ngettext("At most {number} point.", "At most {number} points.", number)
    else:
        said = ngettext("At least {number} point.", "At least {number} points.", number)
    return said.format(number=number)
