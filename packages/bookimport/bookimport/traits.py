"""Keywords, stat lines, special items and names: what an entry is besides its limits."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from armybuilder.engine.wording import marked
from bookimport.amounts import Reckoner
from bookimport.drafts import HIDDEN, Unsayable
from bookimport.ledger import parts_of
from bookimport.logic import negate
from bookimport.names import clean, is_same, kebab
from bookimport.restrictions import group_label, option_label
from bookimport.source import Info, Modifier, SourceEntry, SourceProfile

#: Kinds of profile that make up a stat line, by the beginning of their names.
#: "1 Global" or, in Essence of War, "A - Global".
_STAT_LINE: Final = re.compile(r"[0-3A-D] (?:- )?(?:Size|Global|Defensive|Offensive)")
#: The columns of a size, by those of the type it was given by mistake.
_SIZES: Final = {"Adv": "Height", "Mar": "Type", "Dis": "Base"}
_STEM: Final = re.compile(r"\s+(?:Global|Defensive|Def|Offensive|Off|Size)\b.*$")
#: The reach of what flies, as some files write it.
_FLYING: Final = re.compile(r"^Ground ([^,]+), (?:Fly |March )?(.+)$")
#: What statistics of bases are in, behind the number.
_MILLIMETRES: Final = re.compile(r"(?<=\d)\s*mm$")
#: Why a change forbids nothing.
ONLY_A_NAME: Final = "a change of a name"
ONLY_A_STATISTIC: Final = "a change of a statistic or rule that only the sheet shows"
#: Names of rules longer than this are prose.
_LONGEST_RULE: Final = 60
#: Letters of a keyword in a book.
LONGEST_KEYWORD: Final = 80
_ITEM_GROUP: Final = re.compile(r"\b(weapon|armour|shield|banner)s? enchantments?\b", re.I)
_ARTEFACTS: Final = re.compile(r"\bartefacts?\b", re.I)
_BORNE: Final = re.compile(
    r"hand weapons?|paired weapons?|great weapons?|light lance|lance|spear|halberd|longbow"
    r"|heavy armour|light armour|plate armour|beast axe|iron fist|brace of ogre pistols"
    r"|ogre crossbow",
    re.I,
)
_BANNERS: Final = re.compile(r"\b(banner|standard)s?\b", re.I)
_MELEE: Final = re.compile(r"melee|close combat", re.I)
#: Stands in `on` for every melee weapon of the book, until all of them are known.
ANY_MELEE_WEAPON: Final = "any-melee-weapon"
_PLURALS: Final = {"paired-weapon": "paired-weapons", "hand-weapons": "hand-weapon"}


def is_stat_line(profile: SourceProfile | None) -> bool:
    """Return whether the profile is a stat line, or a part of one, by the name of its kind."""
    return profile is not None and _STAT_LINE.match(profile.type) is not None


class Traits:
    """Reads what single entries are. Notes what it leaves out."""

    def __init__(self, reckoner: Reckoner) -> None:
        self.reckoner = reckoner
        self.survey = reckoner.survey
        self.notes = reckoner.notes

    def own_name(self, entry: SourceEntry) -> str:
        """Return the name with what is always appended to it; conditional changes are gaps."""
        return self._renamed(self._label(entry.name, entry), entry)

    def link_name(self, link: SourceEntry, target: SourceEntry) -> str:
        """The name at one place: the target's, with the link's remark and what it appends."""
        base, said = self.own_name(target), self._label(link.name, target)
        return self._renamed(said if said.startswith(base) else base, link)

    def is_called(self, link: SourceEntry, target: SourceEntry) -> bool:
        """Return whether a link has the name of what it links to, perhaps with more behind it."""
        return self._label(link.name, target).startswith(self._label(target.name, target))

    def _label(self, name: str, entry: SourceEntry) -> str:
        """Return the name as players read it."""
        if entry in self.survey.book.roots:
            return clean(name)
        is_group = entry.is_group or self.is_wrapper(entry)
        return group_label(name, self.survey) if is_group else option_label(name, self.survey)

    def keywords(self, entries: list[SourceEntry], unless: str) -> list[Any]:
        """Names of rules, weapons and armour, but not the one that is the name itself."""
        found: list[Any] = []
        for entry in entries:
            for word in map(self._cut, self._keywords(entry)):
                name = word["name"] if isinstance(word, dict) else word
                if not is_same(name, unless) and word not in found:
                    found.append(word)
        return found

    def _cut(self, word: Any) -> Any:
        """Return a keyword no longer than a book may have; what is cut is told."""
        name = word["name"] if isinstance(word, dict) else word
        if len(name) <= LONGEST_KEYWORD:
            return word
        short = f"{name[: LONGEST_KEYWORD - 1].rstrip()}…"
        self.notes.doubt(short, "a keyword of more than 80 letters is cut")
        return {**word, "name": short} if isinstance(word, dict) else short

    def rows(self, entries: list[SourceEntry]) -> list[dict[str, Any]]:
        """Return the stat lines of entries, the parts of each model merged, in their order."""
        rows: dict[str, dict[str, Any]] = {}
        for entry in entries:
            for profile in self._all_profiles(entry):
                if not is_stat_line(profile):
                    continue
                stem = _stem(self._plainly_renamed(profile))
                row = rows.setdefault(stem, {"name": stem, "stats": {}, "rules": [], "when": []})
                self._fill(row, profile, entry)
        kept = [{key: value for key, value in row.items() if value} for row in rows.values()]
        return [row for row in kept if "stats" in row]

    def item_kind(self, entry: SourceEntry) -> str | None:
        """The kind of special item that is in a group, by its name or the group around it; None in
        a game that has no rules for them.
        """
        seen: set[SourceEntry] = set()
        level = [entry] if self.survey.rules.slots else []
        while level:
            step = level.pop(0)
            if step in seen or step.kind in {"unit", "model"}:
                continue
            seen.add(step)
            found = _kind_by_name(step.name)
            if found is not None:
                return found or None
            if step is entry or step.kind in {"group", "link"} or self.is_wrapper(step):
                level += self.survey.containers[step]
        return None

    def kind_of_item(self, entry: SourceEntry) -> str | None:
        """The kind of special item that an option is: it stands in groups of such and nowhere
        else.
        """
        kinds = [
            self.item_kind(group) if group.is_group or self.is_wrapper(group) else None
            for group in self.survey.holders(entry)
        ]
        return kinds[0] if kinds and all(kinds) else None

    def item_facts(self, entry: SourceEntry, kind: str) -> dict[str, Any]:
        """`item` and what it is put `on`, for an option in a group of special items."""
        types = [text for row in self._all_profiles(entry) for _, name, text in row.cells
                 if name == "Type"]  # fmt: skip
        text = next((text for text in types if "enchantment" in text.lower()), "")
        found = [_PLURALS.get(kebab(word), kebab(word)) for word in _BORNE.findall(text)]
        on = list(dict.fromkeys(found))
        if not on and kind == "weapon-enchantment" and _MELEE.search(text):
            on = [ANY_MELEE_WEAPON]
        if kind == "shield-enchantment":
            on = ["shield"]
        takes_target = kind in {"weapon-enchantment", "armour-enchantment", "shield-enchantment"}
        if takes_target and not (text or on):
            self.notes.gap(entry, marked("The file doesn’t say what equipment it goes on."))
        return {"item": kind, **({"on": on} if on and takes_target else {})}

    def is_wrapper(self, entry: SourceEntry) -> bool:
        """Return whether an option only holds groups: then it is a group itself."""
        return (
            entry.kind == "upgrade"
            and entry not in self.survey.book.roots
            and not (entry.cost or entry.categories or entry.infos or entry.profiles)
            and not any(link.cost or _moves_price(link) for link in self.survey.links[entry])
            and self._only_groups(entry)
            and {one.field for one in entry.modifiers}
                <= {"hidden", *(part.id for part in entry.constraints)}
            and all(_is_harmless(part.type, part.scope, part.value, part.field)
                    for part in entry.constraints)
            and not any(holder.is_group for holder in self.survey.holders(entry))
        )  # fmt: skip

    def _only_groups(self, entry: SourceEntry) -> bool:
        """Whether groups stand in an entry and nothing else, links that lead nowhere apart."""
        found = [one for one in map(self.survey.resolved, entry.children) if one is not None]
        return bool(found) and all(one.is_group for one in found)

    def _renamed(self, name: str, entry: SourceEntry) -> str:
        for modifier in entry.modifiers:
            if modifier.field != "name":
                continue
            self.notes.ledger.idle(ONLY_A_NAME, *parts_of(modifier))
            if modifier.is_plain:
                name = _new_name(name, modifier)
            elif "dominant" in modifier.value.lower():
                self.notes.dropped["warnings of the file in the place of a name"] += 1
            else:
                what = f"Under a condition its name becomes “{_new_name(name, modifier)}”."
                self.notes.gap(entry, what)
        return name

    def _keywords(self, entry: SourceEntry) -> Iterator[Any]:
        for info in entry.infos:
            if not self._is_stat_link(info):
                yield from self._keyword(info, entry)
        for profile in entry.profiles:
            if not is_stat_line(profile) and not profile.type.startswith("7 "):
                yield self._plainly_renamed(profile)

    def _keyword(self, info: Info, entry: SourceEntry) -> Iterator[Any]:
        known = self.survey.book.names.get(info.target) or self.survey.system.names.get(info.target)
        name = self._meant(clean(info.name), clean(known or ""), info)
        if not name:
            return
        if info.target and not known:
            self.survey.doubt(entry, f"the rule {name} is nowhere")
        shown: Any = not info.hidden
        for modifier in info.modifiers:
            if modifier.field == "name":
                self.notes.ledger.idle(ONLY_A_NAME, *parts_of(modifier))
                name = self._info_name(name, modifier, entry)
            elif modifier.field == "hidden":
                cond = self.reckoner.said(modifier, entry, f"whether it has {name}")
                shown = cond if cond is None or modifier.value == "false" else negate(cond)
        if shown is True:
            yield name
        elif isinstance(shown, dict):
            yield {"name": name, "if": shown}
        else:
            self.notes.dropped[HIDDEN] += 1

    def _meant(self, called: str, name: str, info: Info) -> str:
        """Return the name of what a link leads to. The link's own is out of date where it differs,
        but where it only adds a value in brackets that nothing else adds, or is that of another
        rule of the game, to which nothing leads.
        """
        adds = called.startswith(f"{name} (") and all(one.field != "name" for one in info.modifiers)
        return called if not name or adds or called in self.survey.unlinked else name

    def _info_name(self, name: str, modifier: Modifier, entry: SourceEntry) -> str:
        told = _new_name(name, modifier)
        if modifier.is_plain:
            return told
        self.notes.gap(entry, f"Under a condition the rule {name} becomes “{told}”.")
        return name

    def _is_stat_link(self, info: Info) -> bool:
        found = self.survey.profile(info.target) if info.is_profile else None
        return is_stat_line(found)

    def _all_profiles(self, entry: SourceEntry) -> Iterator[SourceProfile]:
        yield from entry.profiles
        for info in entry.infos:
            found = self.survey.profile(info.target) if info.is_profile else None
            if found is not None:
                yield replace(found, modifiers=(*found.modifiers, *info.modifiers))

    def _fill(self, row: dict[str, Any], profile: SourceProfile, entry: SourceEntry) -> None:
        self.notes.read["profiles"] += 1
        for name, text in self._cells(profile, entry):
            if name == "Rules":
                row["rules"] += self._rules(text, row, entry)
            elif text:
                row["stats"].setdefault(name.lower(), stat_value(text))
        keys = {id_: name for id_, name, _ in profile.cells}
        for modifier in profile.modifiers:
            found = self._stat_change(modifier, keys, profile, entry)
            row["when"] += [change for change in found if change not in row["when"]]

    def _cells(self, profile: SourceProfile, entry: SourceEntry) -> Iterator[tuple[str, str]]:
        """Yield a profile's columns and texts; one named Size, typed Global, has a size's."""
        typed_wrong = profile.type.startswith("1 ") and clean(profile.name).endswith(" Size")
        if typed_wrong:
            self.survey.doubt(entry, "a profile of sizes has another's type")
        for _, name, text in profile.cells:
            yield (_SIZES.get(name, name) if typed_wrong else name), text

    def _rules(self, text: str, row: dict[str, Any], entry: SourceEntry) -> Iterator[str]:
        for name in re.split(r",(?![^()]*\))", text):
            word = clean(name).rstrip(".")
            if len(word) > _LONGEST_RULE:
                self.notes.gap(entry, f"A rule of {row['name']} is told in a sentence, not named.")
            elif word and word != "-" and word not in row["rules"]:
                yield word

    def _stat_change(
        self, modifier: Modifier, keys: dict[str, str], profile: SourceProfile, entry: SourceEntry
    ) -> list[dict[str, Any]]:
        self.notes.ledger.idle(ONLY_A_STATISTIC, *parts_of(modifier))
        if modifier.field == "name":
            return self._row_name(modifier, profile, entry)
        stat = self.survey.name(modifier.field) if is_stat(modifier.field, self) else ""
        stat = keys.get(modifier.field, stat)
        told = f"{modifier.type} {stat or modifier.field} {clean(modifier.value)}"
        if not stat or stat == "Rules" or modifier.type == "append" or modifier.repeats:
            what = f"Under a condition {clean(profile.name)} changes: {told}."
            self.notes.gap(entry, what if len(told) < _LONGEST_RULE else what[:120] + "…")
            return []
        cond = self._stat_cond(modifier, entry)
        if cond is None or cond is False:
            return []
        start = {} if cond is True else {"if": cond}
        self.notes.ledger.judged(*parts_of(modifier))
        if modifier.type == "set":
            return [{**start, "set": {stat.lower(): stat_value(modifier.value)}}]
        return [{**start, "add": {stat.lower(): self.reckoner.number(modifier, entry)}}]

    def _plainly_renamed(self, profile: SourceProfile) -> str:
        """Return the name of a profile with what always changes it."""
        name = clean(profile.name)
        for modifier in profile.modifiers:
            if modifier.field == "name" and modifier.is_plain:
                name = _new_name(name, modifier)
        return name

    def _row_name(
        self, modifier: Modifier, profile: SourceProfile, entry: SourceEntry
    ) -> list[dict[str, Any]]:
        """Return that a stat line has another name where a condition holds."""
        before = self._plainly_renamed(profile)
        name = _stem(_new_name(before, modifier))
        if modifier.is_plain or name == _stem(before):
            return []
        cond = self._stat_cond(modifier, entry)
        return [{"if": cond, "name": name}] if isinstance(cond, dict) else []

    def _stat_cond(self, modifier: Modifier, entry: SourceEntry) -> Any:
        try:
            return self.reckoner.translator.cond(modifier.when, entry)
        except Unsayable as error:
            self.notes.gap(entry, f"A change of its stat line: the file {error}.")
            return None


def _stem(name: str) -> str:
    """Return the name of the model that a profile is a part of."""
    return clean(_STEM.sub("", name))


def _moves_price(link: SourceEntry) -> bool:
    return any(modifier.field == "points" for modifier in link.modifiers)


def is_stat(id_: str, traits: Traits) -> bool:
    """Return whether the id is that of a characteristic of some kind of profile."""
    return traits.survey.constraint(id_) is None and id_ not in {"name", "hidden", "points"}


def stat_value(text: str) -> str:
    """Return a value as most books write it: what flies, "Ground 5\", Fly 8\"", is "5\" (8\")"; a
    base of "25×25mm" is "25×25".
    """
    return _MILLIMETRES.sub("", _FLYING.sub(r"\1 (\2)", clean(text)))


def _new_name(name: str, modifier: Modifier) -> str:
    value = clean(modifier.value)
    return value if modifier.type == "set" else clean(f"{name} {value}")


def _kind_by_name(name: str) -> str | None:
    """Return the kind of special item that a group's name tells; "" for items that are none."""
    if "runic" in name.lower():
        return "banner-enchantment" if _BANNERS.search(name) else ""
    if found := _ITEM_GROUP.search(name):
        return f"{found.group(1).lower()}-enchantment"
    return "artefact" if _ARTEFACTS.search(name) else None


def _is_harmless(type_: str, scope: str, value: int, field: str) -> bool:
    """Whether a limit lets an option be a group: at most once on its parent, or an allowance."""
    if scope != "parent":
        return False
    return field == "points" or (value == 1 if type_ == "max" else value <= 0)
