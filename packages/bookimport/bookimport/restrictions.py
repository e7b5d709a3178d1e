"""Names of a source file as players read them, and restrictions in names and texts as conditions:
"Willow's Ward (only on Foot)", "Wizards only". What cannot be read is told as not checked.
"""

import re
from typing import Final

from bookimport.heights import Heights, heights_in
from bookimport.logic import Cond, all_of, any_of, negate
from bookimport.names import book_title, clean, split
from bookimport.source import SourceEntry
from bookimport.survey import Survey

_NEGATIVE: Final = re.compile(r"^(?:cannot be taken by|not on|not with|not)\s+", re.I)
_POSITIVE: Final = re.compile(r"^only (?:on |for )?|\s*\bonly\.?$", re.I)
_MODELS: Final = re.compile(r"^models? (?:with |on |of )?|\s+(?:models?|size)$", re.I)
_SIZED: Final = re.compile(r"^(standard|large|gigantic)(?:[ -]size[d]?)? (?!and\b|or\b)(.+)$", re.I)
_SEPARATORS: Final = re.compile(r"\s*[,/]\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+")
_CATEGORY: Final = re.compile(r"^(?:units that count toward\s+(.+)|(.+) units)$", re.I)
_MOUNTED: Final = re.compile(r"^(?:models )?mounted on\s+(.+)$", re.I)
_ARTICLE: Final = re.compile(r"^the\s+", re.I)
_CANNOT_TAKE: Final = re.compile(r"^the bearer cannot take\s+", re.I)
#: What makes a model a wizard, by the beginnings of names (rulebook, 8.D.b).
_WIZARDS: Final = re.compile(
    r"wizard (?:apprentice|adept|master|level)|magic path|path of magic|path: ", re.I
)
#: What the game system has a trait for, by the words of the files.
_TRAITS: Final = {
    "standard": "standard-height",
    "large": "large-height",
    "gigantic": "gigantic-height",
    "cavalry": "cavalry",
    "foot": "on-foot",
    "on foot": "on-foot",
    "wizard": "wizard",
    "wizard master": "wizard-master",
    "not a leader": "not-a-leader",
    "towering presence": "towering-presence",
    "ambush": "ambush",
}

#: Who has a rule that the files name and no longer have (Sylvan Elves 2022, where no option brings
#: it).
_BEARERS: Final = {
    "sylvan spirit": (
        "Avatar of Nature", "Dryad Ancient", "Thicket Beasts", "Thicket Shepherd", "Treefather",
        "Treefather Ancient",
    )
}  # fmt: skip


