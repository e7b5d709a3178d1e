"""Sentences of packs for games from files: a rule of a pack as the words of a form, and back.

Rules name things by ids of the files; a form has their names, and finds all ids of a name. All are
pure functions of pack documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from armybuilder.authoring.packs import ids_in
from armybuilder.authoring.wording import free_id
from armybuilder.engine.wording import either, listed, marked, say
from armybuilder.loading.problems import Refusal

Data = Mapping[str, Any]
#: The ids of the things that the files call by a name.
Ids = Callable[[str], Iterable[str]]
#: Things that one sentence names.
MOST_NAMES: Final = 40


@dataclass(frozen=True, slots=True)
class FileSentence:
    """A rule as a form has it; `asks` is of `FILE_FORMS`, `summary` the organiser's own wording.

    `cost`, `of` and `barred` are of pairs of id and name: a kind of cost, the only catalogues or
    forces, and those not allowed. `names` are of units, options and categories.
    """

    asks: str
    least: int | None = None
    most: int | None = None
    cost: tuple[str, str] = ("", "")
    per_cent: bool = False
    of: tuple[tuple[str, str], ...] = ()
    barred: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()
    place: str = ""
    summary: str = ""


class FileForm(NamedTuple):
    """A kind of sentence: its label, the kind of rule, its `fields`, and those that it `needs`."""

    label: str
    kind: str
    fields: frozenset[str]
    needs: frozenset[str] = frozenset()


def _form(label: str, kind: str, fields: str, needs: str = "") -> FileForm:
    return FileForm(label, kind, frozenset(fields.split()), frozenset(needs.split()))


#: The kinds of sentences by key, in the order in which a form offers them.
FILE_FORMS: Mapping[str, FileForm] = {
    "none": _form(marked("Not allowed"), "count", "names", "names"),
    "cost": _form(marked("Limit of a cost"), "limit", "cost most least", "cost most"),
    "count": _form(marked("Maximum or minimum per list"), "count", "most least names", "names"),
    "spent": _form(
        marked("Costs of some units"), "spent", "cost per_cent most least names", "cost names"
    ),
    "each": _form(marked("Maximum of each unit"), "each", "most names", "most"),
    "only": _form(marked("Only some units"), "only", "names", "names"),
    "catalogues": _form(marked("Catalogues"), "catalogues", "of barred"),
    "forces": _form(marked("Forces"), "forces", "of barred most"),
    "by-hand": _form(marked("A rule that people check"), "by-hand", "", "summary"),
}


def sentence_of(rule: Data) -> FileSentence:
    """Return the sentence of a rule of a pack."""
    asks: str = "cost" if rule["kind"] == "limit" else rule["kind"]
    if asks == "count" and rule.get("max") == 0 and "min" not in rule:
        asks = "none"
    chosen = FILE_FORMS[asks].fields
    names = dict.fromkeys(one["name"] for one in rule.get("of", ()))
    cite = rule["cite"]
    return FileSentence(
        asks,
        rule.get("min"),
        None if asks == "none" else rule.get("max"),
        _pair(rule.get("cost", {"id": "", "name": ""})),
        rule.get("per_cent", False),
        tuple(map(_pair, rule.get("of", ()))) if "of" in chosen else (),
        tuple(map(_pair, rule.get("not", ()))),
        tuple(names) if "names" in chosen else (),
        cite if isinstance(cite, str) else cite["place"],
        rule["summary"],
    )


def _pair(named: Data) -> tuple[str, str]:
    return named["id"], named["name"]


def wording(sentence: FileSentence) -> str:
    """Return the text of a sentence in the reader's language."""
    texts = {
        "none": say("Not allowed: {what}."),
        "cost": _bounded(sentence, marked("Lists of at most {most} {cost}."),
                         marked("Lists of {least} to {most} {cost}."), ""),
        "count": _bounded(sentence, marked("At most {most} in a list: {what}."),
                          marked("{least} to {most} in a list: {what}."),
                          marked("At least {least} in a list: {what}.")),
        "spent": _bounded(sentence, marked("At most {most} {cost} for: {what}."),
                          marked("{least} to {most} {cost} for: {what}."),
                          marked("At least {least} {cost} for: {what}.")),
        "each": say("Each at most {most} times in a list: {what}."),
        "only": say("Only these units: {what}."),
    }  # fmt: skip
    cost = (
        say("% of the limit of {cost}", cost=sentence.cost[1])
        if sentence.per_cent
        else sentence.cost[1]
    )
    what = either(sentence.names) or say("all units")
    values = {"most": sentence.most, "least": sentence.least, "cost": cost, "what": what}
    text = texts.get(sentence.asks, "").format(**values).replace(" %", "%")
    return text or " ".join(_of_forces(sentence))


