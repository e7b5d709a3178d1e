"""Sentences and verdicts in words: one for every code, and one place where they are translated."""

import json
import re
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Finding, Severity, validate
from armybuilder.engine.citations import Citation, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.sentences import COMMON, TEMPLATES, counted, sentence, template_keys
from armybuilder.engine.verdict import Counts, counts_of, verdict_sentence, verdict_words
from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue, shipped_library
from tests.building.tiny import (
    book_data,
    catalogue,
    document,
    game,
    judge,
    roster,
    rule,
    shipped_sentences,
    system_data,
    take,
    titled,
    unit,
)
from tests.engine.tables import judged, listed, said
from tests.golden.adapter import catalogue_of, oz_catalogue

OWN_CARDS = Path(__file__).parents[1] / "golden" / "own" / "own-chainmail-2002.json"


def practised(system: str, books: list[str], *lists: str) -> list[Finding]:
    """Findings of lists of shipped books, the units by their names in the first of them."""
    catalogue = shipped_library().catalogue(system, books)
    named = (re.sub(r"(^|, )(?=[a-z-]+(,| |$))", rf"\1{books[0]}/", text) for text in lists)
    return [found for text in named for found in judged(catalogue, text).findings]


def chainmail() -> list[Finding]:
    """Findings of bad lists of Chainmail 2002."""
    cases = json.loads(OWN_CARDS.read_text(encoding="utf-8"))
    cases["models"]["ripper"]["name"] = "Rend"  # a name that shipped files have
    own = list(judged(catalogue_of(cases), "golden/ripper").findings)
    return own + practised(
        "chainmail-2002", ["practice", "known-cards"],
        "", "sunhill-chaplain, bonegnaw-raider 9, gatehouse-recruit 2",
        "embalmer-voskeh, gatehouse-recruit, rattlebone-levy 99",
        "foundry-reeve-haldra, captain-of-the-silver-reed reserve",
        "foundry-reeve-haldra, captain-of-the-silver-reed",
        "millbrook-spearhand, bonegnaw-raider 2 reserve", "known-cards/human-warrior",
        "| terrain=web+web+hall-of-good+hall-of-evil",
    )  # fmt: skip


def songs() -> list[Finding]:
    """Findings of a bad list of Song of Blades and Heroes."""
    abilities = "", "leader hero", "swarm", "animal", "rabble", "unerring-aim", "lethal lethal"
    abilities += "big huge", "heavy-armor stealth"

    def own(name: str, quality: int, combat: int, models: int, *uses: dict[str, str]) -> Any:
        stats = {"quality": quality, "combat": combat}
        return {"profile": {"name": name, "stats": stats, "abilities": [*uses]}, "models": models}

    units = [
        own(f"Model {number}", 3 if number else 1, 6, 20 if names == "animal" else 1,
            *({"ability": name} for name in names.split()))
        for number, names in enumerate(abilities)
    ]  # fmt: skip
    hunter = own("Hunter", 3, 3, 1, {"ability": "lethal", "target": "Lethal models"})
    return list(judge(shipped_library().catalogue("sbh", []), *units, hunter).findings)


def creatures() -> list[Finding]:
    """Findings of bad lists of D&D Miniatures 2008, of creatures made up for it."""
    system = shipped_library().system("ddm-2008").apart()
    standard: dict[str, Any] = {"size": "medium", "alignment": "unaligned", "card": "standard"}

    def creature(unit_id: str, points: int = 10, faction: str = "wild", **more: Any) -> Any:
        attributes = {**standard, "faction": faction}
        attributes |= {key: more.pop(key) for key in standard if key in more}
        return unit(unit_id, points, attributes=attributes, **more)

    made, problems = build_book(
        book_data(
            creature("wolf"),
            creature("rat", faction="underdark"),
            creature("saint", alignment="good", unique="Ann", card="epic"),
            creature("saint-ann", alignment="good", unique="Ann", owned=0, suggested=True),
            creature("fiend", 199, alignment="evil", size="huge"),
            creature("hero", abilities=[{"ability": "champion", "rating": None}]),
            system=system.id,
        ),
        system,
        "book.json",
    )
    assert made is not None, problems
    books = make_catalogue(system, [made])
    every = [take(unit_id.split("/")[1]) for unit_id in made.units]
    sealed = {"game": "sealed", "scenario": "bounty", "pool": ["book/wolf"]}
    lists: list[tuple[int, list[Any], dict[str, Any]]] = [
        (200, [], {}),
        (200, [*every, take("wolf", 9)], {"faction": "wild", "map": "crossroads"}),
        (75, [take("wolf", 2)], {"map": "flooded-ruins", "scenario": "uncontested-bounty"}),
        (100, [take("wolf", 2), take("saint")], sealed),
        (200, [take("wolf")], {"game": "sealed"}),
    ]
    return [
        found
        for limit, entries, chosen in lists
        for found in judge(books, *entries, limit=limit, **chosen).findings
    ]


