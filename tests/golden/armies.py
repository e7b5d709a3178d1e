"""The adapter's part for armies of units: neutral books and lists of The Ninth Age's shape.

The neutral book writes options flat, groups by name, and items in a list of their own that any
character with an allowance may buy from.
"""

from typing import Any

Data = dict[str, Any]

#: What the neutral items call their kinds, and what our books do.
ITEM_KINDS = {kind: f"{kind}-enchantment" for kind in ("weapon", "armour", "shield", "banner")}

#: Ids that mean something to the rules of the game system.
IDS = {"bsb": "battle-standard-bearer", "standard": "standard-bearer"}

#: Keys of a neutral unit that mean what ours do.
SAME = {
    *("size", "cap", "cap_models", "can_lead", "must_lead", "one_of_a_kind", "sparse"),
    *("item_limits", "models_in"),
}

#: What a neutral unit may be, and the keyword that says so in our books.
FLAGS = {"war_machine": "War Machine", "war_platform": "War Platform"}


def slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def book_of(book: Data) -> Data:
    """Categories and units of our book; the rest of it is as in every golden book."""
    items = [_item(key, item) for key, item in book.get("items", {}).items()]
    return {
        "name": "Golden cases",
        "categories": [
            {
                "id": key,
                "name": key.replace("-", " ").capitalize(),
                **{
                    side: f"{entry[f'{side}_percent']}%"
                    for side in ("min", "max")
                    if f"{side}_percent" in entry
                },
            }
            for key, entry in book["categories"].items()
        ],
        "units": [_unit(key, unit, items) for key, unit in book["units"].items()],
    }


def _unit(key: str, unit: Data, items: list[Data]) -> Data:
    entry: Data = {
        "id": key,
        "name": unit["name"],
        "categories": unit["categories"],
        "points": unit["price"],
        "points_per_model": unit.get("per_model", 0),
        "keywords": [
            *unit.get("keywords", ()),
            *(word for flag, word in FLAGS.items() if unit.get(flag)),
        ],
        "options": [],
        "when": [],
    }
    entry |= {field: unit[field] for field in SAME & unit.keys()}
    groups: dict[str, Data] = {}
    for name, option in unit.get("options", {}).items():
        made = _option(name, option)
        if "max_models" in option:
            change = {"if": {"taken": made["id"]}, "set": {"max": option["max_models"]}}
            entry["when"].append(change)
        for category in _joined(option):
            change = {"if": {"taken": made["id"]}, "add_category": category}
            entry["when"].append(change)
        _place(made, option, entry["options"], groups)
    if "items_allowance" in unit:
        allowance = unit["items_allowance"]
        group = {"group": "special-items", "name": "Special items", "allowance": allowance}
        entry["options"].append({**group, "options": items})
    return entry


def _place(made: Data, option: Data, nodes: list[Data], groups: dict[str, Data]) -> None:
    """Put an option into its group, where it has one; any member may say the group's bounds."""
    name = option.get("group")
    if name is None:
        nodes.append(made)
        return
    if name not in groups:
        groups[name] = {"group": f"group-{name}", "name": name, "choose": [0, 1], "options": []}
        nodes.append(groups[name])
    groups[name]["options"].append(made)
    low, high = groups[name]["choose"]
    groups[name]["choose"] = [option.get("group_min", low), option.get("group_max", high)]


def _option(name: str, option: Data) -> Data:
    made: Data = {
        "id": IDS.get(name, name),
        "name": name.replace("-", " ").capitalize(),
        "points": option.get("price", 0),
        "points_per_model": option.get("price_per_model", 0),
        "keywords": option.get("grants", []),
    }
    if "requires" in option:
        made["needs"] = {"taken": IDS.get(option["requires"], option["requires"])}
    if "item" in option:
        made["item"] = ITEM_KINDS.get(option["item"], slug(option["item"]))
    made |= {key: option[key] for key in ("one_of_a_kind", "must_lead") if key in option}
    own = [category for category, whose in _also(option).items() if not _whole(whose)]
    if own:
        made["categories"] = own
    if "cap_models" in option:
        made["cap_models"] = option["cap_models"]
    cap = option.get("cap", option.get("cap_units"))
    return made if cap is None else {**made, "cap": cap}


def _also(option: Data) -> Data:
    """The categories in which an option counts too, with what counts there: mostly its own price
    (8.B.b.7), or the whole unit (8.B.b.6).
    """
    said = option.get("also_counts", {})
    return said if isinstance(said, dict) else dict.fromkeys(_listed(said), "own price")


def _joined(option: Data) -> list[str]:
    """The categories that the whole unit joins by an option."""
    joined = [category for category, whose in _also(option).items() if _whole(whose)]
    return [*joined, *_listed(option.get("adds_category", option.get("add_category", ())))]


def _whole(whose: str) -> bool:
    return "unit" in whose.lower() or "whole" in whose.lower()


def _listed(said: Any) -> list[str]:
    return [said] if isinstance(said, str) else list(said)


def _item(key: str, item: Data) -> Data:
    made: Data = {
        "id": key,
        "name": key.replace("-", " ").title(),
        "points": item["price"],
        "item": ITEM_KINDS.get(item["kind"], slug(item["kind"])),
        "one_of_a_kind": item.get("one_of_a_kind", True),
        "dominant": item.get("dominant", False),
    }
    return {**made, "on": [slug(item["on"])]} if "on" in item else made


def entry_of(entry: Data) -> Data:
    """One unit of a case's list as ours. An item may come as {"id": ..., "on": ...}."""
    options: list[Data] = [{"id": IDS.get(name, name)} for name in entry.get("options", ())]
    options += [
        {"id": item} if isinstance(item, str) else dict(item) for item in entry.get("items", ())
    ]
    for option in options:
        if "on" in option:
            option["on"] = slug(option["on"])
    made: Data = {"unit": f"golden/{entry['unit']}", "models": entry.get("models", 1)}
    if options:
        made["options"] = options
    if entry.get("general"):
        made["roles"] = ["general"]
    return made
