"""Checks of system files: every id that is named exists, every code of a rule has a sentence."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import Formatter
from typing import Any, NamedTuple, Self

from armybuilder.engine.catalogue import System
from armybuilder.engine.options import slug
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.sentences import COMMON, COUNTED, TEMPLATES
from armybuilder.engine.vocabulary import Attribute, Setting, Stat
from armybuilder.engine.wording import listed, marked, say
from armybuilder.loading.problems import pointer
from armybuilder.loading.values import Values

Entry = Mapping[str, Any]
Path = tuple[object, ...]

#: Kinds of tag that a selector may name besides the attributes; None: any id is fine.
_SELECTOR_KINDS = (
    *("ability", "role", "tag", "unit", "option", "category", "keyword", "subtype", "item"),
    *("can", "must", "choice", "gap", "cross_faction"),
)
#: By the table that does not have it.
_UNKNOWN = marked(
    {
        "stats": "There is no stat “{name}”.",
        "attributes": "There is no attribute “{name}”.",
        "abilities": "There is no ability “{name}”.",
        "roles": "There is no role “{name}”.",
        "settings": "There is no setting “{name}”.",
    }
)
#: Keys of rules, facts, reminders and wishes that name one or several entries of a table.
_NAMING = {
    **dict.fromkeys(("ability", "supply", "times_rating", "abilities", "ratings"), "abilities"),
    **dict.fromkeys(("attribute", "attributes"), "attributes"),
    **dict.fromkeys(("setting", "settings"), "settings"),
    "stat": "stats",
    "role": "roles",
}
#: Keys under which a rule gives the code of a finding: itself, or in an object of its own.
_CODES = ("code", "under")
_INNER_CODES = ("choose", "open")
#: Numbers that a template may count with a noun: "{points:measured}".
_NUMBERS = ("measured", "allowed", "by")


#: The fault of some names that mean nothing, and the advice for most.
NOTHING_CALLED = marked("There is nothing called “{name}” there.")
FIX_THE_SPELLING = marked("Fix the spelling.")


class Complaint(NamedTuple):
    """A problem before it is known in which file."""

    pointer: str
    message: str
    advice: str


def complaint(
    path: Iterable[object], message: str, advice: str = FIX_THE_SPELLING, /, **values: object
) -> Complaint:
    """Return a problem at a path of the file; the values are filled into its two sentences."""
    return Complaint(pointer(path), say(message, **values), say(advice, **values))


#: Sections of system files whose entries have ids, and where these name others.
_SECTIONS = (
    *("stats", "attributes", "texts", "abilities", "spells"),
    *("roles", "settings", "rules", "facts", "odds/ticks"),
)
_NAMING_AT = (
    *("rules/*", "facts/*", "reminders/*", "wishes/*"),
    *("play/pools/*", "play/score/steps/*"),
)
#: Where else they name entries of a table.
_NAMED_AT = {
    "sometimes": "roles",
    **dict.fromkeys(
        (
            *("abilities/*/wounds/minus", "points/formula/weights", "points/formula/minus"),
            *("armour/stat", "weapons/shown", "weapons/shot", "weapons/type"),
            *("weapons/known/*/add", "weapons/known/*/set"),
            *("weapons/known/*/charging", "weapons/known/*/first_round", "odds/stats/*"),
        ),
        "stats",
    ),
}


def found_at(value: Any, place: str, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the values of a file at a place such as "weapons/known/*/add", each with its path."""
    key, _, rest = place.partition("/")
    inside: Iterable[tuple[object, Any]] = ()
    if key == "*":
        inside = value.items() if isinstance(value, dict) else enumerate(value)
    elif isinstance(value, dict) and key in value:
        inside = ((key, value[key]),)
    for at, inner in inside:
        if rest:
            yield from found_at(inner, rest, (*path, at))
        else:
            yield (*path, at), inner


