"""Pictures of shared lists, which chats show with a link: the compact sheet.

Workers draw them, after everything that players wait for. A link has one picture, of its list's
current state; opening a link requests it at most once in a while.
"""

import hashlib
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db.models import F
from django.utils import timezone, translation
from django_tasks import task

from armybuilder import __version__
from armybuilder.jobs.queue import limited
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.sharing.models import LinkPicture, Share
from armybuilder.sharing.selectors import current_links
from armybuilder.sharing.shared_lists import SharedList
from armybuilder.sheets.content.setup import Setup, left_out
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.kinds import compact
from armybuilder.sheets.printing.printouts import Printout
from armybuilder.writable import where_possible

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
