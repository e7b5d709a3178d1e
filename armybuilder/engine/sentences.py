"""The sentences of findings, made last, from code and numbers, in this one place.

A code has one template; a code without one takes the template of its rule's kind of trouble.
Templates are plain strings, so that a translation can replace them.
"""

from collections.abc import Mapping

from armybuilder.engine.findings import Finding
from armybuilder.engine.nouns import counted
from armybuilder.engine.wording import Later, listed, marked, say

#: By code, or by code and rule (or what it counts) where one code has several rules to tell.
#: {by} is how far the number is off; {measured} and {allowed} the numbers; the rest are the
#: finding's own values. "{points:x}", "{models:x}" and "{pieces:x}" count with their word.
#: {are} is "is" or "are", which English needs; other languages may leave it out.
TEMPLATES: Mapping[str, str] = marked(
    {
        "points.over": "The list costs {points:measured}: {by} over the {allowed} agreed.",
        "points.under": (
            "The list costs {points:measured}: {by} short of the {allowed} it must reach."
        ),
        "list.empty": "The list has no models yet.",
        "unit.unknown": (
            "The chosen books have no unit “{name}”. It stays on the list but counts nothing."
        ),
        "option.unknown": "This unit has no option “{name}”.",
        "role.unknown": "The game knows no role “{name}”.",
        "ability.unknown": "The game knows no special rule “{name}”.",
        "book.unknown": "There is no book “{name}” for this game.",
        "setting.unknown": "The game does not know the choice “{name}”.",
        "unit.incomplete": "{unit}: fill in the {names} from your card.",
        "champion.rating": "{unit}: fill in the {names} from your card, for game day.",
        "unit.stats": "{unit}: {stat} is {measured}; it must be {bounds}.",
        "personalities.share": (
            "Personalities cost {points:measured}; at most {allowed} (a third of the game size)"
            " may go to them."
        ),
        "animals.share": (
            "Of the models {measured} {are} animals; at most {allowed} (half) allowed."
        ),
        "swarm.too-few": "{unit}: a swarm needs at least {allowed} bases, the list has {measured}.",
        "rabble.quality": "{unit} is Rabble with Quality {measured}; Rabble must have 4, 5 or 6.",
        "specials.requires": "{unit}: {names} may only be taken with {needs}.",
        "specials.lethal": "{unit}: Lethal may be taken only once.",
        "specials.lethal lethal-target": "{unit}: name the kind of enemy Lethal works against.",
        "specials.lethal lethal-itself": (
            "{unit}: no model may be Lethal against Lethal models ({names})."
        ),
        "specials.exclude": "{unit}: {names} do not go together.",
        "specials.idle": "{unit}: Stealth does nothing for a wearer of Heavy Armor.",
        "faction.choose": "{factions} tie for command points: choose the warband's faction.",
        "faction.mixed": (
            "No faction has command points, so all models must be of one faction;"
            " the list has {factions}."
        ),
        "faction.choose open": "Choose the warband's faction.",
        "faction.mixed one": "All models must be of one faction; the list has {factions}.",
        "faction.mixed belongs": "Not of the chosen faction, {faction}: {names}.",
        "models.too-many": "The list has {models:measured}; at most {allowed} allowed.",
        "models.many": "{models:measured}: more than {allowed} make a slow game.",
        "model.too-costly": (
            "{unit} costs {points:measured}; at most {allowed} allowed in this game."
        ),
        "unique.duplicate": "{unit} is Unique; the list has {measured} ({names}).",
        "epic.not-allowed": "Epic cards on the list: {measured}; this game has none.",
        "size.not-allowed": (
            "Huge or larger creatures on the list: {measured}; this scenario has none."
        ),
        "size.open": "Not agreed on for {size} points, and so not checked: {names}.",
        "map.full-size": "{summary}",
        "game.size": "{summary}",
        "scenario.size": "{summary}",
        "scenario.sealed": "{summary}",
        "map.missing": "Choose one battle map.",
        "map.half-size": "{names} is half a map, made for games of up to 100 points.",
        "pool.open": "{summary}",
        "pool.exceeded": "{unit}: {measured} on the list, {allowed} in your pool.",
        "copies.owned": "{unit}: {measured} on the list, you own {allowed}.",
        "price.suggested": "Suggested points, not published ones: {names}. Agree on them.",
        "command.limit": "{measured} troops on the list; its commanders lead {allowed}.",
        "command.capacity": (
            "The models need {measured} command capacity; the commanders give {allowed}."
        ),
        "untrained.cross-faction": (
            "{models:measured} with Untrained Troop {are} of another faction than the warband's."
        ),
        "alignment.clash": (
            "Good and evil may not stand in one warband ({first} good, {second} evil)."
        ),
        "reserve.too-many": "{models:measured} are in reserve; at most {allowed} allowed.",
        "reserve.too-costly": (
            "{unit} costs {measured}; a reserve model may cost at most {allowed}"
            " (a tenth of the point value)."
        ),
        "category.missing": "The army has no unit there. {summary}",
        "category.missing core": "The army has no Core unit; it needs at least one.",
        "category.missing characters": "The army has no Characters; it needs at least one.",
        "category.over": "{what}: {points:measured}, {by} over the {allowed} allowed.",
        "category.under": "{what}: {points:measured}, {by} short of the {allowed} needed.",
        "category.over picks": "{what}: {measured} in the army; at most {allowed} allowed.",
        "category.under picks": "{what}: {measured} in the army; at least {allowed} needed.",
        "units.too-few": (
            "The army has {measured} of the {allowed} units it needs{doubt}; Characters do not"
            " count, War Machines count as one."
        ),
        "general.missing": "The army has no General: make a Character the General.",
        "general.too-many": "The army has {measured} Generals; it may have only one.",
        "general.not-eligible": "{unit} may not be the General: its entry does not let it lead.",
        "general.not-eligible not-a-leader": (
            "{unit} may not be the General: it has Not a Leader{source}."
        ),
        "general.not-eligible unsure": (
            "{unit} as the General: the book as we have it does not say whether it may lead."
        ),
        "general.required": "{unit} must be the General{source}.",
        "book.too-many": "The army draws from {measured} Army Books ({names}); it may from one.",
        "cap.over": "{name}: {measured} in the army; at most {allowed} allowed{scaled}.",
        "cap.under": "{what}: {measured} in the army; at least {allowed} needed.",
        "one-of-a-kind.over": "{name} is One of a Kind; the army has it {measured} times.",
        "one-of-a-kind.over battle-standard": (
            "The army has {measured} Battle Standard Bearers; it may have only one."
        ),
        "unit.too-small": "{unit} has {models:measured}; at least {allowed} are needed.",
        "unit.too-small command-group": (
            "{unit} has {models:measured}; {allowed} are needed for {names}, one model each."
        ),
        "unit.too-large": "{unit} has {models:measured}; at most {allowed} allowed{why}.",
        "option.requires": "{unit}: {option}, {why}.",
        "option.too-often": (
            "{unit}: {option} is taken {measured} times; at most {allowed} allowed."
        ),
        "option.too-often unknown-repeated": (
            "“{name}” stands more than once on this unit; only the first counts."
        ),
        "group.over": "{unit}: {measured} taken of “{group}”; at most {allowed} allowed.",
        "group.under": "{unit}: choose {by} more from “{group}”.",
        "group.under first": "{unit}: choose one from “{group}”.",
        "items.allowance": "{unit}: {group} for {points:measured}; at most {allowed} may go to it.",
        "items.slot": "{unit}: {measured} {what} ({names}); at most {allowed} allowed.",
        "items.slot banner-bearer": "{unit}: {names} may only be taken by {needs}.",
        "items.slot armour-enchantment": (
            "{unit}: {measured} enchantments on its {what} ({names}); at most {allowed} allowed."
        ),
        "items.slot fits": "{unit}: {option} needs {names}, and {lacks}.",
        "items.target": "{unit}: say what {option} is put on ({names}).",
        "items.dominant": "{unit}: {measured} Dominant items ({names}); only one allowed.",
        "terrain.count": "The list has {pieces:measured} of terrain; it needs {bound} {allowed}.",
        "terrain.not-allowed": "{names}: not found in this environment.",
        "terrain.one-only": "{names}: only one such piece may be brought.",
    }
)

