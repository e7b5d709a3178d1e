"""The adapter's part for what players choose: settings, in whatever words a case has for them.

A case may name a value by our id, by its name or by other words of the rulebook ("Wall, low",
"Uncontested Victory + Bounty"), say several things at once ("format": "sealed-200"), or stand them
beside its settings. What says nothing about a setting that the game has is left out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.catalogue import System
from armybuilder.engine.vocabulary import Setting

Data = dict[str, Any]

#: What a case may say beside its settings and still mean as one.
BESIDE = frozenset({
    "boosters", "creature_limit", "environment", "epic", "format", "game", "map", "max_cost",
    "maximum_cost", "max_creatures", "players", "pool", "scenario", "tactical_advantage", "terrain",
})  # fmt: skip

#: Words that tell nothing apart.
_SMALL = {"a", "and", "of", "or", "plus", "the", "with"}

#: Settings by the words of a key that means them, the words without their plural s.
_KEYS = {
    "creature_limit": [{"creature"}, {"creature", "limit"}, {"creature", "max"}, {"model", "max"},
                       {"model", "limit"}, {"creature", "maximum"}, {"creature", "most"}],
    "max_cost": [{"cost", "max"}, {"cost", "maximum"}, {"cost", "limit"}, {"cost", "model", "max"},
                 {"creature", "cost", "max"}, {"creature", "cost", "maximum"}],
    "epic": [{"epic"}, {"epic", "allowed"}, {"epic", "allow"}, {"epic", "card"}],
    "map": [{"map"}, {"battle", "map"}],
    "players": [{"player"}],
    "pool": [{"pool"}, {"booster"}, {"sealed", "pool"}],
    "tactical_advantage": [{"tactical", "advantage"}],
    "terrain": [{"terrain"}, {"terrain", "piece"}],
    "faction": [{"faction"}, {"warband", "faction"}],
}  # fmt: skip


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "").replace("’", "")).strip("-")


def words(text: object) -> frozenset[str]:
    """The words that tell something, without case, order and plural: "Max_Creatures" is {"max",
    "creature"}.
    """
    parts = slug(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(text))).split("-")
    return frozenset(re.sub(r"(?<=..)(?<!s)s$", "", part) for part in parts) - _SMALL - {""}


def named(value: str, names: Mapping[str, str]) -> str | None:
    """The id among `names` that a text means: as it is written, or the nearest in its words."""
    if slug(value) in names:
        return slug(value)
    told = words(value)
    best: tuple[int, int] = (0, 0)
    meant = None
    for key, name in names.items():
        for known in (words(name), words(key)):
            if known <= told or (told and told < known):
                nearness = len(known & told), -len(known ^ told)
                if nearness > best:
                    best, meant = nearness, key
    return meant


def settings_of(case: Data, system: System) -> Data:
    """The case's settings by our ids and in our words."""
    said = dict(_said(case))
    if system.faction is None and "faction" in case:
        said.setdefault("faction", case["faction"])
    made: Data = {}
    for key, value in said.items():
        setting = _meant(key, system)
        if setting is not None and setting.kind != "pool" and not _is_way(key, setting):
            made[setting.id] = value_of(setting, value, system)
    return {**made, **ways_to_play(said, system), **_pool_of(said, system)}


def _said(case: Data) -> Iterator[tuple[str, Any]]:
    """All that a case says of how it is played, what is said in groups by itself."""
    everything = {key: case[key] for key in BESIDE if key in case} | (case.get("settings") or {})
    for key, value in everything.items():
        if isinstance(value, dict) and words(key) & {"agreed", "limit", "size", "format"}:
            yield from value.items()
        else:
            yield key, value


def _meant(key: str, system: System) -> Setting | None:
    """The setting that a case's key means, if the game has it."""
    if key in system.settings:
        return system.settings[key]
    told = words(key)
    known = (setting for setting, ways in _KEYS.items() if told in ways)
    return system.settings.get(next(known, ""))


def _is_way(key: str, setting: Setting) -> bool:
    """Whether the words for it may mean more than its own values do."""
    return setting.id == "game" or key == "format"


