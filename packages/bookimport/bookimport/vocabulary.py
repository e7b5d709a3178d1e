"""The constructs of BattleScribe that are understood. Another costs the entry, limit or change that
it stands in; the file is refused where it stands in none, as in a force.
"""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from armybuilder.loading.problems import Refusal

_BOOL: Final = {"true", "false"}
_FALSE: Final = {"false"}
_ENTRY_PARTS: Final = {
    "modifiers", "modifierGroups", "constraints", "infoLinks", "categoryLinks",
    "selectionEntries", "selectionEntryGroups", "entryLinks", "costs", "profiles", "rules",
    "infoGroups",
}  # fmt: skip

#: What may stand in which element.
CHILDREN: Final[dict[str, set[str]]] = {
    "gameSystem": {
        "readme", "publications", "costTypes", "profileTypes", "categoryEntries", "forceEntries",
        "selectionEntries", "entryLinks", "sharedSelectionEntries", "sharedSelectionEntryGroups",
    },
    "catalogue": {
        "readme", "publications", "profileTypes", "categoryEntries", "forceEntries",
        "selectionEntries", "entryLinks", "sharedSelectionEntries", "sharedSelectionEntryGroups",
        "catalogueLinks", "costTypes",
    },
    "catalogueLinks": {"catalogueLink"}, "catalogueLink": set(),
    "costTypes": {"costType"}, "costType": {"modifiers", "modifierGroups"},
    "categoryEntries": {"categoryEntry"},
    "categoryEntry": {"constraints", "modifiers", "modifierGroups"},
    "forceEntries": {"forceEntry"},
    "forceEntry": {"categoryLinks", "constraints", "forceEntries"},
    "categoryLinks": {"categoryLink"},
    "categoryLink": {"constraints", "modifiers", "modifierGroups"},
    "selectionEntries": {"selectionEntry"}, "sharedSelectionEntries": {"selectionEntry"},
    "selectionEntryGroups": {"selectionEntryGroup"},
    "sharedSelectionEntryGroups": {"selectionEntryGroup"},
    "selectionEntry": _ENTRY_PARTS,
    "selectionEntryGroup": _ENTRY_PARTS - {"costs"},
    "entryLinks": {"entryLink"}, "entryLink": _ENTRY_PARTS,
    "costs": {"cost"}, "cost": set(),
    "constraints": {"constraint"}, "constraint": set(),
    "modifierGroups": {"modifierGroup"},
    "modifierGroup": {"modifiers", "modifierGroups", "conditions", "conditionGroups", "repeats"},
    "modifiers": {"modifier"}, "modifier": {"conditions", "conditionGroups", "repeats"},
    "conditions": {"condition"}, "condition": set(),
    "conditionGroups": {"conditionGroup"}, "conditionGroup": {"conditions", "conditionGroups"},
    "repeats": {"repeat"}, "repeat": set(),
}  # fmt: skip

#: Attributes whose value decides what the element means, and the values that are understood.
VALUES: Final[dict[tuple[str, str], set[str]]] = {
    ("catalogue", "library"): _BOOL,
    ("catalogue", "hidden"): _FALSE,
    ("gameSystem", "library"): _BOOL,
    ("catalogueLink", "type"): {"catalogue"},
    ("catalogueLink", "importRootEntries"): _BOOL,
    ("selectionEntry", "type"): {"unit", "model", "upgrade"},
    ("selectionEntry", "import"): _BOOL,
    ("selectionEntry", "hidden"): _BOOL,
    ("selectionEntryGroup", "import"): _BOOL,
    ("selectionEntryGroup", "hidden"): _BOOL,
    ("entryLink", "type"): {"selectionEntry", "selectionEntryGroup"},
    ("entryLink", "import"): _BOOL,
    ("entryLink", "hidden"): _BOOL,
    ("categoryEntry", "hidden"): _BOOL,
    ("categoryLink", "hidden"): _BOOL,
    ("constraint", "type"): {"min", "max"},
    ("constraint", "scope"): {"parent", "roster", "force"},
    ("constraint", "includeChildForces"): _BOOL,
    ("condition", "type"): {
        "equalTo", "notEqualTo", "atLeast", "atMost", "greaterThan", "lessThan", "instanceOf",
        "notInstanceOf",
    },
    ("condition", "percentValue"): _FALSE,
    ("condition", "shared"): {"true"},
    ("condition", "includeChildForces"): _BOOL,
    ("conditionGroup", "type"): {"and", "or"},
    ("modifier", "type"): {"set", "increment", "decrement", "append", "add", "remove"},
    ("modifierGroup", "type"): {"and"},
    ("repeat", "percentValue"): _FALSE,
    ("repeat", "shared"): {"true"},
    ("repeat", "repeats"): {"1"},
    ("repeat", "roundUp"): _BOOL,
}  # fmt: skip

