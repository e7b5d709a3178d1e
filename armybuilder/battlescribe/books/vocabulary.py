"""The constructs of BattleScribe that are understood; a file with others is refused."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from armybuilder.loading.problems import Refusal

_BOOL: Final = {"true", "false"}
_FALSE: Final = {"false"}
_ENTRY_PARTS: Final = {
    "modifiers", "constraints", "infoLinks", "categoryLinks", "selectionEntries",
    "selectionEntryGroups", "entryLinks", "costs", "profiles", "rules",
}  # fmt: skip

#: What may stand in which element.
CHILDREN: Final[dict[str, set[str]]] = {
    "gameSystem": {
        "readme", "publications", "costTypes", "profileTypes", "categoryEntries", "forceEntries",
        "selectionEntries", "sharedSelectionEntries", "sharedSelectionEntryGroups", "sharedRules",
        "sharedProfiles", "rules",
    },
    "catalogue": {
        "readme", "publications", "profileTypes", "categoryEntries", "forceEntries",
        "selectionEntries", "sharedSelectionEntries", "sharedSelectionEntryGroups", "sharedRules",
        "sharedProfiles", "rules",
    },
    "readme": set(), "publications": {"publication"}, "publication": set(),
    "costTypes": {"costType"}, "costType": set(),
    "profileTypes": {"profileType"}, "profileType": {"characteristicTypes"},
    "characteristicTypes": {"characteristicType"}, "characteristicType": set(),
    "categoryEntries": {"categoryEntry"}, "categoryEntry": {"constraints"},
    "forceEntries": {"forceEntry"}, "forceEntry": {"categoryLinks"},
    "categoryLinks": {"categoryLink"}, "categoryLink": {"constraints", "modifiers"},
    "selectionEntries": {"selectionEntry"}, "sharedSelectionEntries": {"selectionEntry"},
    "selectionEntryGroups": {"selectionEntryGroup"},
    "sharedSelectionEntryGroups": {"selectionEntryGroup"},
    "selectionEntry": _ENTRY_PARTS,
    "selectionEntryGroup": _ENTRY_PARTS - {"costs"},
    "entryLinks": {"entryLink"}, "entryLink": _ENTRY_PARTS,
    "infoLinks": {"infoLink"}, "infoLink": {"modifiers"},
    "rules": {"rule"}, "sharedRules": {"rule"}, "rule": {"description", "modifiers"},
    "description": set(),
    "profiles": {"profile"}, "sharedProfiles": {"profile"},
    "profile": {"characteristics", "modifiers"},
    "characteristics": {"characteristic"}, "characteristic": set(),
    "costs": {"cost"}, "cost": set(),
    "constraints": {"constraint"}, "constraint": set(),
    "modifiers": {"modifier"}, "modifier": {"conditions", "conditionGroups", "repeats"},
    "conditions": {"condition"}, "condition": set(),
    "conditionGroups": {"conditionGroup"}, "conditionGroup": {"conditions", "conditionGroups"},
    "repeats": {"repeat"}, "repeat": set(),
}  # fmt: skip

#: Attributes whose value decides what the element means, and the values that are understood.
VALUES: Final[dict[tuple[str, str], set[str]]] = {
    ("catalogue", "library"): _FALSE,
    ("selectionEntry", "type"): {"unit", "model", "upgrade"},
    ("selectionEntry", "import"): {"true"},
    ("selectionEntry", "hidden"): _BOOL,
    ("selectionEntryGroup", "import"): {"true"},
    ("selectionEntryGroup", "hidden"): _BOOL,
    ("entryLink", "type"): {"selectionEntry", "selectionEntryGroup"},
    ("entryLink", "import"): {"true"},
    ("entryLink", "hidden"): _BOOL,
    ("infoLink", "type"): {"rule", "profile"},
    ("infoLink", "hidden"): _BOOL,
    ("profile", "hidden"): _FALSE,
    ("rule", "hidden"): _FALSE,
    ("categoryEntry", "hidden"): _FALSE,
    ("categoryLink", "hidden"): _FALSE,
    ("constraint", "type"): {"min", "max"},
    ("constraint", "scope"): {"parent", "roster"},
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
    ("repeat", "percentValue"): _FALSE,
    ("repeat", "shared"): {"true"},
    ("repeat", "repeats"): {"1"},
    ("repeat", "roundUp"): _BOOL,
}  # fmt: skip

#: The other attributes that may stand in an element; they do not change what it means to us.
PLAIN: Final[dict[str, set[str]]] = {
    "gameSystem": {
        "id", "name", "revision", "battleScribeVersion", "authorName", "authorContact",
        "authorUrl",
    },
    "catalogue": {
        "id", "name", "revision", "battleScribeVersion", "authorName", "authorContact",
        "authorUrl", "gameSystemId", "gameSystemRevision",
    },
    "publication": {"id", "name", "shortName", "publisher", "publicationDate", "publisherUrl"},
    "costType": {"id", "name", "defaultCostLimit", "hidden"},
    "profileType": {"id", "name"}, "characteristicType": {"id", "name"},
    "categoryEntry": {"id", "name"}, "forceEntry": {"id", "name", "hidden"},
    "categoryLink": {"id", "name", "targetId", "primary"},
    "selectionEntry": {"id", "name", "collective"},
    "selectionEntryGroup": {"id", "name", "collective", "defaultSelectionEntryId"},
    "entryLink": {"id", "name", "collective", "targetId"},
    "infoLink": {"id", "name", "targetId"},
    "rule": {"id", "name", "page", "publicationId"},
    "profile": {"id", "name", "typeId", "typeName", "page", "publicationId"},
    "characteristic": {"name", "typeId"},
    "cost": {"name", "typeId", "value"},
    "constraint": {
        "id", "field", "value", "percentValue", "shared", "includeChildSelections",
    },
    "modifier": {"field", "value"},
    "condition": {"field", "scope", "value", "childId", "includeChildSelections"},
    "repeat": {
        "field", "scope", "value", "childId", "includeChildSelections", "includeChildForces",
    },
}  # fmt: skip


def check_vocabulary(file: str, root: Element) -> None:
    """Raise Refusal at the first construct that is not understood, naming file and place."""
    for place, strange in _strange(root, ()):
        where = " › ".join(place) or "the file itself"
        raise Refusal(f"{file}: {where}: {strange} is not understood.")


def _strange(element: Element, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    tag = element.tag
    if tag not in CHILDREN:
        yield place, f"<{tag}>"
        return
    name = element.get("name", "")
    here = (*place, name) if name and tag not in {"catalogue", "gameSystem"} else place
    yield from ((here, strange) for strange in _strange_attributes(element))
    for child in element:
        if child.tag not in CHILDREN[tag]:
            yield here, f"<{child.tag}> in <{tag}>"
        else:
            yield from _strange(child, here)


def _strange_attributes(element: Element) -> Iterator[str]:
    tag = element.tag
    for key, value in element.attrib.items():
        known = VALUES.get((tag, key))
        if (known is None and key not in PLAIN.get(tag, ())) or (
            known is not None and value not in known
        ):
            yield f"{key}=“{value[:40]}” of <{tag}>"
    if element.get("percentValue") == "true" and "limit::" not in element.get("field", ""):
        yield f"percentValue of <{tag}>"
