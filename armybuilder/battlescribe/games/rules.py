"""The rules of a game made of BattleScribe files, and what they say.

A rule is there where the files ask for it. Kinds, codes and sentences are those that other games
have, so that readers know them in their own language.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from armybuilder.engine.wording import marked

Written = dict[str, Any]
Nodes = Sequence[Mapping[str, Any]]

#: What judges every game: one entry each, all but `cite`.
_ALWAYS: Final[tuple[Written, ...]] = (
    {
        "id": "too-many-points",
        "kind": "limit",
        "code": "points.over",
        "summary": "An army costs no more than its limit.",
        "count": "points",
        "max": "limit",
        "gauge": "Points",
    },
    {
        "id": "one-book",
        "kind": "one-book",
        "code": "book.too-many",
        "summary": "All units of an army come from one book.",
        "reading": (
            "BattleScribe lets a list hold forces of several books; an army here is one force."
        ),
    },
    {
        "id": "smallest-unit",
        "kind": "entry",
        "code": "unit.too-small",
        "summary": "A unit must have at least its minimum number of models.",
        "aspect": "too-small",
    },
    {
        "id": "largest-unit",
        "kind": "entry",
        "code": "unit.too-large",
        "summary": ("A unit can have at most its maximum number of models; some options lower it."),
        "aspect": "too-large",
    },
    {
        "id": "option-allowed",
        "kind": "entry",
        "code": "option.requires",
        "summary": ("An option needs its requirements and can’t be combined with its exclusions."),
        "aspect": "unavailable",
    },
    {
        "id": "option-once",
        "kind": "entry",
        "code": "option.too-often",
        "summary": (
            "Take an option at most as often as its entry says, or once if it says nothing."
        ),
        "aspect": "too-often",
    },
    {
        "id": "group-most",
        "kind": "entry",
        "code": "group.over",
        "summary": "Don’t exceed an option group’s maximum.",
        "aspect": "group-over",
    },
    {
        "id": "group-least",
        "kind": "entry",
        "code": "group.under",
        "summary": "Take at least an option group’s minimum.",
        "aspect": "group-under",
    },
)

#: What judges games that ask for it, by what they have.
_WHERE: Final[dict[str, tuple[Written, ...]]] = {
    "categories": (
        {
            "id": "categories",
            "kind": "category",
            "code": "category.over",
            "under": "category.under",
            "summary": (
                "Each category keeps to its share of the game size, and to its number of"
                " units. A unit in several categories counts in each."
            ),
        },
    ),
    "caps": (
        {
            "id": "caps",
            "kind": "cap",
            "code": "cap.over",
            "summary": "What a book caps is in the army no more often than that.",
        },
    ),
    "allowances": (
        {
            "id": "items-allowance",
            "kind": "entry",
            "code": "items.allowance",
            "summary": "Options cost no more than the allowance that their entry gives.",
            "aspect": "allowance",
        },
    ),
    "general": (
        {
            "id": "general",
            "kind": "limit",
            "code": "general.missing",
            "summary": "One unit is the General, noted on the list.",
            "count": "picks",
            "of": {"role": "general"},
            "min": 1,
        },
        {
            "id": "one-general",
            "kind": "limit",
            "code": "general.too-many",
            "summary": "An army can have only one General.",
            "count": "picks",
            "of": {"role": "general"},
            "max": 1,
        },
        {
            "id": "leader",
            "kind": "eligible",
            "code": "general.not-eligible",
            "summary": "The General is a unit whose entry lets it lead.",
            "role": "general",
            "needs": {"can": "lead"},
        },
    ),
    "must_lead": (
        {
            "id": "must-lead",
            "kind": "must-lead",
            "code": "general.required",
            "summary": (
                "If an entry or option says a unit must be the General, make it the General."
            ),
            "role": "general",
        },
    ),
}

_SENTENCES: Final[dict[str, str]] = marked(
    {
        "category.over": "{what}: {points:measured}, {by} over the limit of {allowed}.",
        "category.under": "{what}: {points:measured}, spend at least {allowed} ({by} to go).",
        "category.over picks": "{what}: {measured} taken, maximum {allowed}.",
        "category.under picks": "{what}: {measured} taken, minimum {allowed}.",
        "general.missing": "No General yet: make a unit your General.",
        "general.too-many": "{measured} Generals; an army has only one.",
        "general.not-eligible": ("{unit} may not be the General: its entry does not let it lead."),
        "general.required": "{unit} must be the General{source}.",
        "book.too-many": "The army uses {measured} books ({names}); only one is allowed.",
        "cap.over": "{name}: {measured} taken, maximum {allowed}{scaled}.",
        "unit.too-small": "{unit}: {models:measured}, minimum {allowed}.",
        "unit.too-large": "{unit}: {models:measured}, maximum {allowed}{why}.",
        "option.requires": "{unit}: {option}, {why}.",
        "option.too-often": "{unit}: {option} taken {measured} times, maximum {allowed}.",
        "group.over": "{unit}: {measured} taken from “{group}”, maximum {allowed}.",
        "group.under": "{unit}: choose {by} more from “{group}”.",
        "group.under first": "{unit}: choose one from “{group}”.",
        "items.allowance": "{unit}: {points:measured} of {group}, maximum {allowed}.",
    }
)

_GENERAL: Final[Written] = {
    "id": "general",
    "name": marked("General"),
    "act": marked("Make General"),
    "end": marked("Remove as General"),
    "alone": True,
    "summary": "Leads the army: one unit that is able to lead.",
}


def rules_of(books: Sequence[Mapping[str, Any]], cite: str) -> list[Written]:
    """Return the rules that judge these books, each with what it cites."""
    asked = asks_of(books)
    found = [*_ALWAYS, *(rule for key in _WHERE if key in asked for rule in _WHERE[key])]
    return [{**rule, "cite": cite} for rule in found]


def roles_of(books: Sequence[Mapping[str, Any]], cite: str) -> list[Written]:
    """Return the roles that these books ask for."""
    return [{**_GENERAL, "cite": cite}] if "general" in asks_of(books) else []


def sentences_of(rules: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the sentences that these rules need."""
    codes = {rule[key] for rule in rules for key in ("code", "under") if key in rule}
    return {key: said for key, said in _SENTENCES.items() if key.partition(" ")[0] in codes}


def asks_of(books: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return what the books have that only some rules judge, by the keys of `_WHERE`."""
    keys = {key for book in books for key in _keys(book)}
    asked = {
        "categories": any(_has_bounds(one) for book in books for one in book.get("categories", ())),
        "caps": bool(keys & {"cap", "cap_models", "cap_points", "one_of_a_kind"}),
        "allowances": "allowance" in keys,
        "general": bool(keys & {"can_lead", "must_lead", "role"}),
        "must_lead": "must_lead" in keys,
    }
    return {what for what, has in asked.items() if has}


def _has_bounds(category: Mapping[str, Any]) -> bool:
    return bool(set(category) - {"id", "name"})


def _keys(value: Any) -> Iterator[str]:
    """Yield the keys of all objects in a value, whatever stands in it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)
