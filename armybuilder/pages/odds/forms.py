"""Forms of odds: the numbers of two units, filled from their profiles, and the results."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from armybuilder.engine.odds_rules import MELEE, SHOOTING, OddsRules, OddsTick, needed_of
from armybuilder.engine.wording import say
from armybuilder.odds.attacks import (
    NO_SAVE,
    Fate,
    Fighter,
    Losses,
    Volley,
    losses,
    opposed,
    roll_in_melee,
    roll_to_save,
    roll_to_shoot,
)
from armybuilder.odds.combatants import Combatant
from armybuilder.odds.dice import Chances, read_amount


class AmountField(forms.CharField):
    """Field of a number, or dice such as "D6+1"."""

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        try:
            return read_amount(text)
        except ValueError as error:
            message = _("“{text}” isn’t a number or dice. Write 2, D3 or 2D6+1, for example.")
            raise ValidationError(message.format(text=text)) from error


@dataclass(frozen=True, slots=True)
class Figure:
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


@dataclass(frozen=True, slots=True)
class SideOfForm:
    """One side of the form: its name, its numbers, its ticks each with its source."""

    title: str
    figures: list[forms.BoundField]
    ticks: list[tuple[forms.BoundField, str]]


@dataclass(frozen=True, slots=True)
class FateRow:
    """An outcome with its chance; `role` and `unit` are "" for a draw."""

    role: str
    unit: str
    outcome: str
    chance: Fraction

    @property
    def percent(self) -> str:
        return percent(self.chance)


@dataclass(frozen=True, slots=True)
class LossRow:
    """Health Points lost, with the chances of exactly this number, and of at least this."""

    number: int
    exactly: str
    at_least: str


def percent(chance: Fraction) -> str:
    """Return a chance in per cent with one decimal; one that there is never as 0 or 100."""
    if 0 < chance < Fraction(1, 2000):
        return "<\u00a00.1\u00a0%"
    if Fraction(1999, 2000) < chance < 1:
        return ">\u00a099.9\u00a0%"
    return f"{float(100 * chance):.1f}\u00a0%"


#: Attacks, and Health Points of the attacked unit, at most: sums of more take too long.
MOST_ATTACKS, MOST_HEALTH = 200, 400
#: Losses rarer than this have no row.
RARE = Fraction(1, 1000)


class OddsForm(forms.Form):
    """Numbers of two units in one mode. Without data it is filled from their profiles."""

    def __init__(
        self,
        odds: OddsRules,
        mode: str,
        sides: tuple[Combatant, Combatant],
        data: Mapping[str, Any] | None,
    ) -> None:
        self.odds, self.mode, self.sides = odds, mode, sides
        self.asked = [figure for figure in self.figures() if mode in figure.modes]
        self.ticked = [
            (side, tick) for side in "ab" for tick in odds.ticks if self._has(side, tick)
        ]
        super().__init__(self._known() if data is None else data)
        for figure in self.asked:
            self.fields[f"{figure.side}-{figure.id}"] = figure.field()
        for side, tick in self.ticked:
            field = forms.BooleanField(label=_words(tick), required=False)
            self.fields[f"{side}-{tick.id}"] = field

    def figures(self) -> Iterator[Figure]:
        """Yield the numbers that this kind of dice needs."""
        raise NotImplementedError

    def _has(self, side: str, tick: OddsTick) -> bool:
        return self.mode in tick.modes and tick.defends == (side == "b")

    def _known(self) -> dict[str, Any]:
        """Return the known values of both units, as form data."""
        by_side = dict(zip("ab", self.sides, strict=True))
        known: dict[str, Any] = {
            f"{figure.side}-{figure.id}": by_side[figure.side].figures.get(figure.id, figure.usual)
            for figure in self.asked
        }
        for side, tick in self.ticked:
            mine, theirs = by_side[side], by_side["a" if side == "b" else "b"]
            if any(when.holds(mine.rules, theirs.rules) for when in tick.when):
                known[f"{side}-{tick.id}"] = "on"
        return known

    @property
    def parts(self) -> Iterator[SideOfForm]:
        for side, combatant in zip("ab", self.sides, strict=True):
            figures = [self[f"{side}-{one.id}"] for one in self.asked if one.side == side]
            ticks = [
                (self[f"{side}-{tick.id}"], str(tick.citation))
                for whose, tick in self.ticked
                if whose == side
            ]
            yield SideOfForm(combatant.name, figures, ticks)

    def results(self) -> dict[str, Any]:
        raise NotImplementedError

    def number(self, key: str) -> Any:
        return self.cleaned_data[key]

    def effects(self, side: str) -> frozenset[str]:
        return frozenset(tick.effect for whose, tick in self._set() if whose == side)

    def added(self, side: str) -> list[int]:
        return [
            number
            for whose, tick in self._set()
            if (number := tick.add if whose == side else tick.enemy_add)
        ] + [self.number(f"{side}-more") or 0]

    def _set(self) -> Iterable[tuple[str, OddsTick]]:
        return [(side, tick) for side, tick in self.ticked if self.number(f"{side}-{tick.id}")]


def _words(tick: OddsTick) -> str:
    number = tick.add or tick.enemy_add
    if not number:
        return say(tick.name)
    sign = f"{number:+}".replace("-", "−")
    if tick.enemy_add:
        return _("{name}: {number} for the enemy").format(name=say(tick.name), number=sign)
    return f"{say(tick.name)}: {sign}"


class OpposedForm(OddsForm):
    """Opposed dice of two models."""

    def figures(self) -> Iterator[Figure]:
        score, more = _("Combat"), _("Other modifiers")
        for side in "ab":
            yield Figure(side, "score", score, 0, 12)
            yield Figure(
                side, "more", more, -9, 9, "0", help=_("Such as −1 for each extra enemy in contact")
            )

    def _has(self, side: str, tick: OddsTick) -> bool:
        return self.mode in tick.modes and (self.mode == MELEE or super()._has(side, tick))

    def results(self) -> dict[str, Any]:
        """Return the fates of both models, the enemy first, then no effect."""
        first, second = (
            Fighter(self.number(f"{side}-score") + sum(self.added(side)), self.effects(side))
            for side in "ab"
        )
        mine, theirs = opposed(first, second, self.mode == MELEE)
        words = {
            Fate.GRUESOME: _("killed gruesomely"),
            Fate.KILLED: _("killed"),
            Fate.WOUNDED: _("wounded (Quality 1 worse)"),
            Fate.FALLS: _("falls"),
            Fate.RECOILS: _("recoils"),
        }
        rows = [
            FateRow(role, unit.name, words[fate], chance)
            for role, unit, fates in (
                (_("Enemy"), self.sides[1], theirs),
                (_("Attacker"), self.sides[0], mine),
            )
            for fate, chance in fates.items()
        ]
        nothing = 1 - sum((row.chance for row in rows), start=Fraction())
        return {"fates": [*rows, FateRow("", "", _("no effect"), nothing)] if nothing else rows}


class AttacksForm(OddsForm):
    """A sequence of attacks on a unit."""

    def figures(self) -> Iterator[Figure]:
        melee, shooting = (MELEE,), (SHOOTING,)
        models = _("All of them, unless you change it: we don’t know your formation.")
        save = _("Needed roll, such as 5; empty for none")
        yield Figure("a", "models", _("Models that attack"), 1, 100, help=models)
        attacks = Figure("a", "attacks", _("Attacks per model"), 0, 0, is_amount=True)
        yield replace(attacks, label=_("Attack Value"), modes=melee)
        yield replace(attacks, label=_("Shots per model"), modes=shooting)
        yield Figure("a", "skill", _("Offensive Skill"), 0, 10, modes=melee)
        yield Figure("a", "aim", _("Aim: needed roll"), 2, 8, modes=shooting)
        yield Figure("a", "strength", _("Strength"), 0, 10)
        yield Figure("a", "penetration", _("Armour Penetration"), 0, 10)
        yield Figure("a", "wounds", _("Multiple Wounds"), 0, 0, "1", is_amount=True)
        yield Figure("a", "more", _("Other to-hit modifiers"), -9, 9, "0")
        yield Figure("b", "models", _("Models"), 1, 200)
        yield Figure("b", "health", _("Health Points per model"), 1, 40)
        yield Figure("b", "defence", _("Defensive Skill"), 0, 10, modes=melee)
        yield Figure("b", "resilience", _("Resilience"), 0, 10)
        yield Figure("b", "armour", _("Armour"), 0, 6)
        yield Figure("b", "aegis", _("Aegis"), 2, 6, optional=True, help=save)
        yield Figure("b", "fortitude", _("Fortitude"), 2, 6, optional=True, help=save)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        attacks: Chances | None = data.get("a-attacks")
        if attacks and attacks.most * data.get("a-models", 0) > MOST_ATTACKS:
            message = _("That is more than {most} attacks. Enter fewer models.")
            raise ValidationError(message.format(most=MOST_ATTACKS))
        if data.get("b-health", 0) * data.get("b-models", 0) > MOST_HEALTH:
            message = _("This unit has more than {most} Health Points. Enter fewer models.")
            raise ValidationError(message.format(most=MOST_HEALTH))
        return data

    def results(self) -> dict[str, Any]:
        """Return the means of each step, and the chances of the losses that are not too rare."""
        done = self._losses()
        means = [
            (_("Attacks") if self.mode == MELEE else _("Shots"), done.attacks),
            (_("Hits"), done.hits),
            (_("Wounds"), done.wounds),
            (_("Unsaved wounds"), done.unsaved),
            (_("Health Points lost"), done.health.mean),
            (_("Models lost"), done.models),
        ]
        rows = [
            LossRow(number, percent(chance), percent(at_least))
            for number, chance in done.health.items()
            if (at_least := done.health.at_least(number)) >= RARE
        ]
        return {
            "means": [(step, f"{float(mean):.2f}") for step, mean in means],
            "destroyed": percent(done.destroyed),
            "rows": rows,
        }

    def _losses(self) -> Losses:
        effects = self.effects("a") | self.effects("b")
        skill, added, odds = self.cleaned_data.get("a-skill"), self.added("a"), self.odds
        return losses(
            Volley(
                models=self.number("a-models"),
                attacks=self.number("a-attacks"),
                hit=roll_to_shoot(self.number("a-aim"), added)
                if skill is None
                else roll_in_melee(odds, skill, self.number("b-defence"), added, effects),
                wound=needed_of(
                    self.number("a-strength") - self.number("b-resilience"), odds.to_wound
                ),
                armour=roll_to_save(self.number("b-armour"), self.number("a-penetration")),
                aegis=self.number("b-aegis") or NO_SAVE,
                fortitude=self.number("b-fortitude") or NO_SAVE,
                wounds=self.number("a-wounds"),
                health=self.number("b-health"),
                targets=self.number("b-models"),
                effects=effects,
            )
        )


#: The form of each kind of dice.
FORMS: dict[str, type[OddsForm]] = {"opposed": OpposedForm, "attacks": AttacksForm}
