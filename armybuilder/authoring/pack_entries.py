"""Entries of event packs: all that a pack has with a sentence or without, and changes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from armybuilder.authoring.pack_names import PackNames
from armybuilder.authoring.pack_sentences import (
    FORMS,
    KEPT,
    MAX,
    MIN,
    PERCENT,
    Data,
    Part,
    Sentence,
    name_of_part,
    read,
    what_of,
    wording_of,
)
from armybuilder.authoring.packs import ids_in
from armybuilder.authoring.wording import free_id
from armybuilder.engine.wording import say, say_given
from armybuilder.loading.problems import Refusal
from armybuilder.loading.references import numbers_of

Path = tuple[str | int, ...]


class Entry(NamedTuple):
    """An entry of a pack: its place, its text, and its sentence if a form can say it."""

    path: Path
    text: str
    sentence: Sentence | None

    @property
    def key(self) -> str:
        """Its place as a form names it."""
        return "/".join(map(str, self.path))


def entries_of(data: Data) -> Iterator[Entry]:
    """Yield all entries of a pack that have a sentence or could have one."""
    parts: list[tuple[Path, Data]] = [((), data)]
    parts += [(("book_rules", at), part) for at, part in enumerate(data.get("book_rules", ()))]
    for path, part in parts:
        books = part.get("books", ())
        for home in ("rules", "replace", "lift"):
            for at, entry in enumerate(part.get(home, ())):
                if entry.get("kind") in ("game-size", "books") and not path:
                    continue  # the form of the pack's basics has them
                yield _entry((*path, home, at), entry, home, books)
    for home in ("scores", "classes"):
        for at, entry in enumerate(data.get(home, ())):
            yield _entry((home, at), entry, home, ())
    for at, entry in enumerate(data.get("team", {}).get("rules", ())):
        yield _entry(("team", "rules", at), entry, "team", ())


def contradictions(data: Data) -> list[tuple[str, str]]:
    """Return pairs of restrictions that no list with enough in it can keep, by their numbers alone.

    Others may contradict, too: that takes a solver.
    """
    bounds = [one for entry in entries_of(data) for one in _bounds(data, entry)]
    return [
        (low.text, high.text)
        for low in bounds
        for high in bounds
        if low.side == MIN and high.side == MAX and _clash(low, high)
    ]


class _Bound(NamedTuple):
    """A number of a restriction for all lists, or those of some books."""

    text: str
    side: str
    number: int
    part: Part
    books: tuple[str, ...]


def _bounds(data: Data, entry: Entry) -> Iterator[_Bound]:
    sentence, value = entry.sentence, _value_at(data, entry.path)
    if sentence is None or not {"severity", "for"}.isdisjoint(value.get("by", value)):
        return
    number = 0 if sentence.asks == "none" else sentence.number
    if sentence.asks in ("limit", "none"):
        yield _Bound(entry.text, sentence.side, number, sentence.parts[0], sentence.books)
        if sentence.top:
            yield _Bound(entry.text, MAX, sentence.top, sentence.parts[0], sentence.books)


def _clash(low: _Bound, high: _Bound) -> bool:
    """Return whether a least number of some things is more than a most number of all of these."""
    within = not high.part.of or (low.part.of and {*low.part.of} <= {*high.part.of})
    none = high.part.count == "picks" and not high.number
    same = low.part.but == high.part.but and (low.part.count == high.part.count or none)
    lists = not low.books or not high.books or not set(low.books).isdisjoint(high.books)
    return bool(within and same and lists and low.number > high.number)


def _entry(path: Path, entry: Data, home: str, books: Sequence[str]) -> Entry:
    by = entry.get("by", entry)
    text = by.get("summary") or by.get("name") or ""
    said = say(text, **numbers_of(by)) if "{" in text else say_given(text)
    return Entry(path, said, read(entry, home, books))


def without(data: Data, key: str) -> Data:
    """Return the pack without the entry of a key. Raises Refusal where there is none."""
    for entry in entries_of(data):
        if entry.key == key:
            without_it: Data = _at(data, entry.path, None)
            return _cleaned(without_it)
    raise Refusal(say("The pack has no such rule any more."))


def with_sentence(data: Data, sentence: Sentence, names: PackNames, key: str = "") -> Data:
    """Return the pack with a sentence, in place of the entry of a key if there is one.

    Raises Refusal where the sentence lacks something.
    """
    _check(sentence, data)
    old = next((entry for entry in entries_of(data) if entry.key == key), None)
    form_home = FORMS[sentence.asks].home
    home = ("replace" if form_home == "rules" and sentence.rule else form_home), sentence.books
    before = _value_at(data, old.path) if old is not None else {}
    entry = _written(data, sentence, names, before.get("by", before))
    if old is not None and _home_of(data, old) == home:
        changed: Data = _at(data, old.path, entry)
        return changed
    if old is not None:
        data = _at(data, old.path, None)
    return _cleaned(_added(data, home, entry))


Home = tuple[str, tuple[str, ...]]


def _home_of(data: Data, entry: Entry) -> Home:
    *start, _at = entry.path
    home = "team" if start[0] == "team" else str(start[-1])
    books = data["book_rules"][start[1]]["books"] if start[0] == "book_rules" else ()
    return home, tuple(books)


def _check(sentence: Sentence, data: Data) -> None:
    form = FORMS[sentence.asks]
    if sentence.asks == "lift" and not sentence.rule:
        raise Refusal(say("Choose the rule that does not apply."))
    if "of" in form.fields and not sentence.parts and "parts" not in form.fields:
        raise Refusal(say("Choose what the rule is about."))
    if sentence.asks in ("none", "items", "class") and not sentence.parts[0].of:
        raise Refusal(say("Choose what the rule is about."))
    if sentence.asks == "fixed" and len({one.partition(":")[0] for one in sentence.values}) != 1:
        raise Refusal(say("Choose values of one setting."))
    if sentence.asks == "class" and not sentence.summary:
        raise Refusal(say("Give the class a name."))
    if sentence.top and (sentence.side == MAX or sentence.parts[0].count == PERCENT):
        raise Refusal(say("To set a maximum as well, choose “at least” and don’t count per cent."))
    if sentence.top and sentence.top < sentence.number:
        raise Refusal(say("The maximum is below the minimum."))
    for part in sentence.parts:
        _check_things(sentence.asks, part)
        if form.home in ("scores", "team") and "set:" in f"{part.of}{part.but}":
            raise Refusal(
                say("Only rules of lists can name sets: some books don’t say a card’s set.")
            )
    if "parts" in form.fields and len(sentence.parts) < (
        least := 2 if sentence.asks == "some" else 1
    ):
        raise Refusal(say("Fill in at least {number} rows.", number=least))
    books = [part.of for part in sentence.parts] if "book" in form.fields else []
    if () in books or len({*books}) < len(books):
        raise Refusal(say("Choose another army book in each row."))
    if sentence.asks == "some" and sentence.number > len(sentence.parts):
        raise Refusal(say("The number of restrictions to meet is above the number of rows."))
    if form.home == "team" and "team" not in data:
        raise Refusal(say("Set the lists per team first."))
    digits = [word for word in re.findall(r"[^\W_]+", sentence.summary) if word.isdecimal()]
    right = {str(sentence.number), str(sentence.top)}
    if digits and right.isdisjoint(digits) and "{" not in sentence.summary:
        wrong = say("Your wording says {wrong}, but the rule has {number}. Write {braces} for it.")
        values = {"wrong": digits[0], "number": sentence.number, "braces": "{number}"}
        raise Refusal(wrong.format(**values))


_OPTIONS = ("option:", "item:")


def _check_things(asks: str, part: Part) -> None:
    """Raise Refusal where a sentence about units names options, or the other way about."""
    options = [key.startswith(_OPTIONS) for key in part.of]
    if asks == "items":
        classes = [key.startswith("class:") for key in part.of]
        if not all(map(any, zip(options, classes, strict=True))):
            raise Refusal(say("Choose options or kinds of items, not units."))
    elif asks in ("copies", "each-unit", "team-unit-once") and any(options):
        raise Refusal(say("Choose units, not options or items."))
    elif asks not in ("none", "class") and part.count == "units" and any(options):
        raise Refusal(say("Options aren’t units: count “units or options”, models or points."))


def _written(data: Data, sentence: Sentence, names: PackNames, old: Data) -> Data:
    """Return the entry of a sentence, with further keys of the old one."""
    form = FORMS[sentence.asks]
    body = form.make(sentence)
    # An unchanged part keeps its words.
    kept_names = {_key(one): one["name"] for one in old.get("among", ())}
    for one, part in zip(body.get("among", ()), sentence.parts, strict=False):
        one["name"] = kept_names.get(_key(one)) or name_of_part(part, names)
    if "what" in body:
        same = old.get("of") == body["of"]
        body["what"] = old["what"] if same else what_of(sentence.parts[0], names)
    cite = old.get("cite", "")
    before = cite if isinstance(cite, str) else cite["place"]
    if sentence.place != before or not before:
        cite = sentence.place or str(1 + sum(1 for _ in entries_of(data)))
    if form.home == "lift":
        return {**body, "cite": cite}
    text = sentence.summary or wording_of(sentence, names)
    if form.home == "classes":
        return {
            "id": old.get("id") or free_id(text, set(ids_in(data)), "class"),
            "name": text,
            **body,
        }
    ident = old.get("id") or free_id(f"event-{sentence.asks}", set(ids_in(data)), "rule")
    kept = {key: old[key] for key in KEPT if key in old}
    if form.home == "scores":
        return {"id": ident, "name": text, "cite": cite, **body}
    if form.home == "team":
        return {"id": ident, "kind": body.pop("kind"), "cite": cite, "summary": text, **body}
    code = old.get("code") or f"event.{body['kind']}"
    head = {"id": ident, "kind": body.pop("kind"), "code": code, "cite": cite, "summary": text}
    made = {**head, **kept, **body}
    return {"rule": sentence.rule, "by": made} if sentence.rule else made


def _key(restriction: Data) -> str:
    return repr(sorted((key, repr(one)) for key, one in restriction.items() if key != "name"))


def _value_at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _at(data: Any, path: Path, entry: Data | None) -> Any:
    """Return the document with another value at a place; None takes it out."""
    step, *rest = path
    inner = _at(data[step], tuple(rest), entry) if rest else entry
    if isinstance(data, Mapping):
        return {**data, step: inner}
    at = int(step)
    return [*data[:at], *([] if inner is None else [inner]), *data[at + 1 :]]


def _added(data: Data, home: Home, entry: Data) -> Data:
    name, books = home
    if name == "team":
        team = data["team"]
        return {**data, "team": {**team, "rules": [*team["rules"], entry]}}
    if not books:
        return {**data, name: [*data.get(name, ()), entry]}
    parts = list(data.get("book_rules", ()))
    at = next((at for at, part in enumerate(parts) if tuple(part["books"]) == books), len(parts))
    part = parts[at] if at < len(parts) else {"books": list(books)}
    parts[at : at + 1] = [{**part, name: [*part.get(name, ()), entry]}]
    return {**data, "book_rules": parts}


def _cleaned(data: Data) -> Data:
    """Return the pack without its empty parts."""
    clean = {key: value for key, value in data.items() if value != [] or key == "rules"}
    if "book_rules" in clean:
        parts = [{k: v for k, v in part.items() if v != []} for part in clean["book_rules"]]
        clean["book_rules"] = [part for part in parts if len(part) > 1]
        if not clean["book_rules"]:
            del clean["book_rules"]
    return clean
