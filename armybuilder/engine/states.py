"""States of findings: something is missing, or something can't stay."""

from enum import StrEnum


class State(StrEnum):
    """What is wrong with what a finding tells of. Its rule says so (`Rule.state_of`).

    MISSING: something is not there yet; adding to the list, or choosing, settles it.
    BROKEN: what stands there cannot stand; something must go, or become less.

    A number below what it must reach is MISSING, any other finding is BROKEN. Kinds that see it
    otherwise:

    ==============  ========  ======================================================
    kind            state     of
    ==============  ========  ======================================================
    agreed          MISSING   settings on which nobody has agreed
    belongs         MISSING   a faction that is not chosen
    complete        MISSING   what a card does not say
    enchants        MISSING   the piece that an enchantment is put on, where none is named
    faction         MISSING   the choice between factions that tie
    must-lead       MISSING   the role, while nobody has it
    pool            MISSING   what was in the boosters
    some-of         BROKEN    too few of several restrictions that are kept
    stat            BROKEN    a statistic below its bounds
    suggested       MISSING   points to agree on
    target          MISSING   an enemy that is not named
    ==============  ========  ======================================================
    """

    MISSING = "missing"
    BROKEN = "broken"


#: What stands in the place of the severity "error" where something is MISSING.
TO_DO = "to-do"


def mark_of(severity: str, state: str) -> str:
    """Return what a finding is drawn and called by, given its severity and state: `TO_DO` for an
    error that is MISSING, else the severity.
    """
    return TO_DO if (severity, state) == ("error", State.MISSING) else severity


def state_of_numbers(measured: int | None, allowed: int | None) -> State:
    """Return the state of a number and the bound that it broke."""
    short = measured is not None and allowed is not None and measured < allowed
    return State.MISSING if short else State.BROKEN
