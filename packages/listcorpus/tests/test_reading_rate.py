"""The rate at which accepted lists are read, and false errors by cause, of our own small corpus."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from armybuilder.loading.problems import Refusal
from listcorpus.reading_rates import as_markdown, as_text, measure
from tests.exchange.pasted import LIBRARY

CORPUS = Path(__file__).parent / "corpus"
#: Lists that are not read whole, and a part of what is told about each.
NOT_WHOLE = {
    "army-choice.txt": "not named in the text: Cultist Species Archetype",
    "chatter.txt": "not clear: It went well, thanks.",
    "named-for-nothing.txt": "not named in the text: Hierophant",
    "no-list.txt": "no unit was found",
    "other-prices.txt": "1500 points, 1535 told",
    "things.txt": "not clear: 90 - Flaming Shot, Dwarf Ballista (4+)",
    "typing-errors.txt": "20 Citizen Speers",
    "unknown-unit.txt": "not clear: 120 - 5 Marsh Lurkers, Net",
    "wrong-total.txt": "1500 points, 1400 told",
}
#: Lists that are read whole and found illegal: one has no General, one hides its terrain.
FALSE = {"general.missing": "no-general.txt", "terrain.count": "ours.txt/5"}


@pytest.fixture(scope="module")
def rate() -> Any:
    return measure(CORPUS, LIBRARY)


def test_the_corpus_has_its_rate(rate: Any) -> None:
    print(as_text(rate))
    assert (rate.lists, rate.whole, rate.legal, rate.false_errors) == (46, 37, 35, 2)
    assert (rate.units, rate.known) == (328, 326)
    assert (rate.priced, rate.equal) == (316, 302)


def test_what_is_not_read_whole_is_told_with_the_reason(rate: Any) -> None:
    told = dict(rate.unread)
    assert sorted(told) == sorted(NOT_WHOLE)
    for name, why in NOT_WHOLE.items():
        assert why in told[name]


def test_false_errors_are_told_by_their_cause(rate: Any) -> None:
    assert {code: rate.examples[code, rule].split(":")[0] for code, rule in rate.causes} == FALSE
    table = as_markdown(rate)
    assert "| false errors | 2 of 37 (5.4%) |" in table
    assert "| 1 | `general.missing` |" in table


def test_the_command_prints_it_in_three_forms(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("reading_rate", str(CORPUS), format="json")
    assert json.loads(capsys.readouterr().out)["lists"] == 46
    call_command("reading_rate", str(CORPUS))
    assert capsys.readouterr().out.startswith("46 lists, 328 lines of units")


def test_a_wrong_index_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ogre Khans\n155 - 3 Tribesmen\n", encoding="utf-8")
    for index, said in (
        ("[]", "an object with a field for each file"),
        ('{"*": []}', "an object with book, points, system"),
        ('{"*": {"year": 2023}}', "an object with book, points, system"),
        ('{"*": {"points": ["a"]}}', "points must be a list of numbers"),
        ('{"*": {"points": [true]}}', "points must be a list of numbers"),
        ('{"*": {"system": 5}}', "must be ids"),
        ('{"*": {"system": "chess"}}', "no game “chess”"),
        ('{"*": {"system": "t9a-2023", "book": "x"}}', "no book “x”"),
        ('{"*": {"book": "x"}}', "no book “x”"),
        ("{", "JSON"),
    ):
        (tmp_path / "index.json").write_text(index, encoding="utf-8")
        with pytest.raises(Refusal, match=said):
            measure(tmp_path, LIBRARY)


def test_files_that_are_no_lists_are_counted_or_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no folder"):
        call_command("reading_rate", str(tmp_path / "gone"))
    with pytest.raises(CommandError, match="no text with a list"):
        call_command("reading_rate", str(tmp_path))
    (tmp_path / "long.txt").write_bytes(b"\n" * 600_000)
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "strange.md").write_bytes(b"\xff\xfe\0 155 - 3 Tribesmen")
    told = measure(tmp_path, LIBRARY)
    assert told.whole == 0
    assert [name for name, _why in told.unread] == ["empty.txt", "long.txt", "strange.md"]


def test_points_of_the_index_count_more_than_those_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Highborn Elves\n100 - Giant Eagle\n100\n", encoding="utf-8")
    (tmp_path / "index.json").write_text('{"a.txt": {"system": "t9a-2023", "points": [90]}}')
    assert measure(tmp_path, LIBRARY).unread[0][1].endswith("90 told")
