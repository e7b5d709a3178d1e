"""Links to lists: making, revoking, the view of a visitor; frozen copies; previews' pictures.

Workers draw the pictures, after everything that players wait for. A link has one picture, of its
list's current state; opening a link requests it at most once in a while.
"""

import datetime
import hashlib
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum, TextField, Value
from django.db.models.functions import Cast, Length
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_tasks import task

from armybuilder import __version__
from armybuilder.engine.states import State
from armybuilder.engine.verdict import Counts, Outcome, counts_of, outcome_of, verdict_words
from armybuilder.exchange.batch import AnyReport, report_then
from armybuilder.jobs.queue import limited
from armybuilder.lists.drawn import DrawnList, drawn_list
from armybuilder.lists.models import ArmyList as StoredList
from armybuilder.lists.models import ListDocument, Version
from armybuilder.lists.quotas import check_room
from armybuilder.lists.selectors import current_of, lock
from armybuilder.lists.services import pin_books
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.documents import canonical, hash_of, judge
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.sharing.models import Frozen, LinkPicture, Share
from armybuilder.sharing.selectors import (
    current_links,
    digest_of,
    frozen_link,
    lasting_links,
    links_of,
)
from armybuilder.sheets.content.make import NO_LINKS, Material, SheetLinks, verdict_with_points
from armybuilder.sheets.content.setup import Setup, left_out
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.kinds import compact
from armybuilder.sheets.printing.printouts import Printout
from armybuilder.writable import count_bytes, where_possible

#: Most links that one list has at a time, and letters of a link's name.
MOST_LINKS = 50
MAX_NAME = 80

#: Makes the whole address of a link.
Address = Callable[[Share], str]


def freeze(list_id: UUID, document: ListDocument, library: Library) -> Frozen:
    """Return the frozen copy of a list with this document, made unless the list has one.

    Call it in the transaction that has locked the list and makes a link to it: without any link it
    goes. Raises Refusal if the game is not here, or an own model cannot be priced.
    """
    list_hash = hash_of(document)
    existing = Frozen.objects.filter(hash=list_hash, shares__army_list_id=list_id).first()
    if existing is not None:
        return existing
    if isinstance(document, ForceList):
        one = work_out(document)
        report, system = report_then(one.report), one.game.system.get("revision")[:16]
        revisions = {force.catalogue: force.revision for force in document.all_forces()}
    else:
        judged = judge(document, library)
        report, system = report_then(judged.report), judged.catalogue.system.revision
        revisions = {book.id: book.revision for book in judged.catalogue.books}
    count_bytes(len(canonical(document)) + len(canonical_json(report)))
    return Frozen.objects.create(
        hash=list_hash,
        document=document,
        report=report,
        engine=__version__,
        system_revision=system,
        revisions=revisions,
        language=get_language() or "en",
    )


def share(list_id: UUID, view: str, name: str = "") -> Share:
    """Return a link to the list in its current state.

    Raises Refusal if the view (`Share.View`) is unknown or the list has too many links.
    """
    return _link(list_id, view, name, None)


def share_frozen(
    list_id: UUID, document: ListDocument, library: Library, view: str, name: str = ""
) -> Share:
    """Return a link to a frozen copy of the list.

    Raises Refusal as `share` and `freeze` do, and NoRoom if the copy is more than the list's holder
    may keep.
    """
    with transaction.atomic():
        link = _link(list_id, view, name, freeze(list_id, document, library))
        _put_size(list_id)
        check_room(StoredList.objects.values_list("holder", flat=True).get(pk=list_id))
        return link


def _link(list_id: UUID, view: str, name: str, frozen: Frozen | None) -> Share:
    if view not in Share.View.values:
        raise Refusal(_("Choose what the link shows: the open list or the full list."))
    if Share.objects.filter(army_list_id=list_id).count() >= MOST_LINKS:
        sentence = _("A list has at most {most} links. Revoke one you no longer need.")
        raise Refusal(sentence.format(most=MOST_LINKS))
    token = secrets.token_urlsafe(32)  # of `TOKEN_LENGTH` letters
    if frozen is not None and isinstance(frozen.content, ArmyList):
        pin_books(list_id, frozen.content)  # a game from files is kept while a copy names it
    return Share.objects.create(
        army_list_id=list_id,
        view=view,
        name=" ".join(name.split())[:MAX_NAME],
        frozen=frozen,
        token=token,
        digest=digest_of(token),
    )


