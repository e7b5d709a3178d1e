"""Sentences of event packs: a restriction of a pack as the words of a form, and back.

`read` returns the sentence that says exactly the same as an entry of a pack, or None: then only
the pack's text can change it. All are pure functions of pack documents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from armybuilder.authoring.pack_names import PackNames
from armybuilder.engine.wording import either, listed, marked, say

Data = Mapping[str, Any]
#: Keys of an entry outside its sentence; they stay when the sentence changes.
KEPT = ("severity", "reading", "gauge", "for", "each_lineup")
MAX, MIN = SIDES = ("max", "min")
PERCENT = "percent"
COUNTS = marked(
    {
        "units": "units",
        "models": "models",
        "points": "points",
        "picks": "units or options",
        PERCENT: "% of the points",
    }
)


#: The same for one of it.
_COUNTED_ONCE = marked(
    {
        "units": "unit",
        "models": "model",
        "points": "point",
        "picks": "unit or option",
        PERCENT: "% of the points",
    }
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sum: things as "kind:value" (none: all), without those of `but`.

    `number` is a bound, or the weight of each.
    """

    of: tuple[str, ...] = ()
    but: str = ""
    count: str = "units"
    side: str = MAX
    number: str = "1"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A restriction as a form has it; `asks` is of `FORMS`, `summary` the organiser's own wording.

    `top`: a maximum beside the minimum, 0 for none; `values`: those that a setting may have, as
    "setting:value", a number as "setting:#2"; `books`: only for lists of these; `rule`: which rule
    it lifts or replaces; `free`: first ones that do not score; `place`: its section in the pack.
    """

    asks: str
    number: int = 1
    side: str = MAX
    top: int = 0
    free: int = 0
    parts: tuple[Part, ...] = (Part(),)
    books: tuple[str, ...] = ()
    rule: str = ""
    values: tuple[str, ...] = ()
    place: str = ""
    summary: str = ""


class Hole(NamedTuple):
    """Keys of an entry that one thing of a sentence fills: `put` writes them, `take` reads it back.

    `take` returns fields of the sentence, or "of", "but" and "count" of its only part.
    """

    put: Callable[[Sentence], Data]
    take: Callable[[Data], Data] = lambda _entry: {}


class Form(NamedTuple):
    """A kind of sentence: its `fields`, its words, the holes of its entry, and its place in a pack.

    `text` is its sentence where none is written; `one` the same for one.
    """

    label: str
    text: str
    fields: frozenset[str]
    holes: tuple[Hole, ...]
    home: str = "rules"
    one: str = ""

    def make(self, sentence: Sentence) -> dict[str, Any]:
        """Return the entry of a sentence of this kind, without its words."""
        return {key: one for hole in self.holes for key, one in hole.put(sentence).items()}

    def read(self, asks: str, entry: Data) -> Sentence:
        """Return the sentence of an entry, as far as `make` would write the same."""
        values = {key: one for hole in self.holes for key, one in hole.take(entry).items()}
        part = {key: values.pop(key) for key in ("of", "but", "count") if key in values}
        return Sentence(asks, **{"parts": (Part(**part),) if part else (), **values})


# Selectors


def selector_of(of: Sequence[str], but: str = "") -> dict[str, Any]:
    """Return the selector of any of some things, without others."""
    ones = _ones(of)
    selector: dict[str, Any] = {"any": ones} if len(ones) > 1 else dict(*ones)
    return selector | ({"not": selector_of([but])} if but else {})


def _ones(of: Sequence[str]) -> list[dict[str, Any]]:
    pairs: dict[str, list[str]] = {}
    for key in of:
        kind, _colon, value = key.partition(":")
        pairs.setdefault(kind, []).append(value)
    return [{kind: values[0] if len(values) == 1 else values} for kind, values in pairs.items()]


def _things(selector: Data) -> tuple[tuple[str, ...], str]:
    """Return the same backwards, as far as it can be said; see `read`."""
    inner = dict(selector)
    (*_all, but), _none = _things(inner.pop("not")) if "not" in inner else (("",), "")
    ones = inner.get("any", [inner])
    pairs = [(kind, value) for one in ones for kind, value in one.items()]
    values = [(kind, [one] if isinstance(one, str) else one) for kind, one in pairs]
    return tuple(f"{kind}:{value}" for kind, each in values for value in each), but


def _of(part: Part) -> dict[str, Any]:
    selector = selector_of(part.of, part.but)
    return {"of": selector} if selector else {}


def _read_of(entry: Data) -> dict[str, Any]:
    return dict(zip(("of", "but"), _things(entry.get("of", {})), strict=True))


# Bounds


def _bound(part: Part, number: str, side: str) -> dict[str, Any]:
    if part.count != PERCENT:
        return {"count": part.count, **_of(part), side: int(number)}
    share = Fraction(int(number), 100)
    text = f"{share.numerator}/{share.denominator}"
    return {"count": "points", **_of(part), side: {"share": text, "of": "limit"}}


def _bounded(entry: Data) -> tuple[str, str, str]:
    """Return side, number and count of an entry with one bound."""
    (side,) = (side for side in SIDES if side in entry)
    bound = entry[side]
    if isinstance(bound, Mapping):
        return side, str(Fraction(bound["share"]) * 100), PERCENT
    return side, str(bound), entry.get("count", "units")


def _read_side(entry: Data) -> dict[str, Any]:
    side, number, _count = _bounded(entry)
    return {"side": side, "number": int(number)}


def _read_sides(entry: Data) -> dict[str, Any]:
    """Return a bound and its count; a minimum may have its maximum as `top`."""
    top = entry[MAX] if MIN in entry and isinstance(entry.get(MAX), int) else 0
    one = {key: value for key, value in entry.items() if not top or key != MAX}
    return {**_read_side(one), "top": top, "count": _bounded(one)[2]}


def _top(sentence: Sentence) -> dict[str, int]:
    return {MAX: sentence.top} if sentence.top else {}


def _limit(sentence: Sentence) -> dict[str, Any]:
    (part,) = sentence.parts
    return _bound(part, str(sentence.number), sentence.side) | _top(sentence)


def _weights(sentence: Sentence) -> dict[str, Any]:
    counts: list[dict[str, Any]] = []
    for part in sentence.parts:
        weight: dict[str, Any] = {"of": selector_of(part.of, part.but)}
        if part.count != "units":
            weight["count"] = part.count
        if part.number != "1":
            weight["each"] = int(part.number) if part.number.isdecimal() else part.number
        counts.append(weight)
    return {"counts": counts}


def _read_weights(entry: Data) -> dict[str, Any]:
    parts = (
        Part(**_read_of(one), count=one.get("count", "units"), number=str(one.get("each", 1)))
        for one in entry["counts"]
    )
    return {"parts": tuple(parts)}


def _among(sentence: Sentence) -> dict[str, Any]:
    among = []
    for part in sentence.parts:
        weight = {"of": {}, **_bound(part, part.number, part.side)}
        bound = {part.side: weight.pop(part.side)}
        if weight["count"] == "units":
            del weight["count"]
        among.append({"counts": [weight], **bound})
    return {"among": among}


def _read_among(entry: Data) -> dict[str, Any]:
    parts = []
    for one in entry["among"]:
        (weight,) = one["counts"]
        side, number, count = _bounded({**weight, **{key: one[key] for key in SIDES if key in one}})
        parts.append(Part(**_read_of(weight), count=count, side=side, number=number))
    return {"parts": tuple(parts)}


def _values(sentence: Sentence) -> dict[str, Any]:
    books = ((part.of[0].removeprefix("book:"), int(part.number)) for part in sentence.parts)
    return {"values": dict(books)}


def _read_values(entry: Data) -> dict[str, Any]:
    parts = [Part((f"book:{key}",), number=str(value)) for key, value in entry["values"].items()]
    if not all(part.number.isdecimal() for part in parts):
        raise ValueError("no form has values below zero")
    return {"parts": tuple(parts)}


def _setting(sentence: Sentence) -> dict[str, Any]:
    pairs = [value.split(":", 1) for value in sentence.values]
    values = [int(value[1:]) if value.startswith("#") else value for _setting, value in pairs]
    return {"setting": pairs[0][0], "values": values}


def _read_setting(entry: Data) -> dict[str, Any]:
    values = [f"#{value}" if isinstance(value, int) else value for value in entry["values"]]
    return {"values": tuple(f"{entry['setting']}:{value}" for value in values)}


def _first(sentence: Sentence) -> Part | None:
    return sentence.parts[0] if sentence.parts else None


def _of_some(sentence: Sentence) -> dict[str, Any]:
    part = _first(sentence)
    return {"of": selector_of(part.of, part.but)} if part else {}


# Holes of entries


def _constant(**values: Any) -> Hole:
    return Hole(lambda _sentence: values)


def _key(key: str, name: str, usual: object = None) -> Hole:
    """Return the hole of a field of a sentence, or of its only part; a usual value is left out."""

    def put(sentence: Sentence) -> Data:
        value = getattr(sentence if hasattr(sentence, name) else sentence.parts[0], name)
        return {} if value == usual else {key: value}

    return Hole(put, lambda one: {name: one[key] if usual is None else one.get(key, usual)})


_OF = Hole(lambda sentence: _of(sentence.parts[0]), _read_of)
_COUNT = _key("count", "count")
_COUNTS = Hole(_weights, _read_weights)
_SIDE = Hole(lambda sentence: {sentence.side: sentence.number}, _read_side)
_SIDES = Hole(lambda sentence: {**_SIDE.put(sentence), **_top(sentence)}, _read_sides)
_OF_SOME = Hole(_of_some, lambda entry: _read_of(entry) if "of" in entry else {})
_LESS = Hole(
    lambda sentence: {"max": {"limit_less": sentence.number}},
    lambda entry: {"number": entry["max"]["limit_less"]},
)
_CLASS = Hole(
    lambda sentence: {"of": _ones(sentence.parts[0].of)},
    lambda entry: {"of": _things({"any": entry["of"]})[0]},
)


def _fields(names: str) -> frozenset[str]:
    return frozenset(names.split())


#: The kinds of sentences by key, in the order in which a form offers them. Of several that can say
#: an entry the first does.
FORMS: Mapping[str, Form] = {
    "none": Form(
        marked("Not allowed"),
        marked("Not allowed: {what}."),
        _fields("of but books rule"),
        (_constant(kind="limit"), _COUNT, _OF, _constant(max=0)),
    ),
    "less": Form(
        marked("Fewer points than the limit"),
        marked("Cost at least {number} points less than the limit."),
        _fields("number books rule"),
        (_constant(kind="limit", count="points"), _LESS),
    ),
    "limit": Form(
        marked("Maximum or minimum per list"),
        marked("Each list {bound} {number} {count}: {what}."),
        _fields("number side top of but count books rule"),
        (_constant(kind="limit"), Hole(_limit, lambda one: _read_of(one) | _read_sides(one))),
    ),
    "copies": Form(
        marked("Maximum of each"),
        marked("Each at most {number} times in a list: {what}."),
        _fields("number of but books rule"),
        (_constant(kind="copies"), _OF, _key("count", "count", "models"), _key("max", "number")),
    ),
    "each-unit": Form(
        marked("Size or points of each unit"),
        marked("Each unit {bound} {number} {count}: {what}."),
        _fields("number side top of but count books rule"),
        (_constant(kind="each-unit"), _OF, _COUNT, _SIDES),
    ),
    "items": Form(
        marked("Options or items on each unit"),
        marked("Each unit can take at most {number} of: {what}."),
        _fields("number of books rule"),
        (_constant(kind="per-unit"), _OF, _key("max", "number"), _constant(what="")),
    ),
    "weighted": Form(
        marked("Weighted sum"),
        marked("Each list {bound} {number} in all: {what}."),
        _fields("number side parts weight of count but books rule"),
        (_constant(kind="weighted"), _COUNTS, _SIDE),
    ),
    "some": Form(
        marked("Some of several restrictions"),
        marked("Each list must meet at least {number} of these {total} restrictions."),
        _fields("number parts bound of count but books rule"),
        (_constant(kind="some-of"), _key("least", "number"), Hole(_among, _read_among)),
    ),
    "fixed": Form(
        marked("A setting of the game"),
        marked("{setting}: {what}."),
        _fields("values books rule"),
        (_constant(kind="fixed"), Hole(_setting, _read_setting)),
    ),
    "lift": Form(
        marked("A rule that does not apply"),
        "",
        _fields("rule books"),
        (_key("rule", "rule"),),
        "lift",
    ),
    "score": Form(
        marked("List score"),
        marked("{points} for each: {what}"),
        _fields("number free parts weight of count but"),
        (_COUNTS, _key("points", "number"), _key("from", "free", 0)),
        "scores",
    ),
    "class": Form(
        marked("A class of units, such as missile units"),
        "",
        _fields("of"),
        (_CLASS,),
        "classes",
    ),
    "team-book-once": Form(
        marked("Team: each army book once"),
        marked("A team can use each army book in at most {number} lists."),
        _fields("number"),
        (_constant(kind="book-once"), _OF_SOME, _key("max", "number", 1)),
        "team",
        marked("A team can use each army book only once."),
    ),
    "team-unit-once": Form(
        marked("Team: each unit once"),
        marked("A team can use each of these in at most {number} lists: {what}."),
        _fields("number of but"),
        (_constant(kind="unit-once"), _OF_SOME, _key("max", "number", 1)),
        "team",
        marked("A team can use each of these only once: {what}."),
    ),
    "team-sum": Form(
        marked("Team: sum over all lists"),
        marked("A team {bound} {number} in all: {what}."),
        _fields("number side parts weight of count but"),
        (_constant(kind="sum"), _COUNTS, _SIDE),
        "team",
    ),
    "team-book-values": Form(
        marked("Team: values of army books"),
        marked("The army books of a team can be worth at most {number}: {what}."),
        _fields("number parts weight book"),
        (_constant(kind="book-values"), Hole(_values, _read_values), _key("max", "number")),
        "team",
    ),
}


def read(entry: Data, home: str, books: Sequence[str] = ()) -> Sentence | None:
    """Return the sentence that says the same as an entry of a pack; None where no form can."""
    by = entry["by"] if home == "replace" else entry
    body = {key: value for key, value in by.items() if key not in (*KEPT, "id", "code", "cite")}
    body = {key: value for key, value in body.items() if key not in ("summary", "name")}
    for key, form in FORMS.items():
        if form.home == ("rules" if home == "replace" else home):
            try:
                sentence = form.read(key, body)
                same = _bare(form.make(sentence)) == _bare(body)
            except (LookupError, TypeError, ValueError, AttributeError):
                continue
            if same:
                cite = by.get("cite", "")
                cite = cite if isinstance(cite, str) else cite["place"]
                text = by.get("summary", by.get("name", ""))
                rule = entry["rule"] if home == "replace" else sentence.rule
                return replace(sentence, place=cite, summary=text, books=tuple(books), rule=rule)
    return None


def _bare(body: Data) -> Data:
    """Return an entry without its words, which say the same in any case."""
    bare = {key: value for key, value in body.items() if key != "what"}
    if bare.get("kind") == "copies" and bare.get("count") == "models":
        del bare["count"]
    if "among" in bare:
        bare["among"] = [{k: v for k, v in one.items() if k != "name"} for one in bare["among"]]
    return bare


# Words


def wording_of(sentence: Sentence, names: PackNames) -> str:
    """Return the text of a sentence in the reader's language, with braces for its numbers."""
    form = FORMS[sentence.asks]
    text = form.one if form.one and sentence.number == 1 else form.text
    first = _first(sentence) or Part()
    what = what_of(first, names)
    if "weight" in form.fields:
        what = listed(_weighed(part, names) for part in sentence.parts)
    if sentence.asks == "fixed":
        return _setting_said(sentence, names)
    if first.count == PERCENT:
        text = marked("Each list {bound} {number} of its points in: {what}.")
    if sentence.top:
        each_list = marked("Each list must have {min} to {max} {count}: {what}.")
        each_unit = marked("Each unit must have {min} to {max} {count}: {what}.")
        text = each_list if sentence.asks == "limit" else each_unit
    bound = say("must have at least") if sentence.side == MIN else say("can have at most")
    values = {"bound": bound, "count": _counted(first.count, str(sentence.number)), "what": what}
    values |= {name: f"{{{name}}}" for name in ("number", "points", MIN, MAX)}
    return say(text, total=len(sentence.parts), **values) if text else ""


