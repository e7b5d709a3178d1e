"""Which contents of books any list still needs."""

from itertools import chain

from armybuilder.lists.models import Version
from armybuilder.sharing.models import Frozen


def pinned_books() -> set[tuple[str, str]]:
    """The id and revision of every book that any version or frozen copy of any list names."""
    named = (
        table.objects.values_list("document__books", flat=True).iterator()
        for table in (Version, Frozen)
    )
    return {(book["id"], book.get("revision", "")) for some in chain(*named) for book in some or ()}
