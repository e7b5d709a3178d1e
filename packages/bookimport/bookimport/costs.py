"""Which kind of cost of a game is its points."""

from xml.etree.ElementTree import Element

from armybuilder.loading.problems import Refusal
from bookimport.names import clean
from bookimport.reading import Sources


def points_of(sources: Sources, system: tuple[str, Element]) -> Element:
    """Return the one kind of cost that the game's units have. Raises Refusal where they have
    several, or the game has none.
    """
    file, root = system
    books = [book for _file, book in sources.books if book.get("gameSystemId") == root.get("id")]
    kinds = [kind for one in (root, *books) for kind in one.iterfind("costTypes/costType")]
    if len(kinds) > 1:
        prices = [cost for one in (root, *books) for cost in one.iter("cost")]
        used = {cost.get("typeId") for cost in prices if cost.get("value") not in _NOTHING}
        kinds = [kind for kind in kinds if kind.get("id") in used] or kinds[:1]
    if not kinds:
        raise Refusal(f"{file}: the game has no kind of cost, so no points.")
    if len(kinds) > 1:
        names = ", ".join(clean(kind.get("name", ""))[:40] for kind in kinds)
        raise Refusal(
            f"{file}: units have {len(kinds)} kinds of cost ({names}), which is not understood yet."
        )
    return kinds[0]


#: Prices of what costs nothing.
_NOTHING = {"0", "0.0", "", None}