class Reader:
    """Reads the phrases of names and texts as conditions. `categories`: our ids by the file's."""

    def __init__(self, survey: Survey, categories: dict[str, str]) -> None:
        self.survey = survey
        self.categories = {survey.name(id_).casefold(): our for id_, our in categories.items()}

    def cond(self, phrase: str, at: SourceEntry) -> Cond | None:
        """What the phrase asks of the unit that takes the option at an entry; None: unreadable."""
        phrase = clean(phrase).strip(" .")
        if barred := _CANNOT_TAKE.match(phrase):
            return self._without(phrase[barred.end() :], at)
        refused, subject, words = _parts(phrase)
        asked = [self._asked(word, at, refused) for word in words]
        if None in asked and refused:
            # A Height that is refused is refused, whatever else the phrase means.
            asked = [one for one, word in zip(asked, words, strict=True) if heights_in(word)]
        conds = [cond for cond in asked if cond is not None]
        if not conds or None in asked:
            return None
        if refused:
            return all_of(negate(cond) for cond in conds)
        both = " and " in subject.casefold() and len({_kind(cond) for cond in conds}) > 1
        return all_of(conds) if both else any_of(conds)

    def open(self, phrase: str, at: SourceEntry) -> Cond:
        """Return when it cannot be told whether a phrase is kept that `cond` reads."""
        refused, _, words = _parts(clean(phrase).strip(" ."))
        heights = [found for word in words if (found := heights_in(word))]
        if not heights:
            return False
        if any(self._asked(word, at, refused) is None for word in words):
            return True
        return any_of(Heights(self.survey, at).open(one, refused) for one in heights)

    def _asked(self, word: str, at: SourceEntry, refused: bool) -> Cond | None:
        heights = heights_in(word)
        if heights:
            return Heights(self.survey, at).cond(heights, refused)
        return self._one(word, at)

    def _one(self, word: str, at: SourceEntry) -> Cond | None:
        """Return what one of the things in a phrase asks; None where nothing is called so."""
        if counted := _CATEGORY.match(word):
            category = self.categories.get((counted[1] or counted[2]).casefold())
            if category is not None:
                return {"category": category}
        if sized := _SIZED.match(word):
            rest = self._one(sized[2], at)
            return None if rest is None else all_of([_trait(sized[1]), rest])
        if mounted := _MOUNTED.match(word):
            plain = _singular(mounted[1])
            mounts = [one for one in self._beside(at) if _is_called(one.name, plain)]
            return {"taken": mounts} if mounts else False
        plain = _singular(_bare(_ARTICLE.sub("", word)))
        if plain in _TRAITS:
            return _trait(plain)
        if plain == "general":
            return {"role": "general"}
        if plain == "bsb":
            bearers = [one for one in self._beside(at) if self.survey.is_standard_bearer(one)]
            return {"taken": bearers} if bearers else False
        called = [one for one in self._beside(at) if _is_called(one.name, plain)]
        mounts = [one for one in called if self.survey.is_mount(one)]
        if mounts:
            return {"taken": mounts}
        if plain in _BEARERS:
            bearers = [one for one in self.survey.owners[at] if one.name in _BEARERS[plain]]
            return any_of({"unit": one} for one in bearers)
        units = self._units(plain, at)
        if units is not None:
            return units
        # A group around it that bears the same words is offered to them alone.
        kept = any(_is_called(group.name, plain) for group in self.survey.holders(at))
        return True if kept else {"taken": called} if called else None

    def _units(self, word: str, at: SourceEntry) -> Cond | None:
        """That it is one of the units with this name; None where the book has no such unit."""
        named = [
            root
            for root in self.survey.book.roots
            if any(_is_unit(name, word) for name in (root.name, *_parts_of(root)))
        ]
        owners = self.survey.owners[at]
        here = [root for root in named if root in owners]
        if here and owners <= set(here):
            return True
        return any_of({"unit": root} for root in here) if named else None

    def _without(self, word: str, at: SourceEntry) -> Cond | None:
        """That nothing is taken of the groups with this name; None where there are none."""
        owners = self.survey.owners[at]
        groups = [
            one
            for one in self.survey.order
            if one.is_group and _singular(one.name) == _singular(word)
            if self.survey.owners[one] & owners
        ]
        return negate({"taken": groups}) if groups else None

    def shut_out(self, cond: Cond, at: SourceEntry) -> list[SourceEntry]:
        """Return the units that a group around an option is called after, and that can never be
        what the option asks: "Wizards only" in "Artefacts (Prelate)".
        """
        names = {holder.name for holder in self.survey.around(at)}
        words = [
            _singular(word)
            for name in names
            for match in _BRACKETS.finditer(clean(name))
            for word in re.split(r"\s*,\s*|\s+and\s+", match[1])
        ]
        named = (root for root in self.survey.book.roots if root in self.survey.owners[at])
        called = [root for root in named if any(_is_unit(root.name, word) for word in words)]
        return [unit for unit in called if not self._can_be(cond, unit)]

    def _can_be(self, cond: Cond, unit: SourceEntry) -> bool:
        """Return whether a unit may ever be what a condition asks, as far as the file tells."""
        if isinstance(cond, bool):
            return cond
        if "all" in cond:
            return all(self._can_be(part, unit) for part in cond["all"])
        if "any" in cond:
            return any(self._can_be(part, unit) for part in cond["any"])
        if "unit" in cond:
            return cond["unit"] is unit
        if "taken" in cond:
            return any(unit in self.survey.owners[thing] for thing in cond["taken"])
        if str(cond.get("is", "")).startswith("wizard"):
            reached = (one for one in self.survey.order if unit in self.survey.owners[one])
            return any(map(self._is_of_wizards, reached))
        return True

    def _is_of_wizards(self, entry: SourceEntry) -> bool:
        """Return whether an entry, or a rule that it has, makes its unit a wizard."""
        names = [entry.name, *(info.name for info in entry.infos)]
        return any(_WIZARDS.match(clean(name)) for name in names)

    def _beside(self, at: SourceEntry) -> list[SourceEntry]:
        """Return the options of the units that have the one at an entry."""
        owners = self.survey.owners[at]
        return [
            one
            for one in self.survey.order
            if one.kind == "upgrade"
            and one is not at
            and one not in self.survey.book.roots
            and self.survey.owners[one] & owners
        ]