#: For codes that have no template of their own: said with the rule's own summary.
PLAIN = "{summary}"
PLAIN_NUMBERS = marked("{summary} Here: {measured}, allowed: {allowed}.")


def template_keys(finding: Finding) -> tuple[str, ...]:
    """Under what a finding's template may stand, the most fitting first: "first" where one is
    needed and there is none.
    """
    code = finding.code
    first = "first" if (finding.measured, finding.allowed) == (0, 1) else ""
    return (
        f"{code} {finding.head.id}",
        f"{code} {finding.values.get('count')}",
        f"{code} {first}",
        code,
    )


def tells_how_much(finding: Finding) -> bool:
    """Whether the sentence says by itself how far the number is off."""
    key = next((key for key in template_keys(finding) if key in TEMPLATES), "")
    return key.endswith(" first") or "{by}" in TEMPLATES.get(key, "")


def _template(finding: Finding) -> str:
    for key in template_keys(finding):
        if key in TEMPLATES:
            return TEMPLATES[key]
    return PLAIN if finding.measured is None else PLAIN_NUMBERS


def sentence(finding: Finding) -> str:
    """What the finding says, in one sentence; with the line-up in which it fails, if only one."""
    text = say(_template(finding)).format_map(_Fields(finding))
    if finding.lineup:
        text = f"{finding.lineup[0].upper()}{finding.lineup[1:]}: {text}"
    return text


class _Fields(dict[str, object]):
    """What a template may name, from the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(
            {key: _spoken(value) for key, value in finding.values.items()},
            summary=finding.head.summary,
            measured=finding.measured,
            allowed=finding.allowed,
            by=finding.excess,
        )
        measured = finding.measured or 0
        self["points"] = _Counted(self, "point")
        self["models"] = _Counted(self, "model")
        self["pieces"] = _Counted(self, "piece")
        self["are"] = "is" if measured == 1 else "are"
        few = measured < (finding.allowed or 0)
        for optional in ("scaled", "why"):
            self.setdefault(optional, "")
        self.setdefault("bound", Later("at least") if few else Later("at most"))


class _Counted:
    """Lets a template write {points:measured}."""

    def __init__(self, fields: _Fields, noun: str) -> None:
        self.fields = fields
        self.noun = noun

    def __format__(self, spec: str) -> str:
        number = self.fields[spec]
        return counted(number if isinstance(number, int) else 0, self.noun)


def _spoken(value: object) -> object:
    return listed(dict.fromkeys(map(str, value))) if isinstance(value, list | tuple) else value
