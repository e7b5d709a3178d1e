"""What can be done with several lists at once, by the name that a button gives it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.lists import keeping
from armybuilder.lists.tags import read_tags
from armybuilder.loading.problems import Refusal


class Done(NamedTuple):
    """What was said, the lists that changed, and what would undo it: an act and its tags; and what
    was refused along the way, by name with the reason.
    """

    said: str
    changed: list[UUID]
    undo: str
    tags: str = ""
    refused: Sequence[tuple[str, str]] = ()


Ids = Sequence[UUID]
Fields = Mapping[str, str]
Act = Callable[[str, Ids, Fields], Done]


def _pin(holder: str, ids: Ids, fields: Fields) -> Done:
    changed = keeping.pin(holder, ids)
    said = ngettext("Pinned {number} list.", "Pinned {number} lists.", len(changed))
    return Done(said, changed, "unpin")


def _unpin(holder: str, ids: Ids, fields: Fields) -> Done:
    changed = keeping.unpin(holder, ids)
    said = ngettext(
        "{number} list is pinned no more.", "{number} lists are pinned no more.", len(changed)
    )
    return Done(said, changed, "pin")


def _archive(holder: str, ids: Ids, fields: Fields) -> Done:
    changed = keeping.archive(holder, ids)
    said = ngettext("Archived {number} list.", "Archived {number} lists.", len(changed))
    return Done(said, changed, "unarchive")


def _unarchive(holder: str, ids: Ids, fields: Fields) -> Done:
    changed = keeping.unarchive(holder, ids)
    said = ngettext(
        "{number} list is out of the archive.",
        "{number} lists are out of the archive.",
        len(changed),
    )
    return Done(said, changed, "archive")


def _delete(holder: str, ids: Ids, fields: Fields) -> Done:
    changed = keeping.delete(holder, ids)
    said = ngettext("Deleted {number} list.", "Deleted {number} lists.", len(changed))
    return Done(said, changed, "restore")


def _restore(holder: str, ids: Ids, fields: Fields) -> Done:
    changed = keeping.restore(holder, ids)
    said = ngettext("{number} list is back.", "{number} lists are back.", len(changed))
    return Done(said, changed, "delete")


def _tag(holder: str, ids: Ids, fields: Fields) -> Done:
    tags = _tags_of(fields)
    changed = keeping.tag(holder, ids, tags)
    said = ngettext("Tagged {number} list: {tags}.", "Tagged {number} lists: {tags}.", len(changed))
    return Done(said, changed, "untag", ", ".join(tags))


def _untag(holder: str, ids: Ids, fields: Fields) -> Done:
    tags = _tags_of(fields)
    changed = keeping.untag(holder, ids, tags)
    said = ngettext(
        "Took the tag from {number} list: {tags}.",
        "Took the tag from {number} lists: {tags}.",
        len(changed),
    )
    return Done(said, changed, "tag", ", ".join(tags))


def _tags_of(fields: Fields) -> list[str]:
    tags = read_tags(fields.get("tags", ""))
    if not tags:
        raise Refusal(_("Write a tag first."))
    return tags


ACTS: dict[str, Act] = {
    "pin": _pin,
    "unpin": _unpin,
    "archive": _archive,
    "unarchive": _unarchive,
    "delete": _delete,
    "restore": _restore,
    "tag": _tag,
    "untag": _untag,
}


def do(act: str, holder: str, ids: Ids, fields: Fields) -> Done:
    """Do an act with some of the holder's lists. Raises Refusal where there is no such act, or it
    lacks what it needs.
    """
    if act not in ACTS:
        raise Refusal(_("That button is not known here. Load the page again."))
    done = ACTS[act](holder, ids, fields)
    return done._replace(said=done.said.format(number=len(done.changed), tags=done.tags))