def starter() -> list[Finding]:
    """Findings of bad lists of the Basic rules of Chainmail 2001."""
    return practised("chainmail-2001-basic", ["practice"], "bonegnaw-raider 9, gatehouse-recruit 9")


def strangers() -> list[Finding]:
    """Findings about what nobody knows, and of the kinds that no shipped rule has."""
    low = rule("limit", "points.under", count="points", min="limit")
    tiny = catalogue(system_data(low, own_models=True), book_data(unit("soldier")))
    flight = [{"ability": "flight"}]
    profile = {"name": "Me", "stats": {"nerve": 1, "speed": 2}, "abilities": flight}
    entries = [*listed("gone, soldier king +hat"), {"profile": profile, "models": 1}]
    found = list(judge(tiny, *entries, weather="rain").findings)
    other = game()
    lost = roster(document(take("soldier"), books=["book", "lost"]), other)
    return found + list(validate(lost, other).findings)


def ninth_age() -> list[Finding]:
    """Findings of bad lists of The Ninth Age 2023, from the example book of the golden cases."""
    witch, path = "golden/wicked-witch", "+path-evocation"
    chariot = "+winged-monkey-chariot"
    lists = [
        "| limit=4500",
        f"{witch} general, {witch} general | limit=1000",
        f"{witch} general {path} +battle-standard-bearer +ruby-slippers,"
        f" {witch} {path} +ruby-slippers {chariot} +cursed-crown, {witch} {path} {chariot},"
        " golden/tin-men 14 +banner +shields +paired-weapons,"
        " golden/tin-men 51 +champion*2 +shields +shields | limit=4500",
        f"{witch} +burning-wand +ice-wand +witch-hat +cursed-crown | limit=4500",
    ]
    oz = oz_catalogue()
    return [each for text in lists for each in judged(oz, text).findings] + house_army()


COMMAND = ("champion", "musician")
SUITS = ("light-armour", "heavy-armour")


def house_army() -> list[Finding]:
    """Findings of a book with what the example book has not: bounds in number, two books."""
    system = shipped_library().system("t9a-2023")
    categories = [titled("characters"), titled("core", min_units=2), titled("aves", max_units=1)]
    options = [
        titled("rune", item="weapon-enchantment", on=["hand-weapon", "axe"]),
        titled("icon", item="banner-enchantment"),
        titled("gilding", item="armour-enchantment", number=[0, 2]),
        *map(titled, ("axe", *SUITS, *COMMAND)),
    ]
    must = unit("idol", 50, categories=["core"], army_min=1)
    bearer = titled("battle-standard-bearer")
    chief = unit("chief", 50, categories=["characters"], sparse=True, options=[bearer])
    tyrant = unit("tyrant", 50, categories=["characters"], must_lead=True)
    bird = unit("bird", 50, categories=["aves"], options=options)
    made = [
        build_book({**data, "system": system.id}, system, "book.json")[0]
        for data in (
            book_data(must, bird, chief, tyrant, categories=categories),
            book_data(unit("soldier"), id="book-2", name="Other"),
        )
    ]
    books = make_catalogue(system, [book for book in made if book is not None])
    assert len(books.books) == 2
    picks = [{"id": name} for name in ("rune", "axe", "icon", *SUITS, *COMMAND)]
    bearers = [take("chief", options=[{"id": bearer["id"]}])] * 2
    birds = [take("bird", options=[*picks, {"id": "gilding", "number": 2}]), take("bird")]
    entries = [*birds, take("chief", 1, "general"), *bearers, take("tyrant")]
    return list(judge(books, *entries, take("book-2/soldier")).findings)


@pytest.fixture(scope="module")
def findings() -> dict[str, list[Finding]]:
    by_code: dict[str, list[Finding]] = {}
    for found in [*chainmail(), *songs(), *strangers(), *ninth_age(), *creatures(), *starter()]:
        for key in dict.fromkeys(template_keys(found)):
            by_code.setdefault(key, []).append(found)
    return by_code


@pytest.mark.parametrize("code", sorted({**TEMPLATES, **shipped_sentences()}))
def test_every_template_is_filled_by_a_real_finding(
    code: str, findings: dict[str, list[Finding]]
) -> None:
    assert code in findings, f"no list here breaks {code}: add one"
    for found in findings[code]:
        text = sentence(found)
        assert not set("{}") & set(text), text
        assert "None" not in text, text
        assert text.endswith("."), text


