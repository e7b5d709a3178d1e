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
HEADING = "### With constraints"
ABOUT = (
    "Suggested fixes, filling and look-ahead use a solver. It gets the same rules as constraints."
    " We check random lists of every game in both ways: the broken rules must be the same. The"
    " lists are filled, changed at random, or made to break one rule. Some have custom models,"
    " filled-in cards, units of a second army book, 80 models and more, or unknown names. The"
    " solver decides some lists alone, and makes some itself. Warnings and notes are left out."
)
NOTE = (
    "No list of the shipped books of Chainmail 2001 can break `complete`: their cards leave nothing"
    " open. Rules that only define others, such as `categories`, or limit nothing are left out."
)


def section() -> Iterator[str]:
    """Return the section, line by line."""
    told = json.loads(DATA.read_text(encoding="utf-8"))
    yield from (HEADING, "", ABOUT, "")
    if told["so_far"]:
        yield f"**Part of the run: {told['so_far']} are done.**"
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
    yield f"Rules: commit {told['commit']}. {told['few']}".rstrip()
    yield (
        f"{told['often']} of {told['rules']} rules were broken at least {told['least']} times."
        f" The others, with how often: {', '.join(rare) or 'none'}. {NOTE}"
    )
    yield from (
        "",
        "    python -m tests.solving --skirmishes 100000 --armies 10000 --into FILE",
        "    python -m tests.solving --rare 2 --into FILE",
        "    python -m tests.solving --skirmishes 0 --armies 0 --solved 250 --made 250 --into FILE",
        "    python -m tests.solving.half_lists --lists 1000",
        "    python -m tests.solving.contradictions --lists 2000",
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
