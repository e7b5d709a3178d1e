"""Certificates: the one of a list, the page that checks one, and the keys to check them by."""

import base64
import json
from collections import Counter
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.books.paths import is_own_id
from armybuilder.certificates.making import Claims, certify, check, published_keys
from armybuilder.engine.verdict import reservation_words
from armybuilder.engine.wording import quote
from armybuilder.lists.models import ListDocument
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ListOption, ListUnit
from armybuilder.loading.forcelist import ForceList, ListPick
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import offered, pack_by_key
from armybuilder.pages.answers import fresh, private
from armybuilder.sheets.drawing.qr import MOST_IN_CODE, drawing_of

#: Words that names write small, but for the first.
SMALL = ("a", "an", "and", "at", "for", "from", "in", "of", "on", "or", "the", "to", "with")
#: Letters of the hash of a game's files.
HASH_LETTERS = 12


@fresh
def certificate(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show a certificate of the current list; `pack` names an event."""
    version, library = current_version(request, list_id), shipped_library()
    document = version.content
    packs = offered(holder_of(request), document.system)
    key = request.GET.get("pack", "")
    pack = pack_by_key(key) if key else None
    if key and pack is None:
        raise Refusal(_("There is no such event pack."))
    issuer = request.build_absolute_uri("/").rstrip("/")
    word = certify(document, library, issuer, pack)
    address = f"{request.build_absolute_uri(reverse('verify'))}#{word}"
    code = ""
    if len(address) <= MOST_IN_CODE:
        drawn = base64.b64encode(drawing_of(address, dense=True).encode()).decode()
        code = f"data:image/svg+xml;base64,{drawn}"
    context = {
        "list_id": list_id,
        "name": document.name,
        "packs": packs,
        "pack": pack,
        "key": key,
        "word": word,
        "address": address,
        "code": code,
        "verified": (verified := check(word)),
        **_named(verified.claims),
    }
    return render(request, "certificates/certificate.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Check a certificate: the browser does, or where it cannot, this by the form."""
    word = request.POST.get("certificate", "").rpartition("#")[2].strip()
    games = {
        id_: (system.name, str(system.reservation))
        for id_, system in shipped_library().systems.items()
    }
    context: dict[str, Any] = {
        "word": word,
        "keys": json.dumps(published_keys()),
        "games": json.dumps(games),
        "books_here": json.dumps(_book_names()),
        "verdicts": json.dumps(_verdict_words()),
        "spelling": json.dumps({"small": SMALL, "names": unspelled(shipped_library())}),
    }
    if word:
        try:
            context["verified"] = verified = check(word)
        except Refusal as refusal:
            context["refused"] = refusal.sentence
        else:
            context |= _named(verified.claims)
            context["units"] = spelled_units(verified.claims.army_list)
    return private(render(request, "certificates/verify.html", context))


def _verdict_words() -> dict[str, str | list[str]]:
    """Return the words for verdicts in the page's script; counted ones for one and for many."""
    return {
        "legal": _("Legal"),
        "as-far": _("Legal as far as checked"),
        "illegal": _("Not legal: {wrong}"),
        "begun": _("Not legal yet: {wrong}"),
        "unchecked": [
            ngettext(
                "Legal, {number} restriction not checked",
                "Legal, {number} restrictions not checked",
                number,
            )
            for number in (1, 2)
        ],
        "broken": [ngettext("{number} error", "{number} errors", number) for number in (1, 2)],
        "missing": [ngettext("{number} to do", "{number} to do", number) for number in (1, 2)],
        "files": _("files {hash}"),
        "custom": [ngettext("a custom book", "{number} custom books", number) for number in (1, 2)],
        "differs": [
            ngettext(
                "Differs from {book}: {number} unit", "Differs from {book}: {number} units", number
            )
            for number in (1, 2)
        ],
        "priced": _("Differs from {book}: {unit} {points} instead of {shipped} points"),
        "more": _("{number} more"),
    }


def _named(claims: Claims) -> dict[str, Any]:
    """Return the facts of a certificate under their names here.

    The game, or its id, with its reservation; the books with their signed revisions; changes of
    custom books against shipped ones.
    """
    document, names, units = claims.army_list, _book_names(), unspelled(shipped_library())
    called = game = document.system
    if isinstance(document, ForceList):  # the author of its files has chosen all names
        files = _("files {hash}").format(hash=document.game.key[:HASH_LETTERS])
        called = f"{document.game.name} ({files})"
    system = shipped_library().systems.get(game)
    own = sum(map(is_own_id, claims.revisions))
    rests_on = reservation_words(str(system.reservation) if system else "", own)
    differences = []
    for copy in claims.copies.values():
        ref = f"{copy.book}/{copy.unit}"
        book = names.get(f"{game}/{copy.book}", copy.book)
        differences.append(copy.words(book, units.get(ref) or spelled(ref)))
    return {
        "game": " · ".join(filter(None, (system.name if system else called, rests_on))),
        "books": [
            f"{names.get(f'{game}/{book}', book)} {revision}"
            for book, revision in claims.revisions.items()
        ],
        "differences": differences,
    }


def _book_names() -> dict[str, str]:
    """Return the names of the books here by "game/book"; players' books have none.

    The author of such a book chose its name, perhaps that of another.
    """
    books = shipped_library().books
    return {f"{game}/{id_}": book.name for game in books for id_, book in books[game].items()}


@cache_control(max_age=3600, public=True)
@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Publish the public keys, for verifying certificates of this server."""
    answer = JsonResponse({"keys": published_keys()})
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def unspelled(library: Library) -> dict[str, str]:
    """Return by "book/unit" the names that ids do not spell, if all games give the same name."""
    names: dict[str, set[str]] = {}
    for books in library.books.values():
        for book in books.values():
            for ref, name in book.names.items():
                names.setdefault(ref, set()).add(name)
    return {
        ref: next(iter(called))
        for ref, called in names.items()
        if len(called) == 1 and spelled(ref) not in called
    }


def spelled_units(army_list: ListDocument) -> list[str]:
    """Return a line for each unit of a list: models, name, custom name, options.

    Names come from ids, as a certificate contains no book and is read without one. The page's
    script (`certificates.js`) does the same, with the names that ids do not spell.
    """
    if isinstance(army_list, ForceList):
        return [_force_unit(pick) for force in army_list.all_forces() for pick in force.picks]
    names = unspelled(shipped_library())
    return [_unit(unit, names) for unit in army_list.units]


def spelled(ref: str) -> str:
    """Return a name as an id spells it: "book/lord-of-the-dead" is Lord of the Dead."""
    return " ".join(
        word if place and word in SMALL else word[:1].upper() + word[1:]
        for place, word in enumerate(ref.rpartition("/")[2].split("-"))
    )


def _force_unit(pick: ListPick) -> str:
    called = f" {quote(pick.custom_name)}" if pick.custom_name else ""
    more = ", ".join(_force_options(pick))
    return f"{pick.number}× {pick.name}{called}" + (f" ({more})" if more else "")


def _force_options(pick: ListPick) -> list[str]:
    """Return the picks below one, equal ones together: files have a pick for each model."""
    taken: Counter[str] = Counter()
    for one in pick.picks:
        inner = ", ".join(_force_options(one))
        taken[one.name + (f" [{inner}]" if inner else "")] += one.number
    return [f"{number}× {name}" if number > 1 else name for name, number in taken.items()]


def _unit(unit: ListUnit, names: dict[str, str]) -> str:
    own = unit.profile.name if unit.profile is not None else ""
    name = own or names.get(unit.ref) or spelled(unit.ref)
    called = f" {quote(unit.name)}" if unit.name else ""
    more = [*map(spelled, unit.roles), *map(_option, unit.options)]
    return f"{unit.models}× {name}{called}" + (f" ({', '.join(more)})" if more else "")


def _option(option: ListOption) -> str:
    inner = ", ".join(map(_option, option.options))
    number = f"{option.number}× " if option.number > 1 else ""
    return number + spelled(option.id) + (f" [{inner}]" if inner else "")
