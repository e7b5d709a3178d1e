"""Counts: the sum of a field, such as points, over a selector's units or options on a list."""

import dataclasses
from dataclasses import dataclass

from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Selector


@dataclass(frozen=True, slots=True)
class Count:
    """Sum of a `field` ("points", "models", "units", "picks") over a selector's units, or over
    their options; `number` is the selector's in the index. `rule`: units from which that rule is
    lifted don't count.
    """

    field: str
    selector: Selector = EVERYTHING
    number: int = 0
    rule: str = ""
    #: The sum of a tally that it is, perhaps one for each selector; "" where it is none.
    total: str = dataclasses.field(init=False, default="")
    by_selector: bool = dataclasses.field(init=False, default=False)

    def __post_init__(self) -> None:
        everything = self.selector == EVERYTHING
        if everything and self.field in ("points", "models"):
            object.__setattr__(self, "total", self.field)
        elif not everything and self.field != "units" and not self.crosses:
            object.__setattr__(self, "total", f"{self.field}_by")
            object.__setattr__(self, "by_selector", True)

    @property
    def crosses(self) -> bool:
        """Return whether the selection depends on the warband's faction."""
        return self.selector.mentions(CROSS_FACTION)


#: All points that a list costs.
SPENT = Count("points")
