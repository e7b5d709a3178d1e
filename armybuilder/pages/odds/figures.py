"""What forms of odds ask for and show: numbers with their bounds, rows of results."""

from fractions import Fraction
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from armybuilder.engine.odds_rules import MELEE, SHOOTING
from armybuilder.odds.dice import read_amount


class AmountField(forms.CharField):
    """Field of a number, or dice such as "D6+1"."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return read_amount(text)
        except ValueError as error:
            message = _("“{text}” isn’t a number or dice. Write such as 2, D3 or 2D6+1.")
            raise ValidationError(message.format(text=text)) from error


class Figure(NamedTuple):
    """A number that a form asks for: whose (`a` or `b`), which, its name and bounds."""

    side: str
    id: str
    label: str
    low: int
    high: int
    usual: str = ""
    modes: tuple[str, ...] = (MELEE, SHOOTING)
    is_amount: bool = False
    optional: bool = False
    help: str = ""

    def field(self) -> forms.Field:
        wrong = {"required": _("We don’t know this number. Enter it.")}
        about: dict[str, Any] = {
            "label": self.label,
            "help_text": self.help,
            "required": not self.optional,
            "error_messages": wrong,
        }
        if self.is_amount:
            return AmountField(max_length=8, **about)
        return forms.IntegerField(min_value=self.low, max_value=self.high, **about)


class SideOfForm(NamedTuple):
    """One side of the form: its name, its numbers, its ticks each with its source."""

    title: str
    figures: list[forms.BoundField]
    ticks: list[tuple[forms.BoundField, str]]


class FateRow(NamedTuple):
    """An outcome with its chance; `role` and `unit` are "" for a draw."""

    role: str
    unit: str
    outcome: str
    chance: Fraction

    @property
    def percent(self) -> str:
        return percent(self.chance)


class LossRow(NamedTuple):
    """Health Points lost, with the chances of exactly this number, and of at least this."""

    number: int
    exactly: str
    at_least: str


def percent(chance: Fraction) -> str:
    """Return a chance in per cent with one decimal; one that there is never as 0 or 100."""
    if 0 < chance < Fraction(1, 2000):
        return "< 0.1 %"
    if Fraction(1999, 2000) < chance < 1:
        return "> 99.9 %"
    return f"{float(100 * chance):.1f} %"
