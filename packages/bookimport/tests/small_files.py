"""Small BattleScribe files of our own, as text, and what is made of them."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from armybuilder.loading.library import book_problems, shipped_library
from bookimport import Import, make_book, read_sources

POINTS = "cccc-0000-0000-0001"
SYSTEM_ID = "aaaa-0000-0000-0001"
FORCE = "ffff-0000-0000-0001"
OTHER_FORCE = "ffff-0000-0000-0002"
CHARACTERS = "dddd-0000-0000-0001"
CORE = "dddd-0000-0000-0002"
BEASTS = "dddd-0000-0000-0003"
GENERAL = "9999-0000-0000-0001"
BEARER = "9999-0000-0000-0002"

_NEXT = (f"e0e0-0000-0000-{number:04x}" for number in count(1))


def group_of(tag: str, parts: list[str]) -> str:
    """The parts inside the element that holds them; nothing if there are none."""
    return f"<{tag}>{''.join(parts)}</{tag}>" if parts else ""


def _counting(start: str, scope: str, value: object, end: str, percent: str = "false") -> str:
    """An element that counts something."""
    return (
        f'<{start}" scope="{scope}" value="{value}" percentValue="{percent}"'
        f' shared="true" includeChildSelections="true" includeChildForces="false" {end}"/>'
    )


def limit(
    type_: str, value: object, scope: str = "parent", field: str = "selections", id_: str = ""
) -> str:
    """A constraint."""
    name = {"points": POINTS, "share": f"limit::{POINTS}"}.get(field, field)
    percent = "true" if field == "share" else "false"
    end = f'id="{id_ or next(_NEXT)}" type="{type_}'
    return _counting(f'constraint field="{name}', scope, value, end, percent)


def when(
    child: str, type_: str = "equalTo", value: object = 1.0, scope: str = "parent", field: str = ""
) -> str:
    """A condition."""
    name = {"limit": f"limit::{POINTS}", "": "selections"}.get(field, field)
    end = f'childId="{child}" type="{type_}'
    return _counting(f'condition field="{name}', scope, value, end)


def any_of(*conditions: str, op: str = "or") -> str:
    """A group of conditions, and of groups of them."""
    inner = [one for one in conditions if one.startswith("<conditionGroup ")]
    plain = group_of("conditions", [one for one in conditions if one not in inner])
    groups = group_of("conditionGroups", inner)
    return f'<conditionGroup type="{op}">{plain}{groups}</conditionGroup>'


def repeat(child: str = "model", value: object = 1, scope: str = "parent", **more: str) -> str:
    """A repeat; `field="limit"` counts Army Points."""
    name = f"limit::{POINTS}" if more.get("field") == "limit" else "selections"
    end = f'childId="{child}" repeats="1" roundUp="{more.get("up", "false")}'
    return _counting(f'repeat field="{name}', scope, value, end)


def change(type_: str, field: str, value: object, *parts: str) -> str:
    """A modifier; `parts` are conditions, groups of conditions and repeats."""
    name = POINTS if field == "points" else field
    sorted_parts = {
        tag + "s": [part for part in parts if part.startswith(f"<{tag} ")]
        for tag in ("condition", "conditionGroup", "repeat")
    }
    inner = "".join(group_of(tag, found) for tag, found in sorted_parts.items())
    return f'<modifier type="{type_}" field="{name}" value="{value}">{inner}</modifier>'


def _inside(parts: tuple[str, ...]) -> str:
    homes = {
        "<modifier ": "modifiers", "<constraint ": "constraints", "<profile ": "profiles",
        "<rule ": "rules", "<infoLink ": "infoLinks", "<categoryLink ": "categoryLinks",
        "<selectionEntry ": "selectionEntries", "<selectionEntryGroup ": "selectionEntryGroups",
        "<entryLink ": "entryLinks",
    }  # fmt: skip
    found = [
        group_of(home, [part for part in parts if part.startswith(start)])
        for start, home in homes.items()
    ]
    return "".join([*found, *(part for part in parts if part.startswith("<costs>"))])


def price(value: object) -> str:
    return f'<costs><cost name="pts" typeId="{POINTS}" value="{value}"/></costs>'


def entry(name: str, *parts: str, type_: str = "upgrade", id_: str = "", **more: str) -> str:
    """An option, a model or a unit."""
    attributes = "".join(f' {key}="{value}"' for key, value in more.items())
    hidden = "" if "hidden" in more else ' hidden="false"'
    return (
        f'<selectionEntry id="{id_ or next(_NEXT)}" name="{name}"{hidden} collective="false"'
        f' import="true" type="{type_}"{attributes}>{_inside(parts)}</selectionEntry>'
    )


def unit(name: str, *parts: str, category: str = CORE, id_: str = "") -> str:
    return entry(name, categorised(category, primary="true"), *parts, type_="unit", id_=id_)


def models(least: int, most: int, each: object, *parts: str, id_: str = "") -> str:
    limits = [limit("min", least), limit("max", most)]
    return entry("Model", *limits, *parts, price(each), type_="model", id_=id_)


def group(name: str, *parts: str, id_: str = "", hidden: str = "false", default: str = "") -> str:
    first = f' defaultSelectionEntryId="{default}"' if default else ""
    return (
        f'<selectionEntryGroup id="{id_ or next(_NEXT)}" name="{name}" hidden="{hidden}"'
        f' collective="false" import="true"{first}>{_inside(parts)}</selectionEntryGroup>'
    )


def link(target: str, name: str, *parts: str, to: str = "selectionEntry", id_: str = "") -> str:
    """A link to an option or, with `to="selectionEntryGroup"`, to a group."""
    return (
        f'<entryLink id="{id_ or next(_NEXT)}" name="{name}" hidden="false" collective="false"'
        f' import="true" targetId="{target}" type="{to}">{_inside(parts)}</entryLink>'
    )


def categorised(category: str, primary: str = "false", *parts: str, name: str = "x") -> str:
    return (
        f'<categoryLink id="{next(_NEXT)}" name="{name}" hidden="false" targetId="{category}"'
        f' primary="{primary}">{_inside(parts)}</categoryLink>'
    )


def rule_link(
    name: str, *parts: str, hidden: str = "false", type_: str = "rule", target: str = ""
) -> str:
    """A link to a rule or profile (one that is nowhere, which is reported)."""
    return (
        f'<infoLink id="{next(_NEXT)}" name="{name}" hidden="{hidden}"'
        f' targetId="{target or next(_NEXT)}" type="{type_}">{_inside(parts)}</infoLink>'
    )


def profile(name: str, kind: str, cells: dict[str, str], *parts: str) -> str:
    """A profile; the ids of its cells are their names."""
    told = "".join(
        f'<characteristic name="{key}" typeId="{key}">{text}</characteristic>'
        for key, text in cells.items()
    )
    return (
        f'<profile id="{next(_NEXT)}" name="{name}" hidden="false" typeId="{kind}"'
        f' typeName="{kind}">{_inside(parts)}<characteristics>{told}</characteristics></profile>'
    )


def force(name: str, *links: str, id_: str = FORCE) -> str:
    """A way to organise the army."""
    inner = group_of("categoryLinks", list(links))
    return f'<forceEntry id="{id_}" name="{name}" hidden="false">{inner}</forceEntry>'


def system(*shared: str, extra: str = "") -> str:
    """A game system with three categories, the General and the Battle Standard Bearer."""
    general = entry("Army General", limit("max", 1, "roster"), limit("min", 1, "roster"),
                    id_=GENERAL)  # fmt: skip
    bearer = entry("Battle Standard Bearer", limit("max", 1, "roster"), id_=BEARER)
    names = {CHARACTERS: "Characters", CORE: "Core", BEASTS: "Beasts"}
    categories = [
        f'<categoryEntry id="{id_}" name="{name}" hidden="false"/>' for id_, name in names.items()
    ]
    inner = [
        f'<costTypes><costType id="{POINTS}" name="pts" defaultCostLimit="-1.0" hidden="false"/>'
        "</costTypes>",
        group_of("categoryEntries", categories),
        f'<forceEntries><forceEntry id="{next(_NEXT)}" name="~ Dummy ~" hidden="true"/>'
        "</forceEntries>",
        *_shared([general, bearer, *shared]),
        extra,
    ]
    return (
        f'<gameSystem id="{SYSTEM_ID}" name="Game" revision="1" battleScribeVersion="2.03">'
        f"{''.join(inner)}</gameSystem>"
    )


def catalogue(
    *units: str,
    shared: tuple[str, ...] = (),
    forces: tuple[str, ...] = (),
    name: str = "Öre Folk 2023 Beta 2",
    extra: str = "",
    of: str = SYSTEM_ID,
) -> str:
    """A book with these units; its one force has the three categories unless others are given."""
    plain = force(
        "Öre Folk",
        categorised(CHARACTERS, "false", limit("max", 40.0, "roster", "share")),
        categorised(CORE, "false", limit("min", 25.0, "roster", "share")),
        categorised(BEASTS),
    )
    inner = [
        group_of("forceEntries", list(forces or [plain])),
        group_of("selectionEntries", list(units)),
        *_shared(list(shared)),
        extra,
    ]
    return (
        f'<catalogue id="bbbb-0000-0000-0001" name="{name}" revision="7" library="false"'
        f' battleScribeVersion="2.03" gameSystemId="{of}" gameSystemRevision="1"'
        f' xmlns="http://www.battlescribe.net/schema/catalogueSchema">{"".join(inner)}</catalogue>'
    )


def _shared(entries: list[str]) -> list[str]:
    groups = [one for one in entries if one.startswith("<selectionEntryGroup ")]
    return [
        group_of("sharedSelectionEntries", [one for one in entries if one not in groups]),
        group_of("sharedSelectionEntryGroups", groups),
    ]


def imported(folder: Path, book: str, game: str = "") -> Import:
    """What is made of a catalogue and a game system."""
    (folder / "game.gst").write_text(game or system(), encoding="utf-8")
    (folder / "book.cat").write_text(book, encoding="utf-8")
    return make_book(read_sources(folder), 0, "t9a-2023")


def unit_of(folder: Path, *parts: str, **more: Any) -> dict[str, Any]:
    """A unit called Spears with these parts, as it is imported."""
    found = imported(folder, catalogue(unit("Spears", *parts), **more))
    game = shipped_library().system("t9a-2023")
    assert book_problems(found.book, game, "book.json") == []
    units: list[dict[str, Any]] = found.book["units"]
    return units[0]


def node(tree: dict[str, Any], id_: str) -> dict[str, Any]:
    for child in tree.get("options", []):
        if id_ in (child.get("id"), child.get("group"), child.get("use")):
            return dict(child)
        if "options" in child and (found := node(child, id_)):
            return found
    return {}


def assert_parts(found: dict[str, Any], expected: Mapping[str, Mapping[str, Any]]) -> None:
    """Assert what a unit and its nodes hold, by the id ("": the unit) and key; None: nothing."""
    for id_, keys in expected.items():
        part = node(found, id_) if id_ else found
        assert part, id_
        assert {key: part.get(key) for key in keys} == keys, id_
