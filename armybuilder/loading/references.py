"""Reference checks of system files: every id that is named exists."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from armybuilder.engine.catalogue import System
from armybuilder.engine.options import slug
from armybuilder.engine.wording import listed, marked, say
from armybuilder.loading.problems import pointer

#: Kinds of tag a selector may name beside the attributes; None: any id is fine.
_SELECTOR_KINDS = (
    *("ability", "role", "tag", "unit", "option", "category", "keyword", "subtype", "item"),
    *("can", "must", "choice", "gap"),
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


class Complaint(NamedTuple):
    """A problem before it is known in which file: pointer, message, advice."""

    pointer: str
    message: str
    advice: str = ""


def complaint(path: Iterable[object], message: str, advice: str) -> Complaint:
    """Return a problem at a path of the file."""
    return Complaint(pointer(path), message, advice)


def system_problems(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """Yield every wrong reference of a system file that has passed the schema."""
    yield from _twice(data)
    yield from citation_complaints(data, (), data["sources"])
    names = Names.in_file(data)
    for number, rule in enumerate(data["rules"]):
        yield from names.check(rule, ("rules", number))
    for number, fact in enumerate(data["facts"]):
        yield from names.check(fact, ("facts", number))
    for number, reminder in enumerate(data.get("reminders", ())):
        yield from names.check(reminder, ("reminders", number))
    for number, wish in enumerate(data.get("wishes", ())):
        yield from names.check(wish, ("wishes", number))
    for number, setting in enumerate(data["settings"]):
        yield from names.setting(setting, ("settings", number))
    for number, ability in enumerate(data["abilities"]):
        minus = ability.get("wounds", {}).get("minus")
        yield from names.of("stats", [minus], ("abilities", number, "wounds", "minus"))
    yield from names.of("roles", [data.get("sometimes")], ("sometimes",))
    yield from names.of("stats", [data.get("armour", {}).get("stat")], ("armour", "stat"))
    formula = data["points"].get("formula")
    if formula:
        stats = [*formula["weights"], formula["minus"]]
        yield from names.of("stats", stats, ("points", "formula"))
        for stat in stats:
            if names.known["stats"].get(stat, {}).get("text"):
                message = say("“{stat}” holds text; the formula needs numbers.", stat=stat)
                yield Complaint("/points/formula", message, say("Name another statistic."))
    for number, table in enumerate(data.get("tables", ())):
        yield from names.of("settings", [table.get("setting")], ("tables", number, "setting"))
        for row, cells in enumerate(table["rows"]):
            if len(cells) != len(table["columns"]):
                path = ("tables", number, "rows", row)
                yield complaint(
                    path,
                    say("The row has {number} cells.", number=len(cells)),
                    say("One per column is needed."),
                )


def _twice(data: Mapping[str, Any]) -> Iterator[Complaint]:
    for key in (
        *("stats", "attributes", "texts", "abilities", "spells"),
        *("roles", "settings", "rules", "facts"),
    ):
        yield from duplicates(data.get(key, ()), (key,))
    yield from _explained_twice(data)


def _explained_twice(data: Mapping[str, Any]) -> Iterator[Complaint]:
    """Yield a complaint for every entry of the glossary whose name an earlier one has."""
    seen: set[str] = set()
    for group, part in enumerate(data.get("glossary", ())):
        for number, entry in enumerate(part["entries"]):
            if slug(entry["name"]) in seen:
                yield complaint(
                    ("glossary", group, "entries", number, "name"),
                    say("The glossary has “{name}” already.", name=entry["name"]),
                    say("Explain a rule once."),
                )
            seen.add(slug(entry["name"]))


def duplicates(entries: Sequence[Mapping[str, Any]], path: Sequence[object]) -> Iterator[Complaint]:
    """Yield a complaint for every entry whose id an earlier entry has."""
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        if entry["id"] in seen:
            yield complaint(
                (*path, number, "id"),
                say("The id “{id}” is taken.", id=entry["id"]),
                say("Give it another."),
            )
        seen.add(entry["id"])


def citation_complaints(
    value: Any, path: tuple[object, ...], sources: Mapping[str, Any]
) -> Iterator[Complaint]:
    """Complaints about `cite` objects anywhere in the value that name none of the sources."""
    if isinstance(value, dict):
        cite = value.get("cite")
        if isinstance(cite, dict) and cite["source"] not in sources:
            yield complaint(
                (*path, "cite", "source"),
                say("There is no source “{source}”.", source=cite["source"]),
                say("Add it to sources."),
            )
        for key, inner in value.items():
            yield from citation_complaints(inner, (*path, key), sources)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from citation_complaints(inner, (*path, number), sources)


class Names:
    """What a system defines, by the sections of its file, and the checks of what entries name."""

    def __init__(self, known: Mapping[str, Mapping[str, Any]]) -> None:
        self.known = known

    @classmethod
    def in_file(cls, data: Mapping[str, Any]) -> Self:
        """Return those of a system file."""
        sections = ("stats", "attributes", "abilities", "roles", "settings")
        known = {key: {entry["id"]: entry for entry in data[key]} for key in sections}
        return cls({**known, "asked": {key: {} for key in _asked_stats(data.get("traits", []))}})

    @classmethod
    def of_system(cls, system: System) -> Self:
        """Return those of a system that was made."""
        settings = {
            one.id: {
                "kind": one.kind,
                "attribute": one.attribute,
                "values": [{"id": value} for value in one.values],
            }
            for one in system.settings.values()
        }
        attributes = {one.id: {"values": one.values} for one in system.attributes.values()}
        return cls(
            {
                "stats": {key: {"text": stat.text} for key, stat in system.stats.items()},
                "attributes": attributes,
                "abilities": {key: {} for key in system.abilities},
                "roles": {key: {} for key in system.roles},
                "settings": settings,
                "asked": {key: {} for key in system.asked.stats},
            }
        )

    def of(
        self, table: str, ids: Sequence[str | None], path: tuple[object, ...]
    ) -> Iterator[Complaint]:
        """Yield ids that a table does not have."""
        for wanted in ids:
            if wanted is not None and wanted not in self.known[table]:
                message = say(_UNKNOWN[table], name=wanted)
                yield complaint(path, message, say("Define it in {table}.", table=table))

    def check(self, entry: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
        """Yield all references of a rule, fact or reminder, by the keys that hold them."""
        single = (
            ("abilities", ("ability", "supply", "times_rating")),
            ("settings", ("setting",)),
            ("stats", ("stat",)),
            ("attributes", ("attribute",)),
            ("roles", ("role",)),
        )
        for table, keys in single:
            for key in keys:
                yield from self.of(table, [entry.get(key)], (*path, key))
        for table, key in (
            ("abilities", "abilities"),
            ("abilities", "ratings"),
            ("attributes", "attributes"),
        ):
            yield from self.of(table, entry.get(key, ()), (*path, key))
        yield from self._meant(entry, path)
        for key in ("min", "max"):
            if isinstance(entry.get(key), dict) and "by" in entry[key]:
                yield from self.table(entry[key], (*path, key))
        yield from self.given(entry.get("for", {}), (*path, "for"))
        for key in ("min", "max"):
            bound = entry.get(key)
            if isinstance(bound, dict) and "setting" in bound:
                yield from self.of("settings", [bound["setting"]], (*path, key, "setting"))
                yield from self.kind_of(bound["setting"], "number", (*path, key, "setting"))
        yield from self.of("settings", entry.get("settings", ()), (*path, "settings"))
        for key in ("more", "texts"):
            for value in entry.get(key, ()):
                yield from self.value(entry["setting"], value, (*path, key, value))
        if entry.get("kind") == "fixed":
            yield from self.fixed(entry, path)
        if entry.get("kind") == "pool":
            yield from self.kind_of(entry["setting"], "pool", (*path, "setting"))
        if entry.get("kind") == "belongs":
            yield from self.value_of(entry["setting"], entry["attribute"], (*path, "setting"))
        if entry.get("kind") == "available" or entry.get("count") == "pieces":
            yield from self.kind_of(entry.get("setting"), "pieces", (*path, "setting"), "choice")
        if "phrase" in entry:
            yield from _phrase(entry, path)
        if "none" in entry and entry.get("attribute") in self.known["attributes"]:
            values = self.known["attributes"][entry["attribute"]]["values"]
            if entry["none"] not in values:
                message = say(
                    "{attribute} has no value “{value}”.",
                    attribute=entry["attribute"],
                    value=entry["none"],
                )
                yield complaint((*path, "none"), message, say("Fix the spelling."))

    def _meant(self, entry: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
        """Yield what selectors of an entry name, and of the entries within it."""
        for key in ("of", "by", "needs", "besides", "as_one", "disputed", "unclear"):
            if isinstance(entry.get(key), dict):
                yield from self.selector(entry[key], (*path, key))
        for number, inner in enumerate(entry.get("counts", ())):
            yield from self.selector(inner["of"], (*path, "counts", number, "of"))
        for number, inner in enumerate(entry.get("among", ())):
            yield from self.check(inner, (*path, "among", number))
        for key in ("between", "needs"):
            for number, inner in enumerate(entry.get(key, ()) if key in entry else ()):
                if isinstance(inner, dict):
                    check = self.selector if key == "between" else self.check
                    yield from check(inner, (*path, key, number))

    def kind_of(
        self, setting: str | None, kind: str, path: tuple[object, ...], other: str = ""
    ) -> Iterator[Complaint]:
        """Yield that a setting is of another kind than one of two."""
        found = self.known["settings"].get(setting or "")
        if found is not None and found["kind"] not in (kind, other):
            message = say(
                "The setting “{setting}” is not of kind “{kind}”.", setting=setting, kind=kind
            )
            yield complaint(path, message, say("Name one that is."))

    def value_of(
        self, setting: str, attribute: str, path: tuple[object, ...]
    ) -> Iterator[Complaint]:
        """Complaints about a setting that does not hold a value of the attribute."""
        found = self.known["settings"].get(setting)
        if found is not None and found.get("attribute") != attribute:
            message = say(
                "The setting “{setting}” holds no value of “{attribute}”.",
                setting=setting,
                attribute=attribute,
            )
            yield complaint(path, message, say("Name one that does."))

    def selector(self, data: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
        """Yield what a selector names that there is not."""
        for kind, wanted in data.items():
            if kind == "not":
                yield from self.selector(wanted, (*path, kind))
            elif kind in ("all", "any"):
                for number, inner in enumerate(wanted):
                    yield from self.selector(inner, (*path, kind, number))
            elif kind in ("ability", "role"):
                ids = [wanted] if isinstance(wanted, str) else wanted
                table = "abilities" if kind == "ability" else "roles"
                yield from self.of(table, ids, (*path, kind))
            elif kind in self.known["attributes"]:
                ids = [wanted] if isinstance(wanted, str) else wanted
                values = self.known["attributes"][kind]["values"]
                for value in ids:
                    if value not in values:
                        yield complaint(
                            (*path, kind),
                            say("{attribute} has no value “{value}”.", attribute=kind, value=value),
                            say("Fix the spelling."),
                        )
            elif kind not in (*_SELECTOR_KINDS, "cross_faction", *self.known["asked"]):
                yield complaint(
                    (*path, kind),
                    say("Units have no attribute “{kind}”.", kind=kind),
                    say("Define it, or fix it."),
                )

    def table(self, data: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
        """Yield what is wrong with a bound by two settings."""
        yield from self.of("settings", data["by"], (*path, "by"))
        for setting, kind in zip(data["by"], ("choice", "number"), strict=True):
            yield from self.kind_of(setting, kind, (*path, "by"))
        first = self.known["settings"].get(data["by"][0])
        if first is not None and first["kind"] == "choice":
            missing = {value["id"] for value in first["values"]} - set(data["table"])
            for value in sorted(missing):
                yield complaint(
                    (*path, "table"), say("No row for “{value}”.", value=value), say("Add one.")
                )

    def setting(self, entry: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
        """Yield what is wrong with a setting."""
        yield from self.given(entry.get("for", {}), (*path, "for"))
        yield from duplicates(entry.get("values", ()), (*path, "values"))
        yield from self.of("attributes", [entry.get("attribute")], (*path, "attribute"))
        values = {value["id"] for value in entry.get("values", ())}
        default = entry.get("default")
        if entry["kind"] == "choice" and default is not None and default not in values:
            yield complaint(
                (*path, "default"),
                say("The default is not one of the values."),
                say("Choose one of them."),
            )
        numbers = entry["kind"] == "number" and default is not None
        if numbers and not entry["low"] <= default <= entry["high"]:
            message = say(
                "The default is not between {low} and {high}.", low=entry["low"], high=entry["high"]
            )
            yield complaint((*path, "default"), message, say("Choose another."))
        for number, value in enumerate(entry.get("values", ())):
            yield from self.given(value.get("needs", {}), (*path, "values", number, "needs"))

    def given(
        self, data: Mapping[str, Sequence[str] | Mapping[str, int]], path: tuple[object, ...]
    ) -> Iterator[Complaint]:
        """Yield what settings must have for a piece, a rule or a fact."""
        for setting, wanted in data.items():
            if isinstance(wanted, Mapping):
                yield from self.of("settings", [setting], path)
                yield from self.kind_of(setting, "number", (*path, setting))
            else:
                yield from self.needed(setting, wanted, path)
                yield from self.kind_of(setting, "choice", (*path, setting), "attribute")

    def needed(
        self, setting: str, wanted: Sequence[str], path: tuple[object, ...]
    ) -> Iterator[Complaint]:
        yield from self.of("settings", [setting], path)
        for value in wanted:
            yield from self.value(setting, value, (*path, setting))

    def fixed(self, entry: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
        """Yield values that a fixed setting cannot have."""
        found = self.known["settings"].get(entry["setting"], {})
        for number, value in enumerate(entry["values"]):
            where = (*path, "values", number)
            if isinstance(value, str):
                yield from self.value(entry["setting"], value, where)
                yield from self.kind_of(entry["setting"], "choice", where, "attribute")
            elif found:
                yield from self.kind_of(entry["setting"], "number", where)

    def value(self, setting: str, value: str, path: tuple[object, ...]) -> Iterator[Complaint]:
        """Complaints about a value that the setting, where there is one, cannot have."""
        found = self.known["settings"].get(setting, {})
        attribute = self.known["attributes"].get(found.get("attribute", ""), {})
        known = {entry["id"] for entry in found.get("values", ())} | {*attribute.get("values", ())}
        if known and value not in known:
            message = say(
                "The setting “{setting}” has no value “{value}”.", setting=setting, value=value
            )
            yield complaint(path, message, say("Fix the spelling."))


def _asked_stats(data: Any) -> Iterator[str]:
    """Yield the statistics that traits ask of: these are tags of units, so selectors may too."""
    inner: Iterable[Any] = data if isinstance(data, list) else ()
    if isinstance(data, dict):
        if isinstance(data.get("stat"), str):
            yield data["stat"]
        inner = data.values()
    for part in inner:
        yield from _asked_stats(part)


def _phrase(entry: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Complaint]:
    """Yield that a phrase names more in curly brackets than {number}, {rest} and {models}."""
    names = ("number",) if entry["kind"] == "by-size" else ("number", "rest", "models")
    fields = dict.fromkeys(names, 1)
    try:
        entry["phrase"].format(**fields)
    except (KeyError, IndexError, ValueError):
        allowed = listed(f"{{{name}}}" for name in fields)
        advice = say("It may hold {names}; no other curly brackets.", names=allowed)
        yield complaint((*path, "phrase"), say("The phrase cannot be filled in."), advice)
