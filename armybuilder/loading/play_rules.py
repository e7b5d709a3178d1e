"""Reader of a system file's rules of play: checks them and makes `PlayRules`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from armybuilder.engine.citations import Citation
from armybuilder.engine.creature_facts import Worth
from armybuilder.engine.facts import FactRule, ShareFact, Steps
from armybuilder.engine.play_rules import (
    PlayPhase,
    PlayPool,
    PlayRound,
    PlayRules,
    PlayScore,
    ScoreExtra,
    ScorePart,
    ScoreResult,
    ScoreStep,
    UnitState,
)
from armybuilder.engine.prices import Share
from armybuilder.engine.vocabulary import Table
from armybuilder.engine.wording import marked
from armybuilder.loading.references import Complaint, Names, Path, complaint, read_given

Entry = Mapping[str, Any]
Cite = Callable[[str | Mapping[str, str]], Citation]
F = TypeVar("F", bound=FactRule)


def play_problems(data: Entry) -> Iterator[Complaint]:
    """Yield names in the play rules that the system file does not define."""
    play = data.get("play", {})
    score, names = play.get("score", {}), Names.in_file(data)
    kinds = {fact["id"]: fact["kind"] for fact in data["facts"]}
    wanted = [("breaks", fact, "share") for fact in play.get("breaks", ())]
    wanted += [
        ("activated", play.get("activated"), "steps"),
        ("score", score.get("worth"), "worth"),
    ]
    for key, fact, kind in wanted:
        if fact is not None and kinds.get(fact) != kind:
            message = marked("There is no fact “{name}” of the kind “{kind}”.")
            yield complaint(("play", key), message, "Fix the spelling.", name=fact, kind=kind)
    for number, pool in enumerate(play.get("pools", ())):
        yield from names.check(pool, ("play", "pools", number))
    for number, step in enumerate(score.get("steps", ())):
        yield from names.check(step, ("play", "score", "steps", number))
    yield from _astray(data, play, score)


def _astray(data: Entry, play: Entry, score: Entry) -> Iterator[Complaint]:
    """Yield the names of reminders, states and tables that there are none of."""
    message = marked("There is nothing called “{name}” there.")
    reminders = {entry["name"] for entry in data.get("reminders", ())}
    phases = enumerate(play.get("phases", ()))
    named: list[tuple[Path, Iterable[str], set[str]]] = [
        (("phases", at), phase.get("reminders", ()), reminders) for at, phase in phases
    ]
    states = {*data.get("states", ()), *(state["name"] for state in play.get("states", ()))}
    named.append((("score", "parts"), (part["state"] for part in score.get("parts", ())), states))
    tables = {
        table["name"]
        for table in data.get("tables", ())
        if all(cell.isdecimal() for row in table["rows"] for cell in row[1:3])
    }
    result = [score["result"]["table"]] if "result" in score else []
    named.append((("score", "result"), result, tables))
    for path, given, known in named:
        for name in given:
            if name not in known:
                yield complaint(("play", *path), message, "Fix the spelling.", name=name)


def read_play(
    data: Entry, cite: Cite, facts: Iterable[FactRule], tables: Iterable[Table]
) -> PlayRules | None:
    """Return the play rules of a valid system file; None if it has none."""
    if "play" not in data:
        return None
    play: Entry = _cited(data["play"], cite)
    by_id = {fact.head.id: fact for fact in facts}

    def fact(name: str | None, kind: type[F]) -> F | None:
        found = by_id.get(name or "")
        return found if isinstance(found, kind) else None

    score = play.get("score")
    breaks = (fact(name, ShareFact) for name in play.get("breaks", ()))
    return PlayRules(
        round=PlayRound(**play["round"]),
        phases=tuple(PlayPhase(**_sets(one)) for one in play.get("phases", ())),
        states=tuple(map(_state, play.get("states", ()))),
        breaks=tuple(one for one in breaks if one is not None),
        activates=play.get("activates", False),
        activated=fact(play.get("activated"), Steps),
        pools=tuple(PlayPool(**one) for one in play.get("pools", ())),
        once=tuple(play.get("once", ())),
        score=_score(score, fact(score.get("worth"), Worth), tables) if score else None,
    )


def _cited(value: Any, cite: Cite) -> Any:
    """Return the value with every `cite` read, under the name `citation`."""
    if isinstance(value, list):
        return [_cited(inner, cite) for inner in value]
    if not isinstance(value, Mapping):
        return value
    return {
        "citation" if key == "cite" else key: cite(inner) if key == "cite" else _cited(inner, cite)
        for key, inner in value.items()
    }


def _sets(data: Entry) -> dict[str, Any]:
    return {key: frozenset(one) if isinstance(one, list) else one for key, one in data.items()}


def _state(data: Entry) -> UnitState:
    fields = _sets(data)
    return UnitState(**{**fields, "at": Share.read(data["at"]) if "at" in data else None})


def _score(data: Entry, worth: Worth | None, tables: Iterable[Table]) -> PlayScore:
    parts = (ScorePart(one["state"], Share.read(one["share"])) for one in data.get("parts", ()))
    steps = (
        ScoreStep(one["name"], one["points"], one["citation"], read_given(one.get("for")))
        for one in data.get("steps", ())
    )
    result = data.get("result")
    return PlayScore(
        data["name"],
        data["citation"],
        tuple(parts),
        tuple(ScoreExtra(**one) for one in data.get("extras", ())),
        tuple(steps),
        worth,
        _result(result, tables) if result else None,
    )


def _result(data: Entry, tables: Iterable[Table]) -> ScoreResult:
    """Return the table of a game in numbers: "up to 5" is 5, a cell without any number no end."""
    table = next(table for table in tables if table.name == data["table"])
    rows = []
    for first, winner, loser, *_others in table.rows:
        number = re.search(r"\d+", first)
        rows.append((int(number[0]) if number else None, int(winner), int(loser)))
    more = {key: data[key] for key in ("objective", "goal") if key in data}
    return ScoreResult(data["name"], tuple(rows), table.citation, **more)
