"""How far the unknowns of lists that may be reach."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the unknowns reach. `models`: of a unit without a largest size; `singles`: of models
    bought singly, but no more than the points of the game pay for; `options`: how often one may be
    taken where its entry sets no bound.
    """

    models: int = 60
    singles: int = 12
    options: int = 6


USUAL = Extent()
