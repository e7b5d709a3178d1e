"""What can be done with several lists at once, by the name that a button gives it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from armybuilder.lists import flags
from armybuilder.lists.flags import read_tags
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class BulkResult:
    """What was said, the changed lists, the act (and tags) that undoes it, refusals by name."""

    said: str
    changed: list[UUID]
    undo: str
    tags: str = ""
    refused: Sequence[tuple[str, str]] = ()


#: Where the session keeps what was done last, until the page has said it.
DONE = "lists_done"


def remember(
    request: HttpRequest,
    done: BulkResult,
    ticked: Sequence[UUID] = (),
    focus: str = "",
    rosters: bool = False,
) -> None:
    """Keep what was done until the page of lists says it and offers to undo it. `ticked` are ticked
    there, `focus` is a part of their bar, `rosters`: files were read.
    """
    request.session[DONE] = {
        "said": done.said,
        "undo": done.undo if done.changed else "",
        "lists": [str(one) for one in done.changed],
        "tags": done.tags,
        "ticked": [str(one) for one in ticked],
        "focus": focus,
        "refused": done.refused,
        "rosters": rosters,
    }


Ids = Sequence[UUID]
Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BulkAct:
    """What is done with lists, the act that undoes it, how it is said; `tagging` takes tags."""

    run: Callable[..., list[UUID]]
    undo: str
    said: Any
    tagging: bool = False


ACTS: dict[str, BulkAct] = {
    "pin": BulkAct(
        flags.pin,
        "unpin",
        ngettext_lazy("Pinned {number} list.", "Pinned {number} lists.", "number"),
    ),
    "unpin": BulkAct(
        flags.unpin,
        "pin",
        ngettext_lazy("Unpinned {number} list.", "Unpinned {number} lists.", "number"),
    ),
    "archive": BulkAct(
        flags.archive,
        "unarchive",
        ngettext_lazy("Archived {number} list.", "Archived {number} lists.", "number"),
    ),
    "unarchive": BulkAct(
        flags.unarchive,
        "archive",
        ngettext_lazy(
            "Unarchived {number} list.",
            "Unarchived {number} lists.",
            "number",
        ),
    ),
    "delete": BulkAct(
        flags.delete,
        "restore",
        ngettext_lazy("Deleted {number} list.", "Deleted {number} lists.", "number"),
    ),
    "restore": BulkAct(
        flags.restore,
        "delete",
        ngettext_lazy("Restored {number} list.", "Restored {number} lists.", "number"),
    ),
    "tag": BulkAct(
        flags.tag,
        "untag",
        ngettext_lazy("Tagged {number} list: {tags}.", "Tagged {number} lists: {tags}.", "number"),
        tagging=True,
    ),
    "untag": BulkAct(
        flags.untag,
        "tag",
        ngettext_lazy(
            "Untagged {number} list: {tags}.",
            "Untagged {number} lists: {tags}.",
            "number",
        ),
        tagging=True,
    ),
}


def do(name: str, holder: str, ids: Ids, fields: Fields) -> BulkResult:
    """Do an act with some of the holder's lists. Raises Refusal if unknown or without a tag."""
    if name not in ACTS:
        raise Refusal(_("That button is unknown. Reload the page."))
    act = ACTS[name]
    tags = _tags_of(fields) if act.tagging else []
    changed = act.run(holder, ids, tags) if act.tagging else act.run(holder, ids)
    said = act.said.format(number=len(changed), tags=", ".join(tags))
    return BulkResult(said, changed, act.undo, ", ".join(tags))


def _tags_of(fields: Fields) -> list[str]:
    tags = read_tags(fields.get("tags", ""))
    if not tags:
        raise Refusal(_("Write a tag first."))
    return tags
