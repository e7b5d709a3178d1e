"""The shipped book is what the code makes of the source file, and its numbers hold together."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from armybuilder.converting import book
from armybuilder.converting.fields import FIELDS
from armybuilder.loading.library import CATALOGUE_DIR

FILE = CATALOGUE_DIR / "chainmail-2002" / "converted.json"
SYSTEM = json.loads((CATALOGUE_DIR / "chainmail-2002" / "system.json").read_text("utf-8"))
CREATURES = book.creatures()


def test_the_shipped_book_is_what_the_scores_give_and_its_text_is_the_book() -> None:
    assert FILE.read_text("utf-8") == book.book_text(book.make_book())
    made = book.make_book()
    assert json.loads(book.book_text(made)) == made
    assert (made["kind"], made["id"]) == ("converted", FILE.stem)
    assert [wrong for unit in book.make_book()["units"] for wrong in unknown_in(unit)] == []


def test_every_converted_creature_has_fields_and_source() -> None:
    factions = [creature["faction"] for creature in CREATURES]
    known = next(one for one in SYSTEM["attributes"] if one["id"] == "faction")["values"]
    assert set(factions) == set(known)
    assert dict(book.FACTIONS) == known
    assert all(factions.count(faction) >= 4 for faction in known)
    assert len({one["id"] for one in CREATURES}) == len(CREATURES)
    assert len({one["scores"]["name"] for one in CREATURES}) == len(CREATURES)
    fields = {field.name for field in FIELDS}
    wrong = [
        creature["id"]
        for creature in CREATURES
        if set(creature["scores"]) - fields
        or not creature["entry"]
        or not creature["pages"]
        or creature["confidence"] != ("high" if len(creature["pages"]) > 1 else "medium")
    ]
    assert wrong == []
    # As the source document has it everywhere; a slip in copying would show.
    wrong = []
    for creature in CREATURES:
        scores = creature["scores"]
        found = re.fullmatch(r"(\d+)d(\d+)(\+\d+)?", scores["hit_dice"])
        assert found is not None, creature["id"]
        average = Fraction(int(found[1]) * (int(found[2]) + 1), 2) + int(found[3] or 0)
        if int(scores["hit_points"]) != int(average):
            wrong.append(creature["id"])
    assert wrong == []


def unknown_in(unit: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a unit of the book."""
    abilities = {one["id"]: one for one in SYSTEM["abilities"]}
    stats = {one["id"] for one in SYSTEM["stats"]}
    yield from (f"{unit['id']}: {stat}" for stat in unit["stats"] if stat not in stats)
    for text in unit.get("abilities", ()):
        known = abilities.get(text.split(":")[0].split(" ")[0])
        needs = known and known["rating"] != "none" and not known.get("rating_optional")
        rated = re.search(r" -?\d+(:|$)", text)
        if not known or (needs and not rated) or ("target" in known) != (":" in text):
            yield f"{unit['id']}: {text}"
    if unit["suggested"] is not True or not unit["points"]:
        yield f"{unit['id']}: {unit['points']} points, suggested {unit['suggested']}"
    if len(unit.get("note", "")) > 600:
        yield f"{unit['id']}: a long note"


def test_the_command_finds_a_book_that_differs(tmp_path: Path) -> None:
    copy = tmp_path / "converted.json"
    call_command("convert_creatures", file=copy, verbosity=0)
    assert copy.read_text("utf-8") == FILE.read_text("utf-8")
    call_command("convert_creatures", check=True, file=copy)
    copy.write_text(copy.read_text("utf-8").replace('"points": 5', '"points": 6', 1), "utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("convert_creatures", check=True, file=copy)
    assert ended.value.code == 1
