"""Random games in the formats of BattleScribe and New Recruit: constructs in any mixture, as no
community has written them, in XML and JSON, in any encoding, in folders, zipped or not.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from tests.building.zips import packed

#: Lists by the name of an element in them, where that isn't the list's without its last letter.
_ONE: Final = {
    **{f"{name}ies": f"{name}y" for name in ("categoryEntr", "selectionEntr", "forceEntr")},
    **{f"shared{name}ies": f"{of}y" for name, of in (("SelectionEntr", "selectionEntr"),)},
    "sharedSelectionEntryGroups": "selectionEntryGroup",
    "sharedProfiles": "profile",
    "sharedRules": "rule",
    "$text": "",
}
_SCOPES: Final = (
    *("self", "parent", "ancestor", "roster", "force", "root-entry", "primary-catalogue"),
    *("unit", "model", "upgrade", "model-or-unit", "primary-category"),
)
_COMPARED: Final = (
    *("lessThan", "greaterThan", "equalTo", "notEqualTo", "atLeast", "atMost"),
    *("instanceOf", "notInstanceOf"),
)
_NUMBERS: Final = ("0", "1", "2", "3", "5", "10", "-1", "0.5", "-7", "50", "1e2")
_ACTS: Final = (
    *("set", "increment", "decrement", "add", "multiply", "divide", "floor", "ceil"),
    *("append", "prepend", "replace"),
)
#: Words of any language, with what XML and HTML would take for their own.
_WORDS: Final = ("Otter", "Bär & Söhne", "<i>Owl</i>", '"Crow"', "鷹", "عقاب", "x" * 30, " Elk ")

Element = dict[str, Any]


class RandomGame:
    """A game made by chance; `files` are its files by name."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        self._number = 0
        self._ids: dict[str, list[str]] = {}
        self.costs = [self._id("costTypes") for _ in range(self.random.randint(0, 3))]
        self.types = [self._id("profileTypes") for _ in range(2)]
        self.categories = [self._id("categoryEntries") for _ in range(4)]
        self.files = dict(self._files())

    def zipped(self) -> bytes:
        return packed(self.files)

    def _files(self) -> list[tuple[str, bytes]]:
        library = {**self._catalogue("lib", []), "library": "true"}
        first = self._catalogue("first", ["lib"])
        second = self._catalogue("second", self._some(["lib", "first", "gone"], 2))
        system = self._system()
        files = []
        for place, element in (
            ("gameSystem", system), ("catalogue", library), ("catalogue", first),
            ("catalogue", second),
        ):  # fmt: skip
            ending = "gst" if place == "gameSystem" else "cat"
            raw, form = self._written(place, element)
            name = f"{element['id']}.{'json' if form == 'json' else ending}"
            if self.random.random() < 0.2:
                raw, name = packed({name: raw}), f"{name.split('.')[0]}.{ending}z"
            files.append((f"{self._any(['', 'a/', 'a/b c/'])}{name}", raw))
        return files

    def _written(self, place: str, element: Element) -> tuple[bytes, str]:
        form = self._any(["utf-8", "utf-8-sig", "utf-16", "json"])
        if form == "json":
            text = json.dumps({place: element}, ensure_ascii=False)
            return text.encode(self._any(["utf-8", "utf-8-sig"])), form
        head = f'<?xml version="1.0" encoding="{form.removesuffix("-sig")}"?>\n'
        return (head + _xml(place, element)).encode(form), form

    # By chance

    def _any(self, these: Any) -> Any:
        return self.random.choice(list(these))

    def _some(self, these: Any, most: int) -> list[Any]:
        these = list(these)
        return self.random.sample(these, min(len(these), self.random.randint(0, most)))

    def _maybe(self, chance: float, **fields: Any) -> Element:
        return fields if self.random.random() < chance else {}

    def _id(self, kind: str) -> str:
        """Return a new id, as BattleScribe makes them."""
        self._number += 1
        id = f"{self.random.randrange(16**4):04x}-{self._number:04x}-ab12-cd34"
        self._ids.setdefault(kind, []).append(id)
        return id

    def _known(self, *kinds: str) -> str:
        known = [id for kind in kinds for id in self._ids.get(kind, ())]
        return str(self._any(known)) if known else "none"

    def _name(self) -> str:
        return f"{self._any(_WORDS)} {self._number}" if self.random.random() < 0.9 else ""

    # Elements

    def _system(self) -> Element:
        types = [
            {"id": id, "name": self._name(), "characteristicTypes": [
                {"id": f"{id}-{n}", "name": f"N{n}"} for n in range(3)
            ]}
            for id in self.types
        ]  # fmt: skip
        categories = [
            {"id": id, "name": self._name(), **self._maybe(0.1, hidden="true"),
             **self._rules(id, 0.3)}
            for id in self.categories
        ]  # fmt: skip
        return {
            "id": "sys", "name": "Game & <Chance>", "revision": "1", "battleScribeVersion": "2.03",
            "costTypes": [self._cost(at, id) for at, id in enumerate(self.costs)],
            "profileTypes": types,
            "publications": [{"id": "pub", "name": "A Book", "shortName": "AB"}],
            "categoryEntries": categories,
            "forceEntries": [self._force(0) for _ in range(self.random.randint(1, 3))],
            "sharedSelectionEntryGroups": [self._group(0)],
            **self._maybe(0.3, selectionEntries=[self._entry(0)]),
            **self._maybe(0.3, entryLinks=[self._link()]),
        }  # fmt: skip

    def _cost(self, at: int, id: str) -> Element:
        limit = {"defaultCostLimit": self._any(("-1", "0", "100", "0.5"))}
        hidden = self._maybe(0.2, hidden="true")
        return {"id": id, "name": f"c{at}", **self._maybe(0.5, **limit), **hidden}

    def _force(self, deep: int) -> Element:
        id = self._id("forceEntries")
        links = [
            {
                "id": self._id("categoryLinks"),
                "targetId": target,
                "name": "",
                **self._rules(id, 0.3),
            }
            for target in self._some(self.categories, 4)
        ]
        inner = [self._force(deep + 1)] if deep < 2 and self.random.random() < 0.3 else []
        rules = self._rules(id, 0.2)
        return {
            "id": id,
            "name": self._name(),
            "categoryLinks": links,
            "forceEntries": inner,
            **rules,
        }

    def _catalogue(self, id: str, links: list[str]) -> Element:
        shared = [self._entry(1) for _ in range(3)]
        groups = [self._group(1) for _ in range(2)]
        return {
            "id": id, "name": self._name(), "revision": "3", "gameSystemId": "sys",
            **self._maybe(0.8, battleScribeVersion="2.03"),
            "catalogueLinks": [
                {"id": f"{id}-{to}", "targetId": to, "name": to, "type": "catalogue",
                 "importRootEntries": self._any(("true", "false"))}
                for to in links
            ],
            "sharedSelectionEntries": shared,
            "sharedSelectionEntryGroups": groups,
            "sharedProfiles": [self._profile() for _ in range(2)],
            "sharedRules": [self._rule()],
            "selectionEntries": [self._entry(0) for _ in range(self.random.randint(0, 5))],
            "entryLinks": [self._link() for _ in range(3)],
            **self._maybe(0.2, forceEntries=[self._force(1)]),
        }  # fmt: skip

    def _taken(self, deep: int) -> Element:
        """Return what may be taken on something."""
        if deep >= 5:
            return {}
        few = 2 if deep < 2 else 1
        return {
            "selectionEntries": [self._entry(deep + 1) for _ in range(self.random.randint(0, few))],
            "selectionEntryGroups": [
                self._group(deep + 1) for _ in range(self.random.randint(0, few))
            ],
            "entryLinks": [self._link() for _ in range(self.random.randint(0, few))],
        }

    def _entry(self, deep: int) -> Element:
        id = self._id("selectionEntries")
        kinds = ("unit", "unit", "model") if deep == 0 else ("model", "upgrade", "upgrade", "mount")
        return {
            "id": id, "name": self._name(), "type": self._any(kinds),
            **self._maybe(0.1, hidden="true"), **self._maybe(0.1, collective="true"),
            **self._maybe(0.2, **{"import": self._any(("true", "false"))}),
            **self._maybe(0.1, defaultAmount=self._any(("1", "0", "1,1,8", "2"))),
            **self._maybe(0.3, publicationId="pub", page="12"),
            "costs": [
                {"name": "x", "typeId": cost, "value": self._any((*_NUMBERS, "120"))}
                for cost in self._some(self.costs, 3)
            ],
            "categoryLinks": [
                {"id": self._id("categoryLinks"), "targetId": target, "name": "",
                 "primary": self._any(("true", "false"))}
                for target in self._some([*self.categories, "gone-cat"], 2)
            ],
            **self._rules(id), **self._shown(), **self._taken(deep),
        }  # fmt: skip

    def _group(self, deep: int) -> Element:
        id = self._id("selectionEntryGroups")
        taken = self._taken(deep)
        inner = [one["id"] for one in taken.get("selectionEntries", ())]
        default = self._maybe(0.4, defaultSelectionEntryId=self._any([*inner, "gone"]))
        more = self._maybe(0.1, collective="true") | self._maybe(0.1, hidden="true")
        return {"id": id, "name": self._name(), **default, **more, **self._rules(id), **taken}

    def _link(self) -> Element:
        id = self._id("entryLinks")
        kind = self._any(("selectionEntry", "selectionEntryGroup"))
        lists = "selectionEntries" if kind == "selectionEntry" else "selectionEntryGroups"
        costs = [
            {"typeId": cost, "value": self._any(_NUMBERS)} for cost in self._some(self.costs, 1)
        ]
        return {
            "id": id, "name": self._name(), "type": kind, "targetId": self._known(lists),
            **self._maybe(0.2, hidden="true"), **self._maybe(0.3, costs=costs),
            **self._rules(id, 0.3),
        }  # fmt: skip

    def _shown(self) -> Element:
        links = [
            {"id": self._id("infoLinks"), "type": kind, "name": "", "targetId": self._known(lists),
             "modifiers": [self._modifier("")]}
            for kind, lists in self._some([("profile", "profiles"), ("rule", "rules")], 2)
        ]  # fmt: skip
        inner = {"id": self._id("infoGroups"), "name": "", "profiles": [self._profile()]}
        return {
            **self._maybe(0.4, profiles=[self._profile()]),
            **self._maybe(0.2, rules=[self._rule()]),
            **self._maybe(0.3, infoLinks=links),
            **self._maybe(0.1, infoGroups=[inner]),
        }  # fmt: skip

    def _profile(self) -> Element:
        type = self._any(self.types)
        texts = ("4+", "-", '6"', "", "A rule. " * 12)
        values = [
            {"name": f"N{n}", "typeId": f"{type}-{n}", "$text": self._any(texts)} for n in range(3)
        ]
        return {
            "id": self._id("profiles"), "name": self._name(), "typeId": type, "typeName": "T",
            "characteristics": values, **self._maybe(0.2, hidden="true"),
        }  # fmt: skip

    def _rule(self) -> Element:
        text = {"description": f"It says {self._number}.\nAnd more."}
        return {"id": self._id("rules"), "name": self._name(), **text}

    # Rules

    def _rules(self, id: str, chance: float = 0.5) -> Element:
        own = [self._constraint() for _ in range(self.random.randint(0, 2))]
        fields = [*(one["id"] for one in own), *self.costs, "hidden", "name", "category", "error"]
        changes = [self._modifier(self._any(fields)) for _ in range(self.random.randint(0, 2))]
        group = {**self._asked(), "modifiers": [self._modifier(self._any(fields))]}
        group |= self._maybe(0.3, type=self._any(("and", "or")))
        return {
            **self._maybe(chance, constraints=own),
            **self._maybe(chance, modifiers=changes),
            **self._maybe(chance / 4, modifierGroups=[group]),
        }

    def _query(self) -> Element:
        fields = (
            "selections",
            "selections",
            "forces",
            *self.costs,
            *(f"limit::{c}" for c in self.costs),
        )
        near = (*_SCOPES, self._known("selectionEntries"), self._known("forceEntries"))
        flags = ("shared", "percentValue", "includeChildSelections", "includeChildForces")
        return {
            "field": self._any(fields), "scope": self._any(near), "value": self._any(_NUMBERS),
            **{flag: self._any(("true", "false", "false")) for flag in flags},
        }  # fmt: skip

    def _constraint(self) -> Element:
        kind = self._any(("min", "max", "max", "max", "exactly"))
        query = self._query()
        if self.random.random() < 0.7:
            query |= {"scope": self._any(("parent", "roster", "force")), "field": "selections"}
            query |= {"value": self._any(("0", "1", "2", "5", "-1")), "percentValue": "false"}
        more = self._maybe(0.1, automatic="true") | self._maybe(0.1, negative="true")
        return {"id": self._id("constraints"), "type": kind, **query, **more}

    def _child(self) -> str:
        kinds = ("selectionEntries", "selectionEntryGroups", "entryLinks", "categoryEntries")
        others = ("any", "model", "unit", "first", "nobody", "")
        return self._any((self._known(*kinds), self._known("forceEntries"), *others))

    def _condition(self) -> Element:
        return {"type": self._any(_COMPARED), **self._query(), "childId": self._child()}

    def _asked(self, deep: int = 0) -> Element:
        kinds = ("and", "or") if self.random.random() < 0.8 else ("not", "count")
        conditions = [self._condition() for _ in range(self.random.randint(0, 2))]
        asked: Element = self._maybe(0.6, conditions=conditions)
        if deep < 3 and self.random.random() < 0.3:
            asked["conditionGroups"] = [{"type": self._any(kinds), **self._asked(deep + 1)}]
        if deep < 3 and self.random.random() < 0.05:
            each = {"type": self._any(_COMPARED[:6]), **self._query(), **self._asked(3)}
            asked["localConditionGroups"] = [each]
        return asked

    def _modifier(self, field: str) -> Element:
        act, value = self._any(_ACTS), self._any((*_NUMBERS, "x"))
        if field == "hidden":
            act, value = "set", self._any(("true", "false"))
        if field == "category":
            act = self._any(("add", "remove", "set-primary", "unset-primary"))
            value = self._any(self.categories)
        repeat = {**self._query(), "childId": self._child()}
        repeat |= {"repeats": self._any(("1", "2", "0")), "roundUp": self._any(("true", "false"))}
        far = {
            "scope": self._any(_SCOPES),
            "affects": self._any(("self.entries.recursive", "entries")),
        }
        field = field or self._any((f"{self.types[0]}-1", "name"))
        return {
            "type": act, "field": field, "value": value,
            **self._asked(), **self._maybe(0.2, repeats=[repeat]), **self._maybe(0.05, **far),
        }  # fmt: skip


def _xml(name: str, element: Element) -> str:
    said = "".join(
        f" {key}={quoteattr(value)}"
        for key, value in element.items()
        if isinstance(value, str) and key not in ("$text", "description")
    )
    text = quoteattr(element.get("$text", ""))[1:-1]
    if "description" in element:
        text += f"<description>{element['description']}</description>"
    for key, inner in element.items():
        if isinstance(inner, list):
            one = _ONE.get(key, key[:-1])
            text += f"<{key}>{''.join(_xml(one, part) for part in inner)}</{key}>"
    return f"<{name}{said}>{text}</{name}>"
