"""Numbers on the line of a profile: how many models, and points of each or of all."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

#: Stand in a line for its statistics, and for what was taken out of it.
STAT, PART = "\x1e", "\x1f"
#: More models of a kind than this are points; so many are not where nothing else says it.
_MOST_MODELS, _MANY = 99, 20

_POINTS = r"(?:pts?\b\.?|points?\b|pkte?\b\.?|punkte?\b|p\.)"
_EACH = (
    r"(?:each\b|ea\b\.?|apiece\b|a\s+piece\b|per\s+(?:model|figure|fig|mini|man|head)\b"
    r"|/\s*(?:model|figure|fig|each|ea)\b)"
)
_LABEL = rf"(?:(?:{_POINTS}\s*)?(?:cost|price|value)|{_POINTS})\s*[:=]?\s*"


@dataclass
class StatedPrices:
    """What a line says: `models` 0 and points None are not told.

    `prices` are of each or of all; `counts` are numbers where either may stand.
    """

    models: int = 0
    each: int | None = None
    total: int | None = None
    prices: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def meant(self, cost: int | None) -> tuple[int, int | None]:
        """Return the models and the points of all of them; `cost`: those of one, None: unknown."""
        models, prices = self.models, list(self.prices)
        for number in self.counts:
            priced = prices or self.each is not None or self.total is not None
            few = number <= (_MOST_MODELS if priced else _MANY)
            if not models and few and (priced or number != cost):
                models = number
            else:
                prices.append(number)
        each, total = self.each, self.total
        if each is None and total is None and len(prices) > 1:
            each, total = sorted(prices[:2])
        elif each is None and total is not None and prices:
            each = prices[0]
        elif total is None and each is not None and prices:
            total = prices[0]
        elif each is None and total is None and prices:
            # Of each model, or of all: what is nearer to the truth.
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


def _set(*names: str) -> Callable[[StatedPrices, re.Match[str]], None]:
    """Return what keeps the numbers of a pattern under these names, in their order."""

    def keep(prices: StatedPrices, match: re.Match[str]) -> None:
        for name, digits in zip(names, filter(None, match.groups()), strict=True):
            held = getattr(prices, name)
            if isinstance(held, list):
                held.append(int(digits))
            elif not held:
                setattr(prices, name, int(digits))

    return keep


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.I | re.M)


#: Surest first; what one takes no other sees.
_NUMBERS = (
    # "4 x 23 = 92", "x4 @ 23 pts = 92"
    (
        _pattern(
            rf"x?\s?(?<!\d)(\d{{1,2}})\s*(?:x|×|@|at)\s*@?\s*(\d{{1,4}})\s*{_POINTS}?\s*{_EACH}?"
            rf"\s*=\s*(\d{{1,5}})\s*{_POINTS}?"
        ),
        _set("models", "each", "total"),
    ),
    # "[59] 118", "(15) = 45"
    (
        _pattern(
            rf"[\[(]\s*(\d{{1,4}})\s*{_POINTS}?\s*[\])]\s*=?\s*(\d{{1,5}})\s*{_POINTS}?(?=\W*$)"
        ),
        _set("each", "total"),
    ),
    (
        _pattern(rf"(?:@|\bà)\s*(?<!\d)(\d{{1,4}})(?!\d)\s*{_POINTS}?\s*{_EACH}?"),
        _set("each"),
    ),
    (
        _pattern(rf"(?:{_LABEL})?(?<![\d.])(\d{{1,4}})\s*{_POINTS}?\s*{_EACH}"),
        _set("each"),
    ),
    (_pattern(rf"\b{_EACH}\s*[:=]?\s*(\d{{1,4}})(?!\d)\s*{_POINTS}?"), _set("each")),
    (
        _pattern(rf"(?:=|\btot(?:al)?\b\.?:?|\bsum\b:?)\s*(\d{{1,5}})(?!\d)\s*{_POINTS}?"),
        _set("total"),
    ),
    (
        _pattern(
            rf"(?<![\d.])(\d{{1,5}})\s*{_POINTS}?\s*(?:in\s+)?(?:total\b|tot\b\.?|altogether\b)"
        ),
        _set("total"),
    ),
    (_pattern(rf"\b{_LABEL}(\d{{1,5}})(?!\d)\s*{_POINTS}?"), _set("prices")),
    (_pattern(rf"(?<![\d.])(\d{{1,5}})\s*-?\s*{_POINTS}"), _set("prices")),
    (
        _pattern(r"(?<![\w.])(?:[x×]\s?(\d{1,3})(?![\w/+])|(\d{1,3})\s?[x×](?![^\W_]))"),
        _set("models"),
    ),
    (
        _pattern(
            r"\b(?:number|no|qty|quantity|count|models?|figures?|minis)\s*[.:=]+\s*(\d{1,3})(?!\d)"
        ),
        _set("models"),
    ),
    (
        _pattern(r"(?<![\d.])(\d{1,3})\s*(?:models?|figures?|figs?|minis|miniatures)\b"),
        _set("models"),
    ),
    # "3 | 45" at the end of a line: the first may be models.
    (_pattern(r"(?<=[\s|,;])(\d{1,3})[\s|,;]+(\d{1,5})(?=\W*$)"), _set("counts", "prices")),
    (_pattern(r"(?:^|(?<=[\s,;:|\])=–—-]))(\d{1,5})(?=[.\s*|]*$)"), _set("prices")),
    # "95 - Odo", "3 Levies", "Levies (3) Q4", "Lancers 2 (4/4"
    (_pattern(r"\A\W{0,3}(\d{2,4})\s*[-–—:]\s*(?=\S)"), _set("prices")),
    (_pattern(r"\A\W{0,3}(\d{1,4})[\s\-–—:]+(?=[^\W\d]|[\"“'])"), _set("counts")),
    (_pattern(r"[\[(]\s*(\d{1,4})\s*[\])]"), _set("counts")),
    (_pattern(rf"(?<=[\s,;])(\d{{1,4}})(?=[\s,;:(\[{PART}–-]*{STAT})"), _set("counts")),
    (_pattern(rf"(?<=[\s,;])(\d{{2,4}})(?=[\s,;)\]]*{PART})"), _set("prices")),
)


def take_prices(text: str) -> tuple[str, StatedPrices]:
    """Return a line without the numbers that count models or points, and these."""
    prices = StatedPrices()
    for pattern, keep in _NUMBERS:
        for match in pattern.finditer(text):
            keep(prices, match)
        text = pattern.sub(PART, text)
    return text, prices
