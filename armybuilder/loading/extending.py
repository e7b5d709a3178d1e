"""Systems that extend another: what a system file leaves out stands in the other's."""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.loading.references import Complaint, citation_complaints, duplicates

Data = Mapping[str, Any]

#: What a system always says itself.
OWN = ("format", "id", "name", "about", "extends")
#: Sections whose entries are added to the other's, or replace the one of the same id; `sentences`
#: are those of the same code.
MERGED = ("abilities", "spells")


def extend(data: Data, base: Data) -> dict[str, Any]:
    """The system file with all that it takes from the one it extends. Citations that are taken
    over keep meaning the first source of the file they were written in.
    """
    first = next(iter(base["sources"]))
    inherited = {key: _cited(value, first) for key, value in base.items() if key not in OWN}
    extended = {**inherited, **data}
    own = data.get("sources", {})
    extended["sources"] = own | {
        key: source for key, source in base["sources"].items() if key not in own
    }
    for section in MERGED:
        entries = {entry["id"]: entry for entry in inherited.get(section, ())}
        entries |= {entry["id"]: entry for entry in data.get(section, ())}
        extended[section] = list(entries.values())
    told = {**inherited.get("sentences", {}), **data.get("sentences", {})}
    return {**extended, "sentences": told} if told else extended


def _cited(value: Any, source: str) -> Any:
    """The value, with every `cite` that names no source naming the one it was written for."""
    if isinstance(value, list):
        return [_cited(inner, source) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {"source": source, "place": inner}
        if key == "cite" and isinstance(inner, str)
        else _cited(inner, source)
        for key, inner in value.items()
    }


def section_mistakes(data: Data, sources: Data) -> Iterator[Complaint]:
    """What is wrong with the merged sections of a file that extends another, while their entries
    still stand where the file has them: ids twice, and citations of what is none of the sources.
    """
    if "extends" not in data:
        return
    for section in MERGED:
        yield from duplicates(data.get(section, ()), (section,))
        yield from citation_complaints(data.get(section, []), (section,), sources)