def _parts(phrase: str) -> tuple[bool, str, list[str]]:
    """Return whether a phrase refuses, whom it names, and the same word by word."""
    refused = _NEGATIVE.match(phrase) is not None
    subject = (_NEGATIVE if refused else _POSITIVE).sub("", phrase).strip()
    return refused, subject, _SEPARATORS.split(_bare(subject))


def _trait(word: str) -> Cond:
    return {"is": _TRAITS[word.casefold()]}


def _kind(cond: Cond) -> str:
    """Return what a condition asks: "Standard and Foot" asks both, "Standard and Large" either."""
    if not isinstance(cond, dict):
        return "unit"
    trait = str(cond.get("is", ""))
    return "height" if trait.endswith("-height") else trait or next(iter(cond))


def _bare(words: str) -> str:
    return _MODELS.sub("", words.strip()).strip()


def _singular(word: str) -> str:
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", split(word).name.casefold())
    return " ".join(part.removesuffix("s") if len(part) > 3 else part for part in words)


def is_unit_name(word: str, survey: Survey) -> bool:
    """Return whether some unit of the book is called so."""
    plain = _singular(word)
    return any(_is_unit(root.name, plain) for root in survey.book.roots)


def _is_unit(name: str, word: str) -> bool:
    """Return whether a unit is called so, by its whole name or the last word of it."""
    said = _singular(name)
    return said == word or said.rpartition(" ")[2] == word


def _parts_of(unit: SourceEntry) -> list[str]:
    """Return the names of the models and model parts of a unit, from "Shrine Priest Offensive"."""
    return [row.name.rpartition(" ")[0] for row in unit.profiles]


def _is_called(name: str, word: str) -> bool:
    """Return whether the words stand in the name of an option."""
    return f" {word} " in f" {_singular(name)} "


_KINDS: Final = re.compile(r"^(?:Character|Unit|Guiding|Mount)\s*(?:-|:)\s*", re.I)
_MARKS: Final = re.compile(r"\s*\((?:F|2nd|BSB|Mount|and lose [^()]+)\)|^2nd\s+-?\s*", re.I)
_LOSES: Final = re.compile(r"\((?:and )?loses? ([^()]+)\)", re.I)
_BRACKETS: Final = re.compile(r"\s*\(([^()]+)\)")
#: Items of the book itself, marked by its initials: "HE Artefacts".
_INITIALS: Final = re.compile(
    r"^(?!Runic\b)\S{2,4} ((?:(?:Weapon|Armour|Shield|Banner) Enchantments?|Artefacts?)\b.*)$"
)
#: The same in square brackets: of the book, or of all where the file of the game has it.
_SQUARE: Final = re.compile(r"^\[\w{2,4}\]\s+(?=\S)")
#: Slips of spelling, where another place of the files has it right.
_SPELLING: Final = {
    "Chiling": "Chilling",
    "Sorceror": "Sorcerer",
}


def option_label(name: str, survey: Survey) -> str:
    """Return the name of an option or unit as players read it."""
    said = _KINDS.sub("", split(name).name)
    said = _MARKS.sub("", said)
    for match in list(_BRACKETS.finditer(said)):
        words = re.split(r"\s*,\s*|\s+and\s+", match[1])
        if all(is_unit_name(word, survey) for word in words):
            said = said.replace(match[0], "")
    return _spelled(said) or clean(name)


def group_label(name: str, survey: Survey) -> str:
    """Return the name of a group as players read it."""
    said = clean(_BRACKETS.sub("", clean(name)))
    if shared := _SQUARE.match(said):
        said = said[shared.end() :]
        common = any(one.name == name for one in survey.system.entries.values())
        said = said if common else f"{book_title(survey.book.name)} {said}"
    elif own := _INITIALS.match(said):
        said = f"{book_title(survey.book.name)} {own[1]}"
    return _spelled(said) or clean(name)


def what_it_loses(name: str) -> str:
    """Return a special rule that the unit loses with the option, as its name says; "" if none."""
    match = _LOSES.search(clean(name))
    return match[1] if match else ""


def _spelled(name: str) -> str:
    for wrong, right in _SPELLING.items():
        name = re.sub(rf"\b{wrong}\b", right, name)
    return clean(name)
