"""What came of judging random lists in both ways: the section of docs/truth.md.

`python -m tests.solving --report --into FILE --record COMMIT` writes the numbers of a run beside
this file and puts the section into the page.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "truth.md"
DATA = Path(__file__).with_name("figures.json")
HEADING = "## Judged in two ways"
ABOUT = (
    "What repairs a list, fills it or looks ahead does not judge lists: every rule says a second"
    " time, as constraints, what it demands of all lists that may be. Random lists of every game"
    " are judged by both, and the two must name the same broken rules: lists that were filled,"
    " changed by chance or aimed at one rule, with own models, cards filled in, units of a second"
    " army book, units of 80 models and more, and names that nobody knows. Lists that begin alike"
    " are points in one space, whose constraints are made once and asked of each of them; units"
    " that are new in it may take the options that one of these lists takes. Two of 250 lists are"
    " asked of constraints made for each alone too. Of some lists the solver alone decides, and"
    " some it makes, by aims of chance. Warnings and notes are no part of this."
)
NOTE = (
    "No list of the shipped books can break `complete` in Chainmail 2001, whose cards leave nothing"
    " open. What only makes rules, such as `categories`, and what bounds nothing is not counted."
)


def section() -> Iterator[str]:
    """Return the section, line by line."""
    told = json.loads(DATA.read_text(encoding="utf-8"))
    yield from (HEADING, "", ABOUT, "")
    if told["so_far"]:
        yield f"**These are the numbers of a part of the run: {told['so_far']} are done.**"
        yield ""
    yield "| What | Lists asked for | Done | Legal | Disagree |"
    yield "|---|---:|---:|---:|---:|"
    for row in told["ways"]:
        yield (
            f"| {row['what']} | {row['planned']:,} | {row['lists']:,} | {row['legal']:,} |"
            f" {row['wrong']:,} |"
        )
    rare = [f"`{rule}` {number}" for rule, number in told["rare"].items()]
    yield ""
    yield f"The rules are those of commit {told['commit']}. {told['few']}".rstrip()
    yield (
        f"{told['often']} of {told['rules']} rules were broken at least {told['least']} times."
        f" The others, with how often: {', '.join(rare) or 'none'}. {NOTE}"
    )
    yield from (
        "",
        "    python -m tests.solving --skirmishes 100000 --armies 10000 --into FILE",
        "    python -m tests.solving --rare 2 --into FILE",
        "    python -m tests.solving --skirmishes 0 --armies 0 --solved 250 --made 250 --into FILE",
        "",
    )


def record(told: Mapping[str, Any]) -> None:
    """Write the numbers, and the section where it stands in the page, or after the armies."""
    DATA.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    start = page.find(HEADING)
    following = page.find("\n## ", start) + 1 if start >= 0 else page.index("## What nobody")
    before = page[: start if start >= 0 else following]
    PAGE.write_text(before + "\n".join(section()) + "\n" + page[following:], encoding="utf-8")
