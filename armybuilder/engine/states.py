"""States of findings: something is missing, or something can't stay."""

from enum import StrEnum


class State(StrEnum):
    """Kind of fault that a finding reports. Its rule decides (`Rule.state_of`).

    MISSING: something isn't there yet; adding to the list, or choosing, settles it. BROKEN:
    something on the list isn't allowed; it must go, or become less.

    A number below its minimum is MISSING, any other finding is BROKEN. Kinds that decide otherwise:

    ==============  ========  ====================================================
    kind            state     of
    ==============  ========  ====================================================
    agreed          MISSING   settings that the players have not agreed on
    belongs         MISSING   a faction that is not chosen
    complete        MISSING   facts that a card leaves out
    enchants        MISSING   the piece of an enchantment that names none
    faction         MISSING   the choice between factions that tie
    must-lead       MISSING   the role, while nobody has it
    pool            MISSING   the contents of the boosters
    some-of         BROKEN    too few of several restrictions that are kept
    stat            BROKEN    a statistic below its bounds
    suggested       MISSING   points to agree on
    target          MISSING   an enemy that is not named
    ==============  ========  ====================================================
    """

    MISSING = "missing"
    BROKEN = "broken"


#: Mark in place of the severity "error" if something is MISSING.
TO_DO = "to-do"


def mark_of(severity: str, state: str) -> str:
    """Return the mark and name of a finding by its severity and state: `TO_DO` for an error that is
    MISSING, else the severity.
    """
    return TO_DO if (severity, state) == ("error", State.MISSING) else severity


def state_of_numbers(measured: int | None, allowed: int | None) -> State:
    """Return the state of a number and the bound that it broke."""
    short = measured is not None and allowed is not None and measured < allowed
    return State.MISSING if short else State.BROKEN
