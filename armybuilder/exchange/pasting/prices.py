"""Numbers on the line of a profile: how many models, and points of each or of all."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from armybuilder.exchange.pasting.parts import shape

#: Stand in a line for its statistics, and for what was taken out of it.
STAT, PART = "\x1e", "\x1f"
#: A number of models above this is one of points, if nothing else decides.
_MOST_MODELS, _MANY = 99, 20


@dataclass
class StatedPrices:
    """Numbers of a line: `models` 0 and points None are not given.

    `prices` are of each or of all; of a `pair` either may be the models; `counts` are numbers of
    either kind, of models only with points beside them unless they are `counted`.
    """

    models: int = 0
    each: int | None = None
    total: int | None = None
    prices: list[int] = field(default_factory=list)
    pair: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    counted: bool = True

    @property
    def priced(self) -> bool:
        """Return whether a number is given that can only be points."""
        return bool(self.prices) or self.each is not None or self.total is not None

    def meant(self, cost: int | None) -> tuple[int, int | None]:
        """Return the models and the points of all of them; `cost`: those of one, None: unknown."""
        models, prices, each = self.models, list(self.prices), self.each
        if self.pair:  # "4 x 23 = 92", "23 x 4 = 92"
            models = models if models in self.pair else self.pair[self.pair[0] == cost]
            each = (self.total or 0) // max(models, 1)
        for number in self.counts:
            priced = self.priced or bool(prices)
            few = number <= (_MOST_MODELS if priced and self.total != cost else _MANY)
            if not models and few and (priced or (self.counted and number != cost)):
                models = number
            else:
                prices.append(number)
        total = self.total
        if each is None and total is None and len(prices) > 1:
            each, total = sorted(prices[:2])
        elif each is None and total is not None and prices and total != cost:
            each = prices[0]
        elif each is None and models > 1 and total is not None and total == cost:  # "=15 x5"
            each, total = total, None
        elif total is None and each is not None and prices:
            total = prices[0]
        elif each is None and total is None and prices:
            # Of each model, or of all: the one nearer to the truth.
            price, several = prices[0], max(models, 1)
            if cost is not None and abs(price - cost) * several < abs(price - cost * several):
                each = price
            else:
                total = price
        if not models and each and total and total % each == 0 and total // each <= _MOST_MODELS:
            models = total // each
        models = max(models, 1)
        if each is not None and (total is None or (cost and total == cost * models)):
            total = each * models
        return models, total

    def excludes(self, numbers: Sequence[int]) -> bool:
        """Return whether the last number can't be a price, given the others."""
        prices = [*self.prices, *filter(None, (self.each, self.total))]
        number = numbers[-1]
        return bool(prices) and all(max(number, one) % (min(number, one) or 1) for one in prices)

    def keep(self, name: str, number: int) -> None:
        """Keep a number by its name; of repeated ones the first counts."""
        held = getattr(self, name)
        if isinstance(held, list):
            held.append(number)
        elif not held:
            setattr(self, name, number)


#: How counts, prices of one model, and prices of all are written; surest first, for what one shape
#: takes no other sees. Each number is kept by its name.
_NUMBERS = tuple(
    (shape(text, re.I | re.M), names.split())
    for names, text in (
        # "23 x4 = 92"; "4 x 23 = 92", "x4 @ 23 pts = 92"
        ("each models total", r"(?<![\d.])(\d{1,4})\s*<points>?\s+<x>(\d{1,2})\s*=\s*<price>"),
        (
            "pair pair total",
            r"x?\s?(?<!\d)(\d{1,2})\s*(?:<x>|@|at)\s*@?\s*<price>\s*<each>?\s*=\s*<price>",
        ),
        # "[59] 118", "(15) = 45"
        ("each total", r"<open>\s*<price>\s*<close>\s*=?\s*<price>(?=\W*$)"),
        ("models each", r"(?<![\d.+])(\d{1,2})\s*(?:@|\bà)\s*<price>(?!\d)\s*<each>?"),
        ("each", r"(?:@|\bà)\s*(?<!\d)<price>(?!\d)\s*<each>?"),
        ("each", r"(?:<label>)?(?<![\d.])<price>\s*<each>"),
        ("each", r"\b<each>\s*[:=]?\s*<price>(?!\d)"),
        ("total", r"(?:=|\btot(?:al)?\b\.?:?|\bsum\b:?)\s*<price>(?!\d)"),
        ("total", r"(?<![\d.])<price>\s*(?:in\s+)?(?:total\b|tot\b\.?|altogether\b)"),
        ("prices", r"\b<label><price>(?!\d)"),
        ("prices", r"(?<![\d.])(\d{1,5})\s*-?\s*<points>"),
        ("models", r"(?<![\w.])(?:(?:<x>|\*)\s?(\d{1,3})(?![\w/+])|(\d{1,3})\s?<x>(?![^\W_]))"),
        # "(2 of these)"
        ("models", r"(?<![\d.])(\d{1,3})\s+(?:of\s+)?(?:these|them)\b"),
        ("models", r"\b(?:number|no|qty|quantity|count|<model>)\s*[.:=]+\s*(\d{1,3})(?!\d)"),
        ("models", r"(?<![\d.])(\d{1,3})\s*<model>\b"),
        # "3 | 45" at the end of a line: the first may be models.
        ("counts prices", r"(?<=[\s|,;])(\d{1,3})[\s|;]+(\d{1,5})(?=\W*$)"),
        ("counts prices", r"(?<=[|,;]\s)(\d{1,3}),\s*(\d{1,5})(?=\W*$)"),
        ("prices", r"(?:^|(?<=[\s,;:|\])=–—-]))(\d{1,5})(?=[.\s*|]*$)"),
        # "Odo (Leader; Q3, C3; 66)"
        ("prices", r"(?<=[,;]\s)(\d{2,4})(?=\s*<close>\W*$)"),
        # "95 - Odo", "3 Levies", "Levies (3) Q4", "Lancers 2 (4/4"
        ("prices", r"\A\W{0,3}(\d{2,4})\s*(?:<dash>|:)\s*(?=\S)"),
        ("counts", r"\A\W{0,3}(\d{1,4})[\s\-–—:]+(?=<letter>|[\"“'])"),
        ("counts", r"<open>\s*(\d{1,4})\s*<close>"),
        ("counts", rf"(?<=[\s,;])(\d{{1,4}})(?=[\s,;:(\[{PART}–-]*{STAT})"),
        ("prices", rf"(?<=[\s,;])(\d{{2,4}})(?=[\s,;()\[\]]*{PART})"),
    )
)


def counts_models(texts: Iterable[StatedPrices]) -> bool:
    """Return whether numbers alone may count models: none of a text is too large for that."""
    alone = [prices.counts for prices in texts if prices.counts and not prices.priced]
    return all(counts[0] <= _MANY for counts in alone)


def take_prices(text: str) -> tuple[str, StatedPrices]:
    """Return a line without the numbers that count models or points, and these."""
    prices = StatedPrices()

    def take(names: list[str], match: re.Match[str]) -> str:
        numbers = [int(digits) for digits in match.groups() if digits]
        before = match.string[: match.start()].rstrip()[-1:]
        if names == ["prices"] and before.islower() and prices.excludes(numbers):
            return match[0]  # "60 pts, bought in 1994"
        for name, number in zip(names, numbers, strict=True):
            prices.keep(name, number)
        return PART

    for pattern, names in _NUMBERS:
        text = pattern.sub(partial(take, names), text)
    return text, prices
