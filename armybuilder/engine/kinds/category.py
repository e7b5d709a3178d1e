"""Kind "category": army categories of a book cost their share of the game size.

The system gives the codes; each book names its categories and their bounds, and every bound becomes
a rule (`bounds`). The Ninth Age, Rulebook 8.B.b.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from armybuilder.engine.amounts import read_amount
from armybuilder.engine.citations import Citation, RuleHead
from armybuilder.engine.condition_reading import Resolve
from armybuilder.engine.ends import End, Moving, PerCent
from armybuilder.engine.kinds.limit import Limit
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector, SelectorIndex
from armybuilder.engine.wording import Later


@dataclass(frozen=True, slots=True, eq=False)
class Category(Rule):
    kind: ClassVar[str] = "category"
    says: ClassVar[frozenset[str]] = frozenset(["what"])
    under: str

    def of_book(
        self, book: Mapping[str, Any], resolve: Resolve, selector_index: SelectorIndex
    ) -> Iterator[Limit]:
        """Return the rules that a book's categories make. In them per cent are of the game size."""
        for number, entry in enumerate(book.get("categories", ())):
            inside = Selector.read({"category": entry["id"]})
            of_models = {"any": [{"category": entry["id"]}, {"models-in": entry["id"]}]}
            points = {side: _end(entry, side, resolve) for side in ("min", "max")}
            picks = {side: _end(entry, f"{side}_units", resolve) for side in ("min", "max")}
            models = {side: _end(entry, f"{side}_models", resolve) for side in ("min", "max")}
            counts = {"points": points, "picks": picks, "models": models}
            drawn = next((key for key, bounds in counts.items() if any(bounds.values())), "points")
            for count, bounds in counts.items():
                selector = inside if bounds is not models else Selector.read(of_models)
                gauge = entry["name"] if count == drawn or any(bounds.values()) else ""
                for side, bound in bounds.items():
                    other = bounds["max" if side == "min" else "min"]
                    if bound is None and (side == "max" or other is not None or not gauge):
                        continue
                    once = side == "min" or bounds["min"] is None
                    yield Limit(
                        head=self._head(book, entry, f"/categories/{number}", f"{count}-{side}"),
                        count=count,
                        selector=selector,
                        number=selector_index.add(selector),
                        minimum=bound if side == "min" else None,
                        maximum=bound if side == "max" else None,
                        name=gauge if once else "",
                        what=entry["name"],
                        category=entry["id"],
                    )

    def _head(
        self, book: Mapping[str, Any], entry: Mapping[str, Any], place: str, what: str
    ) -> RuleHead:
        citation = Citation(str(self.head.citation), Later("and {book}", book=book["name"]))
        return replace(
            self.head,
            id=f"category-{entry['id']}-{what}",
            parent=self.head.id,
            pointer=f"{book['id']}{place}/{what}",
            code=self.under if what.endswith("min") else self.head.code,
            citation=citation,
        )


def _end(entry: Mapping[str, Any], field: str, resolve: Resolve) -> End | None:
    """Return an end of a category's points, in per cent, or of its units or models."""
    base = entry.get(field)
    number = None if base is None else int(str(base).removesuffix("%"))
    amount = read_amount(number, entry.get("when", ()), field, resolve)
    if number is None and not amount.changes:
        return None
    return PerCent(amount) if field in ("min", "max") else Moving(amount)
