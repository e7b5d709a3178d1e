"""What the gallery shows: findings of every severity, and lists that no database holds."""

from dataclasses import replace
from uuid import UUID

from armybuilder.advice.answers import Culprit, FindingView, Remedy
from armybuilder.editing.book_edits import example_document
from armybuilder.engine.catalogue import System
from armybuilder.engine.findings import RuleHead
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading import armylist
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import Library, shipped_library
from armybuilder.pages.builder.page import BuilderPage

#: A list that nobody has.
NOBODYS = UUID(int=0)

SENTENCES = {
    "error": "The list costs 159 points: 89 over the 70 agreed.",
    "warning": "The Captain gives no orders: nobody else stands in the list.",
    "note": "The points of the Stranger are not known: fill them in from your card.",
}


def tellings(rule: RuleHead) -> list[FindingView]:
    """A finding of each severity, with everything a finding can have."""
    answers = (
        Remedy("Remove 5 × Knuckle Alley Bruiser (25 points)", {}),
        Remedy("Remove the Captain", {}),
    )
    culprits = (Culprit("u1", "Captain"), Culprit("u2", "Knuckle Alley Bruiser"))
    return [
        FindingView(
            id=f"rule-{severity}",
            severity=severity,
            sentence=sentence,
            by="89 over" if severity == "error" else "",
            rule=rule,
            citation="Rulebook 101",
            own=False,
            place=None,
            culprits=culprits,
            answers=answers if severity == "error" else answers[1:],
        )
        for severity, sentence in SENTENCES.items()
    ]


def a_rule() -> RuleHead:
    """The head of some shipped rule, with its reading where one has a reading."""
    heads = [rule.head for system in systems() for rule in system.rules]
    return next((head for head in heads if head.reading), heads[0])


def systems() -> list[System]:
    """The shipped games, by name."""
    return list(shipped_library().systems.values())


def page(system: System, broken: bool, opened: str = "") -> BuilderPage:
    """A page of the game's largest example; `broken`: for half the points it costs."""
    library = shipped_library()
    document = _document(system, broken, library)
    army_list = ArmyList(id=NOBODYS, number=2, latest=3)
    version = Version(pk=0, army_list=army_list, number=2, document=document, act="Added a unit.")
    names = [unit.id for unit in document.units]
    return BuilderPage(version, library, opened if opened in names else "")


def _document(system: System, broken: bool, library: Library) -> armylist.ArmyList:
    examples = shipped_examples().by_system.get(system.id, ())
    if not examples:
        return armylist.ArmyList(system.id, (), "", 1)
    example = examples[-1]
    document = example_document(example, library)
    return replace(document, limit=max(1, example.points // 2)) if broken else document