def system_problems(data: Entry) -> Iterator[Complaint]:
    """Yield every wrong reference of a system file that has passed the schema."""
    for place in _SECTIONS:
        for path, entries in found_at(data, place):
            yield from duplicates(entries, path)
    for key in ("glossary", "terms"):
        yield from _repeated(data, key)
    yield from citation_complaints(data, (), data["sources"])
    names = Names.in_file(data)
    for place in _NAMING_AT:
        for path, entry in found_at(data, place):
            yield from names.check(entry, path)
    for path, setting in found_at(data, "settings/*"):
        yield from names.check_setting(setting, path)
    for path, table in found_at(data, "tables/*"):
        yield from names.check_table(table, path)
    for place, section in _NAMED_AT.items():
        for path, ids in found_at(data, place):
            yield from names.unknown(section, [ids] if isinstance(ids, str) else ids, path)
    formula = data["points"].get("formula")
    for stat in [*formula["weights"], formula["minus"]] if formula else ():
        if stat in names.stats and names.stats[stat].text:
            message = marked("“{stat}” is text; the formula needs numbers.")
            path = ("points", "formula")
            yield complaint(path, message, "Name another statistic.", stat=stat)


def _repeated(data: Entry, key: str) -> Iterator[Complaint]:
    """Yield a complaint for every name that a glossary explains twice, by one of its names."""
    seen: set[str] = set()
    for group, section in enumerate(data.get(key, ())):
        for place, term in enumerate(section["entries"]):
            names = {slug(name) for name in (term["name"], *term.get("aliases", ()))}
            if names & seen:
                home = (key, group, "entries", place, "name")
                wrong = marked("The glossary has “{name}” already.")
                yield complaint(home, wrong, "Explain a rule once.", name=term["name"])
            seen |= names


def duplicates(entries: Sequence[Entry], path: Sequence[object]) -> Iterator[Complaint]:
    """Yield a complaint for every entry whose id an earlier entry has."""
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        if entry["id"] in seen:
            where = (*path, number, "id")
            yield complaint(where, "The id “{id}” is taken.", "Give it another.", id=entry["id"])
        seen.add(entry["id"])


def misnamed(key: str, name: str, stem: str) -> Iterator[Complaint]:
    """Yield that a file without its ending is called other than the id under this key."""
    if name != stem:
        advice = marked("It must match the name of its file, “{file}”.")
        yield complaint((key,), "The id is “{id}”.", advice, id=name, file=stem)


def not_at_home(system: str, home: str) -> Iterator[Complaint]:
    """Yield that a file is in the folder of another system."""
    if system != home:
        advice = marked("It must match its folder, “{home}”.")
        yield complaint(("system",), "The system is “{system}”.", advice, system=system, home=home)


def citation_complaints(value: Any, path: Path, sources: Entry) -> Iterator[Complaint]:
    """Yield a complaint for every `cite` object in the value that names none of the sources."""
    if isinstance(value, dict):
        cite = value.get("cite")
        if isinstance(cite, dict) and (source := cite["source"]) not in sources:
            message, where = marked("There is no source “{source}”."), (*path, "cite", "source")
            yield complaint(where, message, "Add it to sources.", source=source)
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from citation_complaints(inner, (*path, key), sources)