def _setting_said(sentence: Sentence, names: PackNames) -> str:
    chosen = [
        (title, one.name)
        for title, group in names.settings
        for one in group
        if one.key in sentence.values
    ]
    if not chosen:
        return ""
    text = FORMS["fixed"].text
    return say(text, setting=chosen[0][0], what=either(name for _title, name in chosen))


def _counted(count: str, number: str) -> str:
    return say(_COUNTED_ONCE[count] if number == "1" else COUNTS[count])


def what_of(part: Part, names: PackNames) -> str:
    """Return the things of a part in words."""
    what = either(names.name_of(key) for key in names.merged(part.of)) or say("all")
    return say("{what}, except {but}", what=what, but=names.name_of(part.but)) if part.but else what


def _weighed(part: Part, names: PackNames) -> str:
    what = what_of(part, names)
    if part.of[:1] and part.of[0].startswith("book:"):
        return f"{what} {part.number}"
    if part.count != "units":
        what = say("{count} of {what}", count=say(COUNTS[part.count]), what=what)
    return what if part.number == "1" else f"{part.number} × {what}"


def name_of_part(part: Part, names: PackNames) -> str:
    """Return the name of a restriction of which some must be kept."""
    values = {
        "bound": say("at least") if part.side == MIN else say("at most"),
        "number": "{number}",
        "count": _counted(part.count, part.number),
        "what": what_of(part, names),
    }
    if part.count == PERCENT:
        return say("{bound} {number} of the points: {what}", **values)
    return say("{bound} {number} {count}: {what}", **values)


def blank(asks: str) -> Sentence:
    """Return a new sentence of a kind, with nothing said."""
    form = FORMS[asks]
    one = "of" in form.fields and "parts" not in form.fields
    count = "picks" if asks == "none" else "units"
    return Sentence(asks, parts=(Part(count=count),) if one else ())