def test_findings_carry_only_what_their_kind_says(findings: dict[str, list[Finding]]) -> None:
    """The loader checks the sentences of games by it."""
    for found in chain(*findings.values()):
        # What a code tells several things by is named in no sentence.
        assert set(found.values) - {"count"} <= found.rule.says | COMMON, found


HEAD = RuleHead(
    "a", "/rules/0", 0, "house.rule", Severity.ERROR, Citation("Tiny", "1"), "At most two hats."
)


def test_games_and_rules_can_word_their_own_sentences() -> None:
    # A game may say its own of a shared code.
    over = rule("limit", "points.over", count="points", max=0)
    tiny = catalogue(
        system_data(over, sentences={"points.over": "Too dear by {by}."}),
        book_data(unit("soldier")),
    )
    (found,) = judge(tiny, take("soldier")).findings
    assert sentence(found) == "Too dear by 5."
    # A code without a template is said with the rules summary.
    assert sentence(Finding(Rule(HEAD), HEAD)) == "At most two hats."
    assert (
        sentence(Finding(Rule(HEAD), HEAD, measured=3, allowed=2))
        == "At most two hats. This list: 3; allowed: 2."
    )
    # The line up is named where only one fails.
    assert (
        sentence(Finding(Rule(HEAD), HEAD, lineup="without the reserve"))
        == "Without the reserve: At most two hats."
    )
    # One is counted in the singular.
    assert counted(1, "points") == "1 point"
    assert counted(0, "models") == "0 models"
    assert counted(2, "pieces") == "2 pieces"


@pytest.mark.parametrize(("limits", "text", "told"), [
    (rule("limit", "points.over", count="points", max="limit"), "soldier 2 | limit=9",
     "The list costs 10 points: 1 over the limit of 9."),
    (rule("limit", "points.over", count="points", max="limit"), "soldier 2 | limit=1",
     "The list costs 10 points: 9 over the limit of 1."),
    (rule("limit", "untrained.cross-faction", count="models", max=0), "soldier",
     "1 model with Untrained Troop is not of the warband’s faction."),
    (rule("limit", "untrained.cross-faction", count="models", max=0), "soldier 2",
     "2 models with Untrained Troop are not of the warband’s faction."),
])  # fmt: skip
def test_verbs_follow_the_number_and_points_over_the_limit_say_by_how_many(
    limits: Any, text: str, told: str
) -> None:
    assert said(judged(game(limits), text)) == told


@pytest.mark.parametrize(("models", "bound"), [(1, "at least 2"), (4, "at most 3")])
def test_a_finding_names_the_bound_that_was_passed(models: int, bound: str) -> None:
    catalogue = game(rule("limit", "terrain.count", count="models", min=2, max=3))
    report = judge(catalogue, take("soldier", models))
    assert bound in sentence(report.findings[0])


def test_names_and_words_of_players_are_said_as_people_do() -> None:
    # Names are joined as people do and said once.
    hunter = unit("hunter", 5, "slayer: A", "slayer: B", "slayer: A")
    units = [unit("titan", 5, "big", "huge", "aim"), hunter]
    abilities = ["big", "huge", "aim", "slayer"]
    limit = rule("ability-limit", "specials.exclude", abilities=abilities, max=1)
    assert said(judged(game(limit, units=units), "titan, hunter")) == (
        "Titan: Big, Huge and Aim can’t be combined."
        " Hunter: Slayer (A) and Slayer (B) can’t be combined."
    )
    # Braces in a players own words stay as they are.
    report = judge(game(units=[unit("a", None)]), take("a", name="{measured} {unit}"))
    assert sentence(report.findings[0]) == "{measured} {unit}: fill in the points from your card."


@pytest.mark.parametrize(("counts", "short", "full"), [
    (Counts(0, 0, 0, 0), "Legal", "Legal"),
    (Counts(1, 0, 0, 0), "1 error", "Not legal: 1 error"),
    (Counts(1, 4, 2, 1), "1 error · 4 to do", "Not legal: 1 error, 4 to do"),
    (Counts(0, 4, 0, 0), "4 to do", "Not legal yet: 4 to do"),
    (Counts(0, 0, 2, 0), "Legal · 2 warnings", "Legal · 2 warnings"),
    (Counts(0, 0, 1, 2), "Legal, 2 restrictions not checked · 1 warning",
     "Legal, 2 restrictions not checked · 1 warning"),
])  # fmt: skip
def test_a_verdict_is_said_short_and_in_full(counts: Counts, short: str, full: str) -> None:
    assert (verdict_words(counts), verdict_sentence(counts)) == (short, full)


def test_findings_are_counted_by_severity_and_state() -> None:
    told = [("error", "missing"), ("error", "broken"), ("error", "missing"), ("note", "missing")]
    told += [("warning", "broken")]
    assert counts_of(told, 3) == Counts(broken=1, missing=2, warnings=1, unchecked=3)