def value_of(setting: Setting, value: Any, system: System) -> Any:
    """A value in our words; of what has no words in common with ours, the nearest thing to it."""
    if setting.kind == "number" or value is None:
        return int(value) if isinstance(value, str) and value.isdigit() else value
    names = {piece.id: piece.name for piece in setting.values.values()}
    if setting.kind == "pieces":
        return [_piece(piece, names) for piece in _flat(value)]
    if setting.kind == "attribute":
        names = dict(system.attributes[setting.attribute].values)
    if isinstance(value, list):
        assert len(value) <= 1, f"{setting.name}: one of {value} is no choice"
        return value_of(setting, value[0] if value else None, system)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if setting.id == "map" and words(value) <= {"no", "none", "map"}:
        return None
    known = named(value, names) or _of_tag(value, setting) or _other(names)
    # A scenario that a game has no word for is none of its lists' matters.
    return known or (None if setting.id == "scenario" else slug(value))


def _of_tag(value: str, setting: Setting) -> str | int | None:
    """The first value of that sort ("half-size"), or the one that "standard" means."""
    if words(value) & {"standard", "default", "normal"}:
        return setting.default
    sorts = (key for key, piece in setting.values.items() if f"tag:{slug(value)}" in piece.tags)
    return next(sorts, None)


def _piece(piece: str, names: Mapping[str, str]) -> str:
    return named(piece, names) or ("custom" if "custom" in names else slug(piece))


def _other(names: Mapping[str, str]) -> str | None:
    """The value that stands for all that a setting does not name."""
    return next((key for key in names if key.startswith("other")), None)


def _flat(value: Any) -> list[str]:
    """Names, however they are held: in a list, with a number each, in several boxes, one alone."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, int):
        return ["custom"] * value
    if isinstance(value, Mapping):
        one = next((key for key in ("unit", "model", "creature") if key in value), None)
        if one is not None:
            return [value[one]] * value.get("count", value.get("models", 1))
        return [
            name
            for key, inner in value.items()
            for name in ([key] * inner if isinstance(inner, int) else _flat(inner))
        ]
    return [name for inner in value or () for name in _flat(inner)]


def _pool_of(said: Data, system: System) -> Data:
    """What the boosters held, by the models' names."""
    for key, value in said.items():
        setting = _meant(key, system)
        if setting is not None and setting.kind == "pool" and not isinstance(value, int | None):
            return {setting.id: [f"golden/{slug(name)}" for name in _flat(value)]}
    return {}


def ways_to_play(said: Data, system: System) -> Data:
    """What the case says of the game in words of its own: its format, its scenario, a flag."""
    told: frozenset[str] = frozenset()
    for key, value in said.items():
        if value is True:
            told |= words(key)
        elif isinstance(value, str) and key not in ("map", "faction", "environment", "epic"):
            told |= words(value)
    made: Data = {}
    games = system.settings["game"].values if "game" in system.settings else {}
    if "sealed" in games:
        sealed = bool(told & {"sealed", "booster"})
        made["game"] = "sealed" if sealed else "constructed"
        if "epic" in words(said.get("format", "")):
            made["epic"] = "yes"
        if sealed and words(said.get("scenario", "")) & {"sealed", "booster"}:
            made["scenario"] = "assault"
    if "free-form" in games:
        free = {"free", "form"} <= told or "freeform" in told
        made["game"] = "free-form" if free else "standard"
    if "players" in system.settings and said.get("players") is None:
        if "team" in told:
            made["players"] = 4
        elif {"free", "all"} <= told or "multiplayer" in told:
            made["players"] = 3
    return made


def points_of(case: Data) -> int:
    """The game size: said by itself, or with the format ("standard-100")."""
    points = case.get("points", case.get("army_points"))
    if points is None:
        settings = case.get("settings") or {}
        said = settings.get("points", settings.get("format", case.get("format", "")))
        points = re.search(r"\d+", str(said))
        assert points is not None, "a case without its points"
        return int(points[0])
    return int(points)