def _put_size(list_id: UUID) -> None:
    """Let the row of a list say how many bytes its frozen copies take."""
    links = Share.objects.filter(army_list_id=list_id).exclude(frozen=None)
    copies = Frozen.objects.filter(pk__in=links.values("frozen_id"))
    texts = (Length(Cast(column, TextField())) for column in ("document", "report"))
    size = copies.aggregate(all=Sum(sum(texts, start=Value(0))))["all"] or 0
    StoredList.objects.filter(pk=list_id).update(frozen_size=size)


def forget_copy(frozen_id: str) -> None:
    """Remove a frozen copy that no link leads to any more."""
    with transaction.atomic():
        frozen = Frozen.objects.select_for_update().filter(pk=frozen_id).first()
        if frozen is not None and not frozen.shares.exists():
            frozen.delete()


def share_list(
    holder: str, list_id: UUID, library: Library, view: str, name: str = "", frozen: bool = False
) -> Share:
    """Return a link to a list of the holder in its current state, or `frozen` now.

    Raises Http404 if the holder has no such list, Refusal as `share` does.
    """
    with transaction.atomic():
        version = lock(holder, list_id)
        if frozen:
            return share_frozen(list_id, version.content, library, view, name)
        return share(list_id, view, name)


def lasting_link(holder: str, list_id: UUID, view: str) -> Share:
    """Return the holder's link to the list in its current state; make it if there is none.

    Raises Http404 and Refusal as `share_list` does.
    """
    with transaction.atomic():
        lock(holder, list_id)
        return lasting_links(links_of(list_id)).get(view) or share(list_id, view)


def revoke_link(holder: str, list_id: UUID, share_id: UUID) -> bool:
    """End a link, and a frozen copy without any other; return whether there was one.

    Raises Http404 for another's list.
    """
    with transaction.atomic():
        lock(holder, list_id)
        gone, _each = Share.objects.filter(pk=share_id, army_list_id=list_id).delete()
        _put_size(list_id)
    return gone > 0


def code_links(version: Version, address: Address) -> SheetLinks:
    """Return the addresses that QR codes on a printout lead to, as far as they exist."""
    name = hash_of(version.content)
    links = {view: frozen_link(version.army_list_id, name, view) for view in ("full", "open")}
    return SheetLinks(**{view: address(link) for view, link in links.items() if link})


def make_code_links(holder: str, list_id: UUID, library: Library, views: Iterable[str]) -> int:
    """Make links that the list's QR codes lack; return how many. Raises as `share_list` does."""
    with transaction.atomic():
        version = lock(holder, list_id)
        name = hash_of(version.content)
        lacking = [view for view in views if frozen_link(list_id, name, view) is None]
        for view in lacking:
            share_frozen(list_id, version.content, library, view, _("QR code"))
    return len(lacking)


class JudgedThen(NamedTuple):
    """A former verdict, and its premises."""

    outcome: Outcome
    counts: Counts


def judged_then(then: dict[str, Any]) -> JudgedThen:
    """Return the verdict of a frozen copy's report."""
    unchecked = len(then.get("unchecked", ()))
    # Copies frozen before findings had states have none: their errors count as broken.
    marks = (
        (finding["severity"], finding.get("state", State.BROKEN)) for finding in then["findings"]
    )
    return JudgedThen(outcome_of(then["legal"], unchecked), counts_of(marks, unchecked))


def is_same(link: Share, report: AnyReport) -> bool:
    """Return whether a report equals that of a link's frozen copy; True without a copy."""
    if link.frozen is None:
        return True
    then, now = (
        (
            report["legal"],
            report["spent"],
            sorted((finding["code"], finding["severity"]) for finding in report["findings"]),
            len(report.get("unchecked", ())),
        )
        for report in (link.frozen.report, report_then(report))
    )
    return bool(then == now)


