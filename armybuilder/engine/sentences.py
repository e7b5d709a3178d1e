"""Sentences of findings, made last, from code and numbers, only here.

A game's own are in its system file, by code; shared ones are here. A code without any uses its
rule's summary. Templates are plain strings, so that a translation can replace them.
"""

from collections.abc import Mapping

from armybuilder.engine.nouns import counted
from armybuilder.engine.rules import Finding
from armybuilder.engine.wording import listed, marked, say

#: By code, or by code and rule (or its count) if several rules share a code.
#: {by} is how far the number is off; {measured} and {allowed} the numbers; the rest are the
#: finding's own values. "{points:x}", "{models:x}" and "{pieces:x}" count with their word.
#: {are} is "is" or "are", which English needs; other languages may leave it out.
TEMPLATES: Mapping[str, str] = marked(
    {
        "points.over": "The list costs {points:measured}: {by} over the limit of {allowed}.",
        "list.empty": "The list has no models yet.",
        "unit.unknown": (
            "The chosen books have no unit “{name}”. It stays on the list but does not count."
        ),
        "option.unknown": "This unit has no option “{name}”.",
        "role.unknown": "The game has no role “{name}”.",
        "ability.unknown": "The game has no special rule “{name}”.",
        "book.unknown": "There is no book “{name}” for this game.",
        "setting.unknown": "The game has no choice “{name}”.",
        "unit.incomplete": "{unit}: fill in the {names} from your card.",
        "copies.owned": "{unit}: {measured} on the list, you own {allowed}.",
        "price.suggested": "Suggested points, not published ones: {names}. Agree on them.",
        "alignment.clash": (
            "Good and evil models can’t be in the same warband ({first} good, {second} evil)."
        ),
        "cap.under": "{what}: {measured} taken, minimum {allowed}.",
        "option.too-often unknown-repeated": (
            "“{name}” is on this unit more than once; only the first counts."
        ),
    }
)

#: Values of every finding that a template may name, and formats for numbers.
COMMON = frozenset(
    ["summary", "measured", "allowed", "by", "are", "bound", "points", "models", "pieces"]
)
COUNTED = ("points", "models", "pieces")
#: For codes that have no template of their own: said with the rule's own summary.
PLAIN = "{summary}"
PLAIN_NUMBERS = marked("{summary} This list: {measured}; allowed: {allowed}.")


def template_keys(finding: Finding) -> tuple[str, ...]:
    """Return the keys of a finding's template, most specific first: "first" if one is required
    and there is none."""
    code = finding.code
    first = "first" if (finding.measured, finding.allowed) == (0, 1) else ""
    return (
        f"{code} {finding.head.id}",
        f"{code} {finding.values.get('count')}",
        f"{code} {first}",
        code,
    )


def template(finding: Finding) -> tuple[str, str]:
    """Return (key, template) of the finding's sentence: its game's, else that of all games."""
    for sentences in (finding.head.sentences, TEMPLATES):
        for key in template_keys(finding):
            if key in sentences:
                return key, sentences[key]
    without_numbers = PLAIN if finding.measured is None else PLAIN_NUMBERS
    return "", finding.rule.plain or without_numbers


def tells_how_much(finding: Finding) -> bool:
    """Return whether the sentence itself has the excess or shortfall."""
    key, text = template(finding)
    return bool(key) and (key.endswith(" first") or "{by}" in text)


def sentence(finding: Finding) -> str:
    """Return the finding as one sentence, with its line-up if it occurs in only one."""
    text = say(template(finding)[1]).format_map(_Fields(finding))
    if finding.lineup:
        text = f"{finding.lineup[0].upper()}{finding.lineup[1:]}: {text}"
    return text


class _Fields(dict[str, object]):
    """Values for a template from the finding, computed on demand."""

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        self.finding = finding

    def __missing__(self, key: str) -> object:
        finding = self.finding
        if key in COUNTED:
            return _Counted(self, key.removesuffix("s"))
        match key:
            case "are":
                return "is" if (finding.measured or 0) == 1 else "are"
            case "summary":
                return finding.head.summary
            case "measured":
                return finding.measured
            case "allowed":
                return finding.allowed
            case "by":
                return finding.excess
        if key in finding.values:
            return _spoken(finding.values[key])
        if key in finding.rule.says:
            return ""
        if key == "bound":
            few = (finding.measured or 0) < (finding.allowed or 0)
            return say("at least") if few else say("at most")
        raise KeyError(key)


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
