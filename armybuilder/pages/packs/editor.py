"""An own pack while it is changed: the text is the pack, the form speaks of parts of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring.packs import basics_of, with_basics, with_rule, without_rule
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack
from armybuilder.packs.possible import possible_with
from armybuilder.packs.reading import read_pack
from armybuilder.pages.answers import whole_number
from armybuilder.pages.packs.forms import BasicsForm, basics_text, merged, new_rule, rule_context
from armybuilder.pages.packs.reading import pack_context, written
from armybuilder.solving.port import NoSolver

#: Digits of a version's number.
KEY = 9


class PackEditor:
    """What the page of a pack shows: the text is the pack, the form speaks of parts of it."""

    def __init__(self, own: OwnPack, number: int, data: Mapping[str, Any]) -> None:
        self.own, self.seen, self.data = own, number, data
        self.pack: Pack | None = read_pack(data)
        self.library = shipped_library()
        self.system = self.library.systems[own.system]
        self.books = {one.id: one.name for one in self.library.books[own.system].values()}
        self.form = BasicsForm(None, basics_of(data), self.books)
        self.text = written(data)
        self.was = basics_text(basics_of(data))
        self.problems: list[Problem] = []
        self.refused = ""
        self.possible: Any = None
        self.said: Mapping[str, Any] = {}
        self.saved = False

    def act(self, request: HttpRequest) -> None:
        """Do what a button asks, with what form and text say."""
        said = self.said = request.POST
        self.seen = whole_number(said.get("seen", ""), KEY)
        self.text, self.was = said.get("text", ""), said.get("was", "")
        self.form = BasicsForm(said, basics_of(self.data), self.books)
        self.pack = None
        try:
            data = dict(read_pack(parse_json(self.text.encode(), MAX_BYTES, MAX_DEPTH)).data)
            if not self.form.is_valid():
                return
            basics = merged(self.form.basics, self.was, basics_of(data))
            self._take(with_basics(data, basics, self.books))
            self._go(request, said.get("go", ""))
        except Refusal as refusal:
            self.problems = list(refusal.problems)
            self.refused = "" if self.problems else refusal.sentence

    def _take(self, data: Mapping[str, Any]) -> None:
        """Let the page show this pack. Raises Refusal where it is none."""
        self.pack = read_pack(data)
        self.data, self.text = data, written(data)
        self.form = BasicsForm(None, basics_of(data), self.books)
        self.was = basics_text(basics_of(data))

    def _go(self, request: HttpRequest, go: str) -> None:
        what, _colon, rule = go.partition(":")
        if what == "add":
            self._take(with_rule(self.data, new_rule(request.POST, self.library, self.system)))
            self.said = {}
        elif what == "remove":
            self._take(without_rule(self.data, rule))
        elif what == "possible" and self.pack is not None:
            try:
                self.possible = possible_with(self.pack, self.library)
            except NoSolver as error:
                raise Refusal(_("This site has no solver.")) from error
        elif what == "save" and self.pack is not None:
            own = services.save_pack(holder_of(request), self.own.pk, self.pack, self.seen)
            self.seen, self.saved = own.number, True

    def context(self) -> dict[str, Any]:
        """Return what the template shows."""
        read = pack_context(self.pack) if self.pack else {}
        return {
            **read,
            **rule_context(self.library, self.system),
            "own": self.own,
            "system": self.system,
            "seen": self.seen,
            "form": self.form,
            "was": self.was,
            "text": self.text,
            "problems": self.problems,
            "refused": self.refused,
            "possible": self.possible,
            "removable": self.data["rules"],
            "said": self.said,
        }