@dataclass(eq=False)
class SharedList:
    """Target of a link, checked now. Raises Refusal as `drawn_list` does.

    `sheet` is all that an open link may show; the list itself is for full ones and to print from.
    """

    link: Share
    library: Library
    day: datetime.date
    links: SheetLinks = NO_LINKS

    @cached_property
    def drawn(self) -> DrawnList:
        """The list as a visitor sees it: texts of files stay with their holder."""
        link = self.link
        source = link.frozen.content if link.frozen else current_of(link.army_list)
        seen = {"kind": link.view, "notes": not link.is_open, "texts": False}
        return drawn_list(source, day=self.day, links=self.links, **seen)

    @property
    def material(self) -> Material:
        return self.drawn.material

    @property
    def sheet(self) -> Sheet:
        return self.drawn.sheet

    @cached_property
    def hash(self) -> str:
        """The hash of its visible part.

        An open link's is not that of the whole list, which could be tried out with one hidden item
        after the other.
        """
        return self.material.open_hash if self.link.is_open else hash_of(self.drawn.document)

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
    def since(self) -> dict[str, Any]:
        """Changes since it was frozen; none if it isn't."""
        frozen = self.link.frozen
        if frozen is None:
            return {}
        catalogue, then = self.material.catalogue, frozen.revisions
        shipped = self.library.books[catalogue.system.id]
        changed = [
            book.name
            for book in catalogue.books
            if then.get(book.id) != book.revision
            or shipped.get(book.id, book).revision != book.revision
        ]
        since = {
            "engine": frozen.engine != __version__,
            "system": frozen.system_revision != catalogue.system.revision,
            "books": changed,
        }
        return since if any(since.values()) else {}

    @property
    def verdict_then(self) -> str:
        """The verdict when it was frozen, in as many words as its reader may have."""
        then, counts = self._then, self.judged_then.counts
        if self.drawn.of_files:
            return verdict_words(counts)
        if self.link.is_open and self.material.system.sized:
            return verdict_with_points(counts, None, then["limit"])
        return verdict_with_points(counts, then["spent"], then["limit"])

    @property
    def judged_then(self) -> JudgedThen:
        return judged_then(self._then)

    @cached_property
    def same(self) -> bool:
        return is_same(self.link, self.drawn.report)

    @property
    def findings_then(self) -> list[dict[str, str]]:
        """Former findings, if they differ from now and the reader may see them."""
        if self.same or self.link.is_open:
            return []
        found: list[dict[str, str]] = self._then["findings"]
        return found

    @property
    def _then(self) -> dict[str, Any]:
        return self.link.frozen.report if self.link.frozen else {}


SETUP = Setup(paper="A5", landscape=True, kinds=("compact",), notes=False, colour=True)
#: Pixels, bytes, and seconds of processor time that a picture takes at most.
WIDTH, HEIGHT = 1200, 846
MOST_BYTES = 500_000
SECONDS = 5.0
#: A link's picture is asked for again no sooner, and one that was not made after so long.
PAUSE, RETRY = timedelta(minutes=1), timedelta(days=1)
#: So many may wait to be drawn; nobody asks for more meanwhile.
MOST_WAITING = 100
#: Behind lists that are printed and books that are read.
PRIORITY = -10


def mark_of(shared: SharedList) -> str:
    """Return the mark of a link's picture: it differs if the picture would."""
    parts = (shared.hash, shared.link.view, __version__, shared.material.system.revision)
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:32]


def picture_of(shared: SharedList) -> str:
    """Return the mark of the link's picture; "" until it is made, for which a worker is asked."""
    mark, link = mark_of(shared), shared.link
    known: LinkPicture | None = getattr(link, "picture", None)
    if known is not None and known.made == mark:
        return mark
    pause = RETRY if known is not None and known.wanted == mark else PAUSE
    if known is None or timezone.now() - known.asked >= pause:
        where_possible("the picture of a link", partial(_ask, link, mark))
    return ""


def _ask(link: Share, mark: str) -> None:
    now = timezone.now()
    waiting = LinkPicture.objects.filter(asked__gt=now - RETRY).exclude(made=F("wanted"))
    if waiting.count() < MOST_WAITING:
        asked = {"wanted": mark, "asked": now}
        LinkPicture.objects.update_or_create(link=link, defaults=asked)
        draw_picture.enqueue(str(link.pk), mark)


@task(priority=PRIORITY)
def draw_picture(link_id: str, mark: str) -> None:
    """Draw the picture of a link, unless its list is another by now."""
    lacking = LinkPicture.objects.filter(wanted=mark).exclude(made=mark)
    link = current_links().filter(pk=UUID(link_id), picture__in=lacking).first()
    if link is None:
        return
    with translation.override(settings.LANGUAGE_CODE):
        try:
            with limited(SECONDS):
                shared = SharedList(link, shipped_library(), timezone.localdate())
                if mark_of(shared) != mark:
                    return
                png = Printout(drawn(shared), "", SETUP).picture(1, WIDTH)
        except (Refusal, OutOfTime):
            return
    if len(png) <= MOST_BYTES:
        lacking.filter(link=link).update(made=mark, png=png)


def drawn(shared: SharedList) -> bytes:
    """Return the PDF of which the picture is the first page: nothing that the link hides."""
    sheet = left_out(shared.sheet, SETUP)
    chapter = Chapter(partial(compact.story, sheet, SETUP), sheet=sheet)
    return draw(sheet, [chapter], SETUP)


def find_picture(link: Share, mark: str) -> bytes | None:
    """Return the picture of a link as PNG; None if it has none of this mark."""
    pictures = LinkPicture.objects.filter(link=link, made=mark).exclude(made="")
    png = pictures.values_list("png", flat=True).first()
    return None if png is None else bytes(png)
