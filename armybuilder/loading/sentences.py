"""Checks of a system's sentences: each code has one, unless its kind of rule brings its own, and it
names only what its rules can tell.
"""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.sentences import COMMON, COUNTED, TEMPLATES
from armybuilder.engine.wording import listed, say
from armybuilder.loading.references import Complaint, complaint

#: Where a rule says under which code something is told: itself, or in an object of its own.
_CODES = ("code", "under")
_INNER = ("choose", "open")
#: Numbers that a template may count with a noun: "{points:measured}".
_NUMBERS = ("measured", "allowed", "by")


def sentence_problems(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """Yield what is wrong with the sentences of a system file that has passed the schema."""
    sentences: Mapping[str, str] = data.get("sentences", {})
    own, shared = (_by_code(table) for table in (sentences, TEMPLATES))
    kinds: dict[str, set[str]] = {}
    for number, rule in enumerate(data["rules"]):
        for path, code in _codes(rule):
            kinds.setdefault(code, set()).add(rule["kind"])
            where = ("rules", number, *path)
            if code not in own and code not in shared and not rule_kinds()[rule["kind"]].plain:
                message = say("There is no sentence for “{code}”.", code=code)
                advice = say("Add it to {table}.", table="sentences")
                yield complaint(where, message, advice)
            elif code not in own:
                for key in shared.get(code, ()):
                    yield from _template(TEMPLATES[key], {rule["kind"]}, where)
    for key, template in sentences.items():
        code = key.partition(" ")[0]
        if code in kinds:
            yield from _template(template, kinds[code], ("sentences", key))
        elif "extends" not in data:
            message = say("No rule has the code “{code}”.", code=code)
            yield complaint(("sentences", key), message, say("Fix the spelling."))


def _by_code(sentences: Mapping[str, str]) -> dict[str, list[str]]:
    """The keys of sentences by their code. Those that name a rule of the engine's own are none."""
    found: dict[str, list[str]] = {}
    for key in sentences:
        code, _, what = key.partition(" ")
        if not what.startswith("unknown"):
            found.setdefault(code, []).append(key)
    return found


def _codes(rule: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield (path, code) of all codes of a rule."""
    for key in _CODES:
        if key in rule:
            yield (key,), rule[key]
    for key in _INNER:
        if key in rule:
            yield (key, "code"), rule[key]["code"]


def _template(template: str, kinds: set[str], path: tuple[object, ...]) -> Iterator[Complaint]:
    names = COMMON.union(*(rule_kinds()[kind].says for kind in kinds))
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        message = say("A brace is not closed, or not opened.")
        yield complaint(path, message, say("Values stand in braces, each by its name."))
        return
    for _, name, spec, _ in parsed:
        if name is not None and name not in names:
            message = say("A sentence of this rule has no value “{name}”.", name=name)
            advice = say("It has {names}.", names=listed(sorted(names)))
            yield complaint(path, message, advice)
        elif name in COUNTED and spec not in _NUMBERS:
            message = say("“{name}” counts a number.", name=name)
            advice = say("Write one of {names} after it.", names=listed(_NUMBERS))
            yield complaint(path, message, advice)