#: The other attributes that may stand in an element; they do not change what it means to us.
PLAIN: Final[dict[str, set[str]]] = {
    "gameSystem": {
        "id", "name", "revision", "battleScribeVersion", "authorName", "authorContact",
        "authorUrl", "type",
    },
    "catalogue": {
        "id", "name", "revision", "battleScribeVersion", "authorName", "authorContact",
        "authorUrl", "gameSystemId", "gameSystemRevision", "type",
    },
    "costType": {"id", "name", "defaultCostLimit", "hidden"},
    "forceEntry": {"hidden"}, "categoryLink": {"targetId", "primary"},
    "catalogueLink": {"targetId"},
    "selectionEntry": {"collective"},
    "selectionEntryGroup": {"collective", "defaultSelectionEntryId"},
    "entryLink": {"collective", "targetId"},
    "cost": {"typeId", "value"},
    "constraint": {
        "id", "field", "value", "percentValue", "shared", "includeChildSelections",
    },
    "modifier": {"field", "value"},
    "condition": {"field", "scope", "value", "childId", "includeChildSelections"},
    "repeat": {
        "field", "scope", "value", "childId", "includeChildSelections", "includeChildForces",
    },
}  # fmt: skip


#: What a strange part costs: the innermost of these around it; in a force, a category its limits.
HOMES: Final = {
    "selectionEntry", "selectionEntryGroup", "entryLink", "constraint", "modifier",
    "modifierGroup",
}  # fmt: skip
_CATEGORIES: Final = {"categoryEntry", "categoryLink"}
#: What only sheets show, and what means nothing to a list: anything may stand there.
_IDLE: Final = {
    "readme", "comment", "description", "publications", "profileTypes", "sharedProfiles",
    "sharedRules", "rules", "profiles", "infoLinks", "infoGroups", "sharedInfoGroups",
}  # fmt: skip
#: Attributes that may stand anywhere and mean nothing to a verdict.
_ANYWHERE: Final = {
    "id", "name", "alias", "comment", "page", "publicationId", "sortIndex", "collapsible",
    "exported", "defaultAmount", "flatten",
}  # fmt: skip

#: The oldest version of the format that is read; older ones are built otherwise.
OLDEST: Final = (2, 2)


def check_version(file: str, root: Element) -> None:
    """Raise Refusal where a file is of an older version of the format, naming it."""
    said = root.get("battleScribeVersion", "2.03")
    parts = [part for part in re.split(r"\D+", said) if part]
    if tuple(map(int, parts[:2])) < OLDEST:
        raise Refusal(
            f"{file}: it is of BattleScribe {said[:20]}, too old to be read; open and save it with"
            " version 2.03 first."
        )


Strange = dict[Element, str]


def strange_parts(file: str, root: Element) -> Strange:
    """Return what is not understood of a file, by the entry, limit or change that it is part of.
    Raises Refusal where it is part of none, as in a force, naming file and place.
    """
    found: Strange = {}
    _share_own(root)
    for home, place, strange in _strange(root, (), None):
        if home is None:
            where = " › ".join(place) or "the file itself"
            raise Refusal(f"{file}: {where}: {strange} is not understood.")
        found.setdefault(home, strange)
    return found


def _share_own(root: Element) -> None:
    """Call conditions shared, in place, that ask for what no link leads to: it is there once."""
    linked = {one.get("id") for one in root.iterfind("sharedSelectionEntries/selectionEntry")}
    own = {one.get("id") for one in root.iter("selectionEntry")} - linked
    for condition in root.iter("condition"):
        if condition.get("childId") in own:
            condition.attrib["shared"] = "true"


def _strange(
    element: Element, place: tuple[str, ...], home: Element | None
) -> Iterator[tuple[Element | None, tuple[str, ...], str]]:
    tag = element.tag
    if tag in _IDLE:
        return
    name = element.get("name", "")
    here = (*place, name) if name and tag not in {"catalogue", "gameSystem"} else place
    if tag in HOMES or (home is None and tag in _CATEGORIES):
        home = element
    yield from ((home, here, strange) for strange in _strange_attributes(element))
    # What changes the limits of a category is read in a force alone.
    is_of_entry = tag == "categoryLink" and home is not element
    known = CHILDREN[tag] - ({"modifierGroups"} if is_of_entry else set())
    for child in element:
        if child.tag not in known and child.tag not in _IDLE:
            yield home, here, f"<{child.tag}> in <{tag}>"
        else:
            yield from _strange(child, here, home)


def _strange_attributes(element: Element) -> Iterator[str]:
    tag = element.tag
    for key, value in element.attrib.items():
        known = VALUES.get((tag, key))
        is_plain = key in PLAIN.get(tag, ()) or key in _ANYWHERE
        if (known is None and not is_plain) or (known is not None and value not in known):
            yield f"{key}=“{value[:40]}” of <{tag}>"
    if element.get("percentValue") == "true" and "limit::" not in element.get("field", ""):
        yield f"percentValue of <{tag}>"