def _bounded(sentence: FileSentence, most: str, both: str, least: str) -> str:
    if sentence.least is None:
        return say(most)
    return say(least if sentence.most is None else both)


def _of_forces(sentence: FileSentence) -> Iterator[str]:
    """Yield the text of a sentence about catalogues or forces."""
    only, barred = (
        (say("Only these catalogues: {names}."), say("Not these catalogues: {names}."))
        if sentence.asks == "catalogues"
        else (say("Only these forces: {names}."), say("Not these forces: {names}."))
    )
    for text, pairs in ((only, sentence.of), (barred, sentence.barred)):
        if pairs:
            yield text.format(names=listed(name for _id, name in pairs))
    if sentence.most is not None:
        yield say("At most {number} forces.", number=sentence.most)


def with_rule(data: Data, sentence: FileSentence, ids: Ids, at: int | None = None) -> Data:
    """Return the pack with the rule of a sentence, in place of that of a number if there is one.

    Things that the rule named before keep their ids. Raises Refusal where something lacks.
    """
    _check(sentence)
    rules = list(data["rules"])
    old = rules[at] if at is not None and at < len(rules) else {}
    before: dict[str, list[Data]] = {}
    for one in old.get("of", ()):
        before.setdefault(one["name"], []).append(one)
    named: list[Data] = []
    for name in sentence.names:
        found = before.get(name) or [{"id": id, "name": name[:200]} for id in ids(name)]
        if not found:
            said = say("There is no unit, option or category “{name}” in these files.")
            raise Refusal(said.format(name=name[:80]))
        named += found
    rule = {
        "id": old.get("id") or free_id(f"event-{sentence.asks}", set(ids_in(data)), "rule"),
        "kind": FILE_FORMS[sentence.asks].kind,
        "summary": (sentence.summary or wording(sentence))[:600],
        "cite": sentence.place or str(len(rules) + 1),
        "cost": dict(zip(("id", "name"), sentence.cost, strict=True)) if sentence.cost[0] else None,
        "of": named or _list(sentence.of),
        "not": _list(sentence.barred),
        "min": sentence.least,
        "max": 0 if sentence.asks == "none" else sentence.most,
        "per_cent": sentence.per_cent or None,
    }
    made = {key: value for key, value in rule.items() if value is not None and value != []}
    place = at if at is not None and old else len(rules)
    return {**data, "rules": [*rules[:place], made, *rules[place + 1 :]]}


def _list(pairs: Sequence[tuple[str, str]]) -> list[Data]:
    return [{"id": id, "name": name} for id, name in pairs]


def _check(sentence: FileSentence) -> None:
    form = FILE_FORMS[sentence.asks]
    numbers = sentence.least is not None or sentence.most is not None
    if "least" in form.fields and not numbers:
        raise Refusal(say("Write a maximum or a minimum."))
    chosen = sentence.of or sentence.barred or numbers
    if ("names" in form.needs and not sentence.names) or ("barred" in form.fields and not chosen):
        raise Refusal(say("Choose what the rule is about."))
    if len(sentence.names) > MOST_NAMES:
        raise Refusal(say("Name at most {number} units and options.", number=MOST_NAMES))


def without_rule(data: Data, at: int) -> Data:
    """Return the pack without the rule of a number. Raises Refusal where there is none."""
    rules = list(data["rules"])
    if at >= len(rules):
        raise Refusal(say("The pack has no such rule any more."))
    del rules[at]
    return {**data, "rules": rules}
