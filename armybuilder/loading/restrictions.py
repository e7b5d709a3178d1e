"""Restrictions in names: "Sword (only on foot)", "Ring - Wizards only".

No verdict reads names: a restriction is checked only if the book also has it as a condition, and
reported only if the book lists it as unchecked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from armybuilder.loading.options import node_id

Node = Mapping[str, Any]

#: The longest name that is looked at: nobody's book has a longer one.
_LONGEST = 200

#: The text after a dash; hyphens inside words don't count.
_DASH = re.compile(r"\s+[-–—]+\s*|[-–—]+\s+")
_AROUND = " .,;:"
_BRACKETS = {"(": ")", "[": "]"}

#: Words that state who may have something, in the languages that players write books in: turns of
#: phrase, which no list of words could hold.
_STATES = re.compile(
    r"""
      ^(?:only|nur|seulement|uniquement)\b
    | \b(?:only|seulement|uniquement)\W*$
    | \b(?:seulement|uniquement)\s(?:à|sur|pour|par|avec|si|dans|en|comme)\b
    | \bpas\s(?:sur|pour|avec|si|dans|en|permis|autorisé|combinable)\b
    | \bne\s(?:peut|peuvent|doit|doivent)\s(?:pas|jamais|être|avoir|prendre)\b
    | \b(?:only|nur)\s(?:on|for|by|with|if|in|when|as|available|models?|units?
                        |auf|für|mit|bei|wenn|zu|im|in|als)\b
    | \b(?:not|never|nicht|nie)\s(?:on|for|by|with|if|in|when|to|allowed|available
                                    |together|combined
                                    |auf|für|mit|bei|wenn|zu|im|zusammen|erlaubt|von)\b
    | \b(?:can\s?not|can['’]t|may\snot|must\snot|must|may\sonly)\s
      (?:be\s(?:taken|given|chosen|bought|used|worn|carried|combined|upgraded|put|on|in|the|an?
             |mounted|general|bsb)
       |take|have|carry|wear|ride|use|choose|include)\b
    | \b(?:kann|darf|muss)\s(?:nicht|nur|nie)\b
    | \b(?:requires?|needs?|required|benötigt|braucht|erfordert|nécessite|exige)\b
      (?!\s(?:an?\s)?\d\+)
    | \b(?:unless|except|excluding|außer|ausgenommen|sauf|excepté)\b
    | \b(?:restricted|limited)\sto\b
    | \b(?:one|once|\d+|max\.?|eine?r?|einmal|une?|une\sfois)\W.{0,12}
      \b(?:per|pro|in\sthe|in\sder|par)\s(?:army|armee|armée)\b
    """,
    re.X | re.I,
)
#: Words about how something works on the table, not about who may have it.
_AT_THE_TABLE = re.compile(
    r"""
      \b(?:one|single|first|1)[\s-](?:use|time|turn|round|charge|attack|shot)\b
    | \b(?:once|einmal|une\sfois)\b(?!\s(?:per|pro|in\sthe|in\sder|par)\s(?:army|armee|armée))
    | \b(?:against|versus|vs|gegen|contre)\b
    | \b(?:per|each|pro|je|par)\s
      (?:game|battle|turn|round|phase|spiel|schlacht|zug|runde|partie|bataille|tour)\b
    | \b(?:turns?|rounds?|phases?|runden?|phasen?|züge?|tours?)\b
    | \b(?:charge[sd]?|charging|attacks?|attacking|attacked|angriffe?)\b
    | \b(?:close\scombat|melee|nahkampf|beschuss|corps\sà\scorps|tir)\W*
      (?:only|seulement)?\W*$
    """,
    re.X | re.I,
)


@dataclass(frozen=True, slots=True)
class NamedRestriction:
    """The `words` of a name that restrict it, and the id of its unit, "" for a shared one."""

    unit: str
    name: str
    words: str


def stated_restriction(name: str) -> str:
    """Return the restriction in a name: "only on foot" of "Sword (only on foot)", or "".

    It is in brackets or after a dash, or ends with "only": "Lion's Only Heir" is a name.
    """
    outside, parts = _taken_apart(name[:_LONGEST])
    first, *behind = _DASH.split(outside)
    for part in (*parts, *behind):
        if _STATES.search(part) and not _AT_THE_TABLE.search(part):
            return part.strip(_AROUND)
    last = re.split(r"[,;:]\s", first)[-1].strip(_AROUND)
    ends = re.search(r"\sonly\W*$", last, re.I)
    return last if ends and not _AT_THE_TABLE.search(last) else ""


def _taken_apart(name: str) -> tuple[str, list[str]]:
    """Return the part of a name outside brackets, and the text in each bracket, inner ones too."""
    outside = ""
    inside: list[str] = []
    ends: list[str] = []
    for letter in name:
        if ends and letter == ends[-1]:
            ends.pop()
            inside[-1] += letter if ends else ""
        elif letter in _BRACKETS:
            inside += [] if ends else [""]
            inside[-1] += letter if ends else ""
            ends.append(_BRACKETS[letter])
        elif ends:
            inside[-1] += letter
        else:
            outside += letter
            continue
        outside += " "
    return outside, inside


def named_restrictions(book: Mapping[str, Any]) -> Iterator[NamedRestriction]:
    """Yield options and groups whose names restrict them, and nothing else in the book does.

    No condition or unchecked entry on or around them, or where they are used, can be meant.
    """
    # Shared nodes that have a condition at every use.
    uses: dict[str, bool] = {}
    for owner in (*book.get("units", ()), *book.get("options", ())):
        for name, is_bound in _uses(owner.get("options", ()), False):
            uses[name] = uses.get(name, True) and is_bound
    bound = {name for name, is_bound in uses.items() if is_bound}
    for node in book.get("options", ()):
        if node_id(node) not in bound:
            yield from _named((node,), "")
    for unit in book.get("units", ()):
        yield from _named(unit.get("options", ()), unit.get("id", ""))


def _named(nodes: Iterable[Node], unit: str) -> Iterator[NamedRestriction]:
    for node in nodes:
        if _conditioned(node):
            continue
        if words := stated_restriction(node.get("name", "")):
            yield NamedRestriction(unit, node["name"], words)
        yield from _named(node.get("options", ()), unit)


def _conditioned(node: Node) -> bool:
    """Return whether a node has a condition or unchecked restriction that its source supports."""
    told = any(entry["why"] != "source" for entry in node.get("unchecked", ()))
    return bool(node.get("needs") or node.get("not_with") or told)


def restrictions_on(book: Mapping[str, Any], unit: Node) -> list[NamedRestriction]:
    """Return the same as `named_restrictions` for one unit: its own and shared options."""
    shared = {node_id(node): node for node in book.get("options", ())}
    used: dict[str, Node] = {}
    ahead = [unit]
    while ahead:
        for name, _bound in _uses(ahead.pop().get("options", ()), False):
            if name in shared and name not in used:
                used[name] = shared[name]
                ahead.append(shared[name])
    return list(named_restrictions({"options": list(used.values()), "units": [unit]}))


def _uses(nodes: Iterable[Node], bound: bool) -> Iterator[tuple[str, bool]]:
    for node in nodes:
        here = bound or _conditioned(node)
        if "use" in node:
            yield node["use"], here
        yield from _uses(node.get("options", ()), here)
