"""The print set-ups that a holder has saved: reads and writes. A holder of "" has none."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, count

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.lists.models import Version
from armybuilder.lists.services import event_pack_of
from armybuilder.loading.documents import catalogue_of, judge_at
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.printing.models import PrintSetup
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.setup import MOST_LETTERS, Setup, written
from armybuilder.sheets.content.structure import AtEvent

#: Letters of a name, and set-ups of one browser.
MAX_NAME = 60
MOST = 40


def setups_of(holder: str) -> list[PrintSetup]:
    """Return the holder's set-ups by name, the usual one first."""
    if not holder:
        return []
    mine = PrintSetup.objects.filter(holder=holder)
    return sorted(mine, key=lambda saved: (not saved.usual, saved.name.casefold()))


def usual_setup(holder: str) -> Setup:
    """Return the preset that the holder's lists are printed with by default."""
    saved = PrintSetup.objects.filter(holder=holder, usual=True).first() if holder else None
    return saved.setup if saved else Setup()


def for_event(version: Version, setup: Setup) -> Setup:
    """Return the set-up with the event that the list is built for, unless it names another."""
    pack = event_pack_of(version)
    return setup if setup.event or pack is None else replace(setup, event=pack.name[:MOST_LETTERS])


def verdict_at_event(version: Version, library: Library) -> AtEvent | None:
    """Return the verdict of the event that the list is built for; None if it is for none.

    None of a list of files, too, which is drawn with its own. Raises Refusal as `judge_at` does.
    """
    pack, document = event_pack_of(version), version.content
    if pack is None or isinstance(document, ForceList):
        return None
    report = judge_at(document, catalogue_of(document, library), pack).report
    return AtEvent(report.event_verdict, report.event.outcome)


@transaction.atomic
def save_setup(holder: str, name: str, setup: Setup, usual: bool = False) -> PrintSetup:
    """Keep a set-up under a name, instead of one that has it.

    Raises Refusal where the name is empty or too long, or there are too many.
    """
    name = _checked(name)
    mine = PrintSetup.objects.filter(holder=holder)
    saved = mine.filter(name=name).first()
    if saved is None:
        if mine.count() >= MOST:
            sentence = _("There are already {most} presets: delete one first.")
            raise Refusal(sentence.format(most=MOST))
        saved = PrintSetup(holder=holder, name=name)
    if usual:
        mine.update(usual=False)
        saved.usual = True
    saved.fields = written(setup)
    saved.save()
    return saved


def _checked(name: str) -> str:
    name = one_line(name)
    if not name:
        raise Refusal(_("Give the preset a name first."))
    if len(name) > MAX_NAME:
        raise Refusal(_("A preset’s name has at most {most} characters.").format(most=MAX_NAME))
    return name


@transaction.atomic
def change_setup(holder: str, setup_id: int, act: str) -> PrintSetup:
    """Make a preset the default ("usual"), no longer so ("plain"), or delete it.

    Raises Refusal if it doesn't exist.
    """
    mine = PrintSetup.objects.filter(holder=holder)
    saved = mine.filter(pk=setup_id).first()
    if saved is None:
        raise Refusal(_("That preset no longer exists."))
    if act == "delete":
        saved.delete()
        return saved
    if act == "usual":
        mine.update(usual=False)
    saved.usual = act == "usual"
    saved.save(update_fields=["usual"])
    return saved


@transaction.atomic
def move_setups(old: str, new: str) -> int:
    """Give one holder's set-ups to another; return how many.

    A different one of a taken name gets a number; the other's usual set-up stays so.
    """
    theirs = {saved.name: saved for saved in PrintSetup.objects.filter(holder=new)}
    has_usual = any(saved.usual for saved in theirs.values())
    moving = list(PrintSetup.objects.filter(holder=old).order_by("pk"))
    for saved in moving:
        saved.usual = saved.usual and not has_usual
        same = theirs.get(saved.name)
        if same is not None and same.fields == saved.fields and not saved.usual:
            saved.delete()
            continue
        saved.name = next(name for name in _names(saved.name) if name not in theirs)
        saved.holder = new
        saved.save(update_fields=["holder", "name", "usual"])
        theirs[saved.name] = saved
    return len(moving)


@transaction.atomic
def bring_setup(holder: str, name: str, setup: Setup, usual: bool = False) -> bool:
    """Add a set-up from elsewhere; return whether it is new.

    A taken name gets a number. Raises Refusal as `save_setup` does.
    """
    mine = {saved.name: saved for saved in PrintSetup.objects.filter(holder=holder)}
    name = _checked(name)
    for free in _names(name):
        if free not in mine:
            usual = usual and not any(saved.usual for saved in mine.values())
            save_setup(holder, free, setup, usual)
            return True
        if mine[free].setup == setup:
            break
    return False


def _names(name: str) -> Iterator[str]:
    return chain([name], (f"{name[: MAX_NAME - 4]} {number}" for number in count(2)))
