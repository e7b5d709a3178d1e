"""Costs of changes, so that a repair keeps what matters; and preferences of a filling."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Points of cost.

    A part with a `..._share` costs more the more expensive it is: this much for the whole limit of
    the game, and less in proportion.

    A removed unit: `unit`, `equipped` for each chosen option, and more with a role (`led`) or a
    unique role (`leader`), a name or notes (`described`).
    """

    unit: int = 10
    unit_share: int = 75
    equipped: int = 1
    led: int = 3
    leader: int = 12
    described: int = 6
    #: A new unit.
    added: int = 10
    added_share: int = 38
    #: A model of a unit; one that is bought singly; a kind of model that was not on the list.
    model: int = 1
    model_share: int = 110
    single: int = 5
    single_share: int = 20
    kind: int = 2
    option: int = 3
    option_share: int = 75
    #: An option of a new unit beside those it starts with.
    new_option: int = 1
    role: int = 2
    put_on: int = 1
    setting: int = 3
    piece: int = 1
    #: A change that another way makes too.
    again: int = 4

    def dearest(self, first: int) -> int:
        """Return the maximum cost of another way, given that of the first: a distant way is no
        help."""
        return 2 * first + 15


USUAL = Weights()


@dataclass(frozen=True, slots=True)
class Taste:
    """Points of taste, which a filling minimises after the points `left`.

    Likings of units differ by chance, by up to `liking`, those of options by `option`, most of them
    liked (`dressed`), and those of a model more by `model`. A repeated unit costs `repeated` for
    each one before it, a theme (a faction, a group of a book) after the first `theme`, and some
    more by chance. A leader is liked one better for each `leader` points.
    """

    left: int = 1000
    liking: int = 12
    option: int = 2
    dressed: int = 2
    model: int = 1
    repeated: int = 6
    theme: int = 45
    leader: int = 6
    #: A model beyond half of what a unit may have more, where that is more than a `few`.
    large: int = 2
    few: int = 5
    #: What the program cannot judge in full.
    unchecked: int = 150
    #: What is wished for, once; what most lists of a game have; a model more or less, of a unit of
    #: many and bought singly; a unit less.
    wished: int = 25
    always: int = 60
    body: int = 2
    single: int = 24
    unit: int = 12


TASTE = Taste()
