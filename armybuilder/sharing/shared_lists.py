"""Links to a holder's lists: who may make and revoke them, and what somebody sees who opens one."""

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.engine.states import State
from armybuilder.engine.verdict import Counts, Outcome, counts_of, outcome_of
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import lock
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import hash_of
from armybuilder.loading.library import Library
from armybuilder.sharing import services
from armybuilder.sharing.models import Share
from armybuilder.sharing.selectors import frozen_link, report_then
from armybuilder.sheets.content.make import (
    NO_LINKS,
    Material,
    SheetLinks,
    verdict_with_points,
)
from armybuilder.sheets.content.setup import Setup, left_out
from armybuilder.sheets.content.structure import Sheet

#: Makes the whole address of a link.
Address = Callable[[Share], str]


def share_list(
    holder: str, list_id: UUID, library: Library, view: str, name: str = "", frozen: bool = False
) -> Share:
    """Return a link to a list of the holder as it is at any time, or `frozen` now.

    Raises Http404 if the holder has no such list, Refusal as `sharing.services` does.
    """
    with transaction.atomic():
        version = lock(holder, list_id)
        if frozen:
            return services.share_frozen(list_id, version.document, library, view, name)
        return services.share(list_id, view, name)


def revoke_link(holder: str, list_id: UUID, share_id: UUID) -> bool:
    """End a link of a list; return whether there was one. Raises Http404 for another's list."""
    with transaction.atomic():
        lock(holder, list_id)
        return services.revoke(list_id, share_id)


def code_links(version: Version, address: Address) -> SheetLinks:
    """Return the addresses that QR codes on a printout lead to, as far as they exist."""
    name = hash_of(version.document)
    found = {view: frozen_link(version.army_list_id, name, view) for view in ("full", "open")}
    return SheetLinks(**{view: address(link) for view, link in found.items() if link})


def make_code_links(holder: str, list_id: UUID, library: Library, views: Iterable[str]) -> int:
    """Make links that the list's QR codes lack; return how many. Raises as `share_list` does."""
    with transaction.atomic():
        version = lock(holder, list_id)
        name = hash_of(version.document)
        lacking = [view for view in views if frozen_link(list_id, name, view) is None]
        for view in lacking:
            services.share_frozen(list_id, version.document, library, view, _("QR code"))
    return len(lacking)


@dataclass(frozen=True, slots=True)
class Since:
    """What has changed since a copy was frozen; `books` names those that differ."""

    engine: bool
    system: bool
    books: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.engine or self.system or bool(self.books)


class JudgedThen(NamedTuple):
    """What a verdict came to, and of how much."""

    outcome: Outcome
    counts: Counts


@dataclass(eq=False)
class SharedList:
    """What is behind a link, judged now. Raises Refusal as `Material` does.

    `sheet` is all that an open link may show; the list itself is for full ones and to print from.
    """

    link: Share
    library: Library
    day: datetime.date
    links: SheetLinks = NO_LINKS

    @cached_property
    def document(self) -> ArmyList:
        if self.link.frozen is not None:
            return self.link.frozen.document
        army_list = self.link.army_list
        now: ArmyList = Version.objects.get(army_list=army_list, number=army_list.number).document
        return now

    @cached_property
    def material(self) -> Material:
        return Material(self.document, self.library, self.day, self.links)

    @cached_property
    def sheet(self) -> Sheet:
        """What may be seen of it."""
        if not self.link.is_open:
            return self.material.sheet
        return left_out(self.material.open_sheet, Setup(notes=False))

    @cached_property
    def hash(self) -> str:
        """The hash of what may be seen of it.

        An open link's is not that of the whole list, which could be tried out with one hidden item
        after the other.
        """
        return self.material.open_hash if self.link.is_open else hash_of(self.document)

    @property
    def open_hash(self) -> str:
        """Behind a full link the hash of its open list, where that is another; else ""."""
        opened = self.material.open_hash
        return "" if opened == self.hash else opened

    @property
    def books(self) -> list[tuple[str, str]]:
        """Name and revision of each book that it is judged with."""
        return [(book.name, book.revision) for book in self.material.catalogue.books]

    @cached_property
    def since(self) -> Since | None:
        """What has changed since it was frozen; None where it is not frozen."""
        frozen = self.link.frozen
        if frozen is None:
            return None
        catalogue, then = self.material.catalogue, frozen.revisions
        shipped = self.library.books[catalogue.system.id]
        changed = [
            book.name
            for book in catalogue.books
            if then.get(book.id) != book.revision
            or shipped.get(book.id, book).revision != book.revision
        ]
        return Since(
            engine=frozen.engine != __version__,
            system=frozen.system_revision != catalogue.system.revision,
            books=tuple(changed),
        )

    @property
    def verdict_then(self) -> str:
        """The verdict when it was frozen, in as many words as its reader may have."""
        then, counts = self._then, self.judged_then.counts
        if self.link.is_open and self.material.system.sized:
            return verdict_with_points(counts, None, then["limit"])
        return verdict_with_points(counts, then["spent"], then["limit"])

    @property
    def judged_then(self) -> JudgedThen:
        then = self._then
        unchecked = len(then.get("unchecked", ()))
        # Copies frozen before findings had states keep none: what was wrong then counts as broken.
        found = ((one["severity"], one.get("state", State.BROKEN)) for one in then["findings"])
        return JudgedThen(outcome_of(then["legal"], unchecked), counts_of(found, unchecked))

    @cached_property
    def same(self) -> bool:
        """Whether it is judged now as it was then."""
        if self.link.frozen is None:
            return True
        then, now = (
            (
                report["legal"],
                report["spent"],
                sorted((finding["code"], finding["severity"]) for finding in report["findings"]),
                len(report.get("unchecked", ())),
            )
            for report in (self.link.frozen.report, report_then(self.material.report))
        )
        return bool(then == now)

    @property
    def findings_then(self) -> list[dict[str, str]]:
        """What was found then, where that differs from now and the reader may know."""
        if self.same or self.link.is_open:
            return []
        found: list[dict[str, str]] = self._then["findings"]
        return found

    @property
    def _then(self) -> dict[str, Any]:
        return self.link.frozen.report if self.link.frozen else {}
