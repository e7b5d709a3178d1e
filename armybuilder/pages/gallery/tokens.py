"""The design's colours from its style sheet, and the contrast of each text on each ground."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

TOKENS = Path(__file__).parents[2] / "static" / "armybuilder" / "css" / "tokens.css"
SCHEMES = ("light", "dark")

#: What text needs at least (WCAG 2.2, 1.4.3), and what the edge of a field needs (1.4.11).
TEXT, EDGE = 4.5, 3.0

#: Grounds that any text may stand on.
GROUNDS = ("ground", "paper", "sunk")
#: Each colour of text or edges: the grounds it stands on, and the contrast it needs there.
USES: dict[str, tuple[tuple[str, ...], float]] = {
    "ink": (
        (*GROUNDS, "accent-ground", "ok-ground", "warn-ground", "bad-ground", "note-ground"),
        TEXT,
    ),
    "muted": ((*GROUNDS, "ok-ground", "warn-ground", "bad-ground", "note-ground"), TEXT),
    "accent": ((*GROUNDS, "accent-ground", "ok-ground", "warn-ground", "bad-ground"), TEXT),
    "on-accent": (("accent",), TEXT),
    "ok": ((*GROUNDS, "ok-ground"), TEXT),
    "warn": ((*GROUNDS, "warn-ground"), TEXT),
    "bad": ((*GROUNDS, "bad-ground"), TEXT),
    "note": ((*GROUNDS, "note-ground"), TEXT),
    "edge": (("ground", "paper"), EDGE),
}


class Pair(NamedTuple):
    """A colour on a ground in a scheme: the contrast it has, and the one it needs."""

    scheme: str
    colour: str
    ground: str
    contrast: float
    needs: float

    @property
    def enough(self) -> bool:
        """Whether it can be read."""
        return self.contrast >= self.needs


def colours(css: str) -> dict[str, dict[str, str]]:
    """The colours of a style sheet by scheme and name, as they are written: "#f3efe6"."""
    found = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", css)
    return {
        "light": {name: light for name, light, _ in found},
        "dark": {name: dark for name, _, dark in found},
    }


def sizes(css: str, kind: str) -> dict[str, str]:
    """The sizes of one kind by name: sizes(css, "text") holds "text-tiny": ".75rem"."""
    return dict(re.findall(rf"--({kind}-[\w-]+): ([^;]+);", css))


def contrast(one: str, other: str) -> float:
    """How far two colours stand apart, from 1 to 21, as WCAG measures it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def pairs(of: Mapping[str, Mapping[str, str]]) -> Iterator[Pair]:
    """Every pair that USES names, in every scheme of `of` (as `colours` gives it)."""
    for scheme, values in of.items():
        for colour, (grounds, needs) in USES.items():
            for ground in grounds:
                yield Pair(scheme, colour, ground, contrast(values[colour], values[ground]), needs)
