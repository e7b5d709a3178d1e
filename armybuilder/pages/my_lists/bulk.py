"""Changes of several lists at once, by the name that a button gives them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from armybuilder.lists import flags
from armybuilder.loading.problems import Refusal

#: Where the session keeps what was done last, until the page has said it.
DONE = "lists_done"


@dataclass(frozen=True, slots=True)
class BulkResult:
    """Sentence about what was done, the changed lists, the act (and tags) to undo it, refusals."""

    said: str
    changed: list[UUID]
    undo: str
    tags: str = ""
    refused: Sequence[tuple[str, str]] = ()


def remember(
    request: HttpRequest,
    done: BulkResult,
    ticked: Sequence[UUID] = (),
    focus: str = "",
    rosters: bool = False,
) -> None:
    """Keep what was done, and the ticks and focus of the page, until that says and undoes it."""
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


#: Acts with the one that undoes each, and what is said. Those with tags take them.
_ACTS: dict[str, tuple[str, Any]] = {
    "pin": ("unpin", ngettext_lazy("Pinned {number} list.", "Pinned {number} lists.", "number")),
    "unpin": (
        "pin",
        ngettext_lazy("Unpinned {number} list.", "Unpinned {number} lists.", "number"),
    ),
    "archive": (
        "unarchive",
        ngettext_lazy("Archived {number} list.", "Archived {number} lists.", "number"),
    ),
    "unarchive": (
        "archive",
        ngettext_lazy("Unarchived {number} list.", "Unarchived {number} lists.", "number"),
    ),
    "delete": (
        "restore",
        ngettext_lazy("Deleted {number} list.", "Deleted {number} lists.", "number"),
    ),
    "restore": (
        "delete",
        ngettext_lazy("Restored {number} list.", "Restored {number} lists.", "number"),
    ),
    "tag": (
        "untag",
        ngettext_lazy("Tagged {number} list: {tags}.", "Tagged {number} lists: {tags}.", "number"),
    ),
    "untag": (
        "tag",
        ngettext_lazy(
            "Untagged {number} list: {tags}.", "Untagged {number} lists: {tags}.", "number"
        ),
    ),
}


def do(name: str, holder: str, ids: Sequence[UUID], fields: Mapping[str, str]) -> BulkResult:
    """Do an act with some of the holder's lists. Raises Refusal if unknown or without a tag."""
    if name not in _ACTS:
        raise Refusal(_("That button is unknown. Reload the page."))
    undo, sentence = _ACTS[name]
    tags = flags.read_tags(fields.get("tags", "")) if name in ("tag", "untag") else []
    if name in ("tag", "untag") and not tags:
        raise Refusal(_("Write a tag first."))
    changed = getattr(flags, name)(holder, ids, *([tags] if tags else []))
    return BulkResult(
        sentence.format(number=len(changed), tags=", ".join(tags)), changed, undo, ", ".join(tags)
    )
