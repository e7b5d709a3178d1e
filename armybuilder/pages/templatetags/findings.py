"""Findings as HTML: of a list with dozens of them a template takes several times as long."""

from collections.abc import Iterable
from urllib.parse import quote
from uuid import UUID

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.advice.answers import FindingView
from armybuilder.html import EMPTY, Html, element, fill, icon, join

register = template.Library()

_FINDING = (
    '<li class="finding {severity} {state}" tabindex="-1"><p>{sign}<span class="hidden">{kind}:'
    " </span>{sentence}{by}</p>{links}{why}{place}{answers}"
    '<details class="cite" id="{id}"><summary><cite>{citation}</cite></summary>'
    "<p>{summary}</p>{reading}</details></li>\n"
)
_WHY = (
    '<details class="why" id="core-of-{id}"><summary>{why}</summary>'
    '<div hx-get="{url}" hx-trigger="intersect once" hx-target="this" hx-swap="innerHTML"'
    ' hx-include="unset"><p><a class="alone" href="{url}">{conflict}</a></p></div></details>'
)
_ANSWERS = '<div class="answers" role="group" aria-label="{}">{}</div>'
_ANSWER = (
    '<form {}>{}{}<button {} data-goto="verdict-title">'
    "{}</button></form>"
)  # fmt: skip


@register.simple_tag(takes_context=True)
def findings(context: Context, tellings: Iterable[FindingView], list_id: UUID | str = "") -> Html:
    """Return findings, each with its units, answers and rule; of a list, why it can't hold, too."""
    # Words and addresses of many findings are asked for once.
    kinds = {kind: _(kind) for kind in ("error", "warning", "note")}
    shared = {"why": _("Why?"), "conflict": _("Show the conflict")}
    more, reading, fix = _("and {number} more"), _("Our reading:"), _("How to fix it")
    why_url = reverse("why", args=[list_id]) if list_id else ""
    form = context["act_form"], context["form_keys"]
    written = []
    for view in tellings:
        missing, why, answers = view.state == "missing", EMPTY, EMPTY
        links = view.links
        if view.more_culprits:
            links = fill("{} {}", links, more.format(number=view.more_culprits))
        if view.state == "broken" and view.several and why_url:
            url = f"{why_url}?rule={quote(view.rule.pointer)}"
            why = fill(_WHY, id=view.id, url=url, **shared)
        if view.answers:
            buttons = ((*form, each.inputs, context["asks"], each.label) for each in view.answers)
            answers = fill(_ANSWERS, fix, join(fill(_ANSWER, *each) for each in buttons))
        row = fill(
            _FINDING,
            severity=view.severity,
            state=view.state,
            sign=icon("to-do" if missing else view.severity),
            kind=_("To do") if missing else kinds[view.severity],
            sentence=view.sentence,
            by=fill(' <span class="off-by">{}</span>', view.by) if view.by else EMPTY,
            links=element("p", links, class_="culprits") if links else EMPTY,
            why=why,
            place=element("p", view.place.link, class_="culprits") if view.place else EMPTY,
            answers=answers,
            id=view.id,
            citation=view.citation,
            summary=view.rule.summary,
            reading=fill("<p><strong>{}</strong> {}</p>", reading, view.rule.reading)
            if view.rule.reading
            else EMPTY,
        )
        written.append(row)
    return join(written)