@dataclass(frozen=True)
class Names:
    """Definitions of a system, and checks of references to them.

    `asked` are the statistics that traits ask of: these are tags of units, so selectors may too.
    """

    stats: Mapping[str, Stat]
    attributes: Mapping[str, Attribute]
    settings: Mapping[str, Setting]
    abilities: Collection[str]
    roles: Collection[str]
    asked: Collection[str]

    @classmethod
    def in_file(cls, data: Entry) -> Self:
        """Return those of a system file."""
        ids = {key: {entry["id"] for entry in data[key]} for key in ("abilities", "roles")}
        asked = {*_asked_stats(data.get("traits", []))}
        return Values(data["sources"]).make(cls, data, asked=asked, **ids)

    @classmethod
    def of_system(cls, system: System) -> Self:
        """Return those of a system that was made."""
        tables = (system.stats, system.attributes, system.settings, system.abilities, system.roles)
        return cls(*tables, system.asked.stats)

    def unknown(self, table: str, ids: Iterable[str | None], path: Path) -> Iterator[Complaint]:
        """Yield a complaint for every id that a table does not have."""
        for name in ids:
            if name is not None and name not in getattr(self, table):
                advice = marked("Define it in {table}.")
                yield complaint(path, _UNKNOWN[table], advice, name=name, table=table)

    def check(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield all wrong references of a rule, fact, reminder, wish or part of play rules."""
        for key, table in _NAMING.items():
            value = entry.get(key, ())
            ids = [value] if isinstance(value, str) else value
            yield from self.unknown(table, ids, (*path, key))
        yield from self._check_selectors(entry, path)
        yield from self._given(entry.get("for", {}), (*path, "for"))
        for key in ("summary", "name"):
            yield from text_complaints(str(entry.get(key, "")), numbers_of(entry), (*path, key))
        for key in ("min", "max"):
            bound = entry.get(key)
            weights = [Fraction(one.get("each", 1)) for one in entry.get("counts", ())]
            in_parts = any(weight.denominator > 1 for weight in weights)
            if isinstance(bound, dict) and "share" in bound and in_parts:
                message = marked("A percentage can’t limit a sum of fractional weights.")
                advice = marked("Use whole weights, or a number instead of the percentage.")
                yield complaint((*path, key), message, advice)
            if isinstance(bound, dict) and "by" in bound:
                yield from self._bound_by_two(bound, (*path, key))
            if isinstance(bound, dict) and "setting" in bound:
                where = (*path, key, "setting")
                yield from self.unknown("settings", [bound["setting"]], where)
                yield from self._not_of_kind(bound["setting"], where, "number")
        for key in ("more", "texts"):
            for value in entry.get(key, ()):
                yield from self._not_a_value(entry["setting"], value, (*path, key, value))
        kind, where = entry.get("kind"), (*path, "setting")
        if kind == "fixed":
            yield from self._fixed(entry, path)
        if kind == "pool":
            yield from self._not_of_kind(entry["setting"], where, "pool")
        if kind == "belongs":
            setting, attribute = entry["setting"], entry["attribute"]
            if setting in self.settings and self.settings[setting].attribute != attribute:
                message = marked("The setting “{setting}” has no value of “{attribute}”.")
                advice = marked("Name one that does.")
                yield complaint(where, message, advice, setting=setting, attribute=attribute)
        if kind == "available" or entry.get("count") == "pieces":
            yield from self._not_of_kind(entry.get("setting", ""), where, "pieces", "choice")
        if "phrase" in entry:
            yield from _phrase(entry, path)
        if "none" in entry and entry.get("attribute") in self.attributes:
            yield from self._not_in(entry["attribute"], [entry["none"]], (*path, "none"))

    def _check_selectors(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        for key in ("of", "by", "needs", "besides", "as_one", "disputed", "unclear"):
            if isinstance(entry.get(key), dict):
                yield from self._selector(entry[key], (*path, key))
        for number, inner in enumerate(entry.get("counts", ())):
            yield from self._selector(inner["of"], (*path, "counts", number, "of"))
        for key in ("among", "between", "needs"):
            for number, inner in enumerate(entry.get(key, ())):
                if isinstance(inner, dict):
                    check = self._selector if key == "between" else self.check
                    yield from check(inner, (*path, key, number))

    def _selector(self, data: Entry, path: Path) -> Iterator[Complaint]:
        for kind, wanted in data.items():
            where = (*path, kind)
            ids = [wanted] if isinstance(wanted, str) else wanted
            if kind == "not":
                yield from self._selector(wanted, where)
            elif kind in ("all", "any"):
                for number, inner in enumerate(wanted):
                    yield from self._selector(inner, (*where, number))
            elif kind in ("ability", "role"):
                yield from self.unknown("abilities" if kind == "ability" else "roles", ids, where)
            elif kind in self.attributes:
                yield from self._not_in(kind, ids, where)
            elif kind not in (*_SELECTOR_KINDS, *self.asked):
                message = marked("Units have no attribute “{kind}”.")
                yield complaint(where, message, "Define it, or fix it.", kind=kind)

    def _not_in(self, attribute: str, values: Iterable[str], path: Path) -> Iterator[Complaint]:
        for value in values:
            if value not in self.attributes[attribute].values:
                message = marked("{attribute} has no value “{value}”.")
                yield complaint(path, message, attribute=attribute, value=value)

    def _not_of_kind(self, setting: str, path: Path, *kinds: str) -> Iterator[Complaint]:
        """Yield that a setting there is is of none of the kinds."""
        if setting in self.settings and self.settings[setting].kind not in kinds:
            message = marked("The setting “{setting}” is not of kind “{kind}”.")
            yield complaint(path, message, "Name one that is.", setting=setting, kind=kinds[0])

    def _not_a_value(self, setting: str, value: str, path: Path) -> Iterator[Complaint]:
        found = self.settings.get(setting)
        attribute = self.attributes.get(found.attribute) if found else None
        known = (found.values if found else {}) or (attribute.values if attribute else {})
        if known and value not in known:
            message = marked("The setting “{setting}” has no value “{value}”.")
            yield complaint(path, message, setting=setting, value=value)

    def _bound_by_two(self, data: Entry, path: Path) -> Iterator[Complaint]:
        yield from self.unknown("settings", data["by"], (*path, "by"))
        for setting, kind in zip(data["by"], ("choice", "number"), strict=True):
            yield from self._not_of_kind(setting, (*path, "by"), kind)
        first = self.settings.get(data["by"][0])
        if first is not None and first.kind == "choice":
            for value in sorted(first.values.keys() - data["table"].keys()):
                where = (*path, "table")
                yield complaint(where, "No row for “{value}”.", "Add one.", value=value)

    def check_setting(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield faults of a setting."""
        yield from self._given(entry.get("for", {}), (*path, "for"))
        yield from duplicates(entry.get("values", ()), (*path, "values"))
        yield from self.unknown("attributes", [entry.get("attribute")], (*path, "attribute"))
        default, where = entry.get("default"), (*path, "default")
        values = {value["id"] for value in entry.get("values", ())}
        if entry["kind"] == "choice" and default is not None and default not in values:
            message = marked("The default is not one of the values.")
            yield complaint(where, message, "Choose one of them.")
        if entry["kind"] == "number" and default is not None:
            low, high = entry["low"], entry["high"]
            if not low <= default <= high:
                message = marked("The default is not between {low} and {high}.")
                yield complaint(where, message, "Choose another.", low=low, high=high)
        for number, value in enumerate(entry.get("values", ())):
            yield from self._given(value.get("needs", {}), (*path, "values", number, "needs"))

    def check_table(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        """Yield the faults of a reference table: unknown settings and columns, ragged rows."""
        yield from self._given(entry.get("for", {}), (*path, "for"))
        choices = entry.get("choices", {})
        yield from self.unknown("settings", choices.values(), (*path, "choices"))
        for column in choices.keys() - {*entry["columns"]}:
            yield complaint((*path, "choices"), NOTHING_CALLED, name=column)
        for row, cells in enumerate(entry["rows"]):
            if len(cells) != len(entry["columns"]):
                where, advice = (*path, "rows", row), marked("One per column is needed.")
                yield complaint(where, "The row has {number} cells.", advice, number=len(cells))

    def _given(self, data: Entry, path: Path) -> Iterator[Complaint]:
        for setting, wanted in data.items():
            where = (*path, setting)
            yield from self.unknown("settings", [setting], path)
            if isinstance(wanted, Mapping):
                yield from self._not_of_kind(setting, where, "number")
                continue
            for value in wanted:
                yield from self._not_a_value(setting, value, where)
            yield from self._not_of_kind(setting, where, "choice", "attribute")

    def _fixed(self, entry: Entry, path: Path) -> Iterator[Complaint]:
        for number, value in enumerate(entry["values"]):
            where = (*path, "values", number)
            if isinstance(value, str):
                yield from self._not_a_value(entry["setting"], value, where)
                yield from self._not_of_kind(entry["setting"], where, "choice", "attribute")
            else:
                yield from self._not_of_kind(entry["setting"], where, "number")


def _asked_stats(data: Any) -> Iterator[str]:
    """Yield the statistics that traits ask of."""
    inner: Iterable[Any] = data if isinstance(data, list) else ()
    if isinstance(data, dict):
        if isinstance(data.get("stat"), str):
            yield data["stat"]
        inner = data.values()
    for part in inner:
        yield from _asked_stats(part)


def text_complaints(text: str, numbers: Mapping[str, str], path: Path) -> Iterator[Complaint]:
    """Yield that a text has braces which none of these numbers fills."""
    if "{" not in text:
        return
    try:
        text.format(**numbers)
    except (LookupError, ValueError, AttributeError, TypeError):
        message = marked("In “{text}”, the name in braces isn’t a number of the rule.")
        advice = marked("Use one of {names}.")
        known = listed(sorted(numbers)) or "–"
        yield complaint(path, message, advice, text=text[:80], names=known)


def numbers_of(rule: Mapping[str, Any]) -> dict[str, str]:
    """Return the numbers of a rule that its text can name in braces, as people write them.

    {number} is the first of the others.
    """
    numbers = {key: _number(rule[key]) for key in ("max", "min", "least", "points") if key in rule}
    if "sizes" in rule:
        numbers["sizes"] = listed(map(str, rule["sizes"]))
    return {**numbers, "number": next(iter(numbers.values()))} if numbers else {}


def _number(bound: Any) -> str:
    if not isinstance(bound, Mapping):
        return str(bound)
    if "share" in bound:
        per_cent = Fraction(bound["share"]) * 100
        return f"{per_cent}%" if per_cent.denominator == 1 else str(bound["share"])
    return str(bound.get("number", bound.get("limit_less", "")))


def _phrase(entry: Entry, path: Path) -> Iterator[Complaint]:
    """Yield that a phrase names more in curly brackets than {number}, {rest} and {models}."""
    names = ("number",) if entry["kind"] == "by-size" else ("number", "rest", "models")
    try:
        entry["phrase"].format(**dict.fromkeys(names, 1))
    except (KeyError, IndexError, ValueError):
        message = marked("The phrase has a name in braces that we can’t fill in.")
        advice = marked("Use {names} only.")
        allowed = listed(f"{{{name}}}" for name in names)
        yield complaint((*path, "phrase"), message, advice, names=allowed)


def sentence_problems(data: Entry) -> Iterator[Complaint]:
    """Yield problems with the sentences of a system file that has passed the schema.

    Each code has one, unless its kind of rule brings its own, and uses only values that its rules
    have.
    """
    sentences: Mapping[str, str] = data.get("sentences", {})
    own, shared = (_by_code(table) for table in (sentences, TEMPLATES))
    kinds: dict[str, set[str]] = {}
    for number, rule in enumerate(data["rules"]):
        codes: list[tuple[Path, str]] = [((key,), rule[key]) for key in _CODES if key in rule]
        codes += [((key, "code"), rule[key]["code"]) for key in _INNER_CODES if key in rule]
        for path, code in codes:
            kinds.setdefault(code, set()).add(rule["kind"])
            where = ("rules", number, *path)
            if code not in own and code not in shared and not rule_kinds()[rule["kind"]].plain:
                message, named = marked("There is no sentence for “{code}”."), {"code": code}
                yield complaint(where, message, "Add it to {table}.", table="sentences", **named)
            elif code not in own:
                for key in shared.get(code, ()):
                    yield from _template(TEMPLATES[key], {rule["kind"]}, where)
    for key, template in sentences.items():
        code = key.partition(" ")[0]
        if code in kinds:
            yield from _template(template, kinds[code], ("sentences", key))
        elif "extends" not in data:
            message = marked("No rule has the code “{code}”.")
            yield complaint(("sentences", key), message, code=code)


def _by_code(sentences: Iterable[str]) -> dict[str, list[str]]:
    """Return the keys of sentences by their code, but for those of the engine's own rules."""
    keys: dict[str, list[str]] = {}
    for key in sentences:
        code, _, what = key.partition(" ")
        if not what.startswith("unknown"):
            keys.setdefault(code, []).append(key)
    return keys


def _template(template: str, kinds: set[str], path: Path) -> Iterator[Complaint]:
    names = COMMON.union(*(rule_kinds()[kind].says for kind in kinds))
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        message = marked("A brace is not closed, or not opened.")
        yield complaint(path, message, "Write each value in braces, by its name.")
        return
    for _, name, spec, _ in parsed:
        if name is not None and name not in names:
            message, known = marked("A sentence of this rule has no value “{name}”."), sorted(names)
            yield complaint(path, message, "It has {names}.", name=name, names=listed(known))
        elif name in COUNTED and spec not in _NUMBERS:
            advice, names_of = marked("Write one of {names} after it."), listed(_NUMBERS)
            yield complaint(path, "“{name}” needs a noun.", advice, name=name, names=names_of)
