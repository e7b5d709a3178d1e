"""Many lists, as documents, files and texts: a line for each, and one keeps no other from it."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine import validate
from armybuilder.exchange.batch import BatchLine, judge_documents
from armybuilder.exchange.files import clear_list, entries_of, read_entry
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.problems import Refusal
from tests.building.documents import SKIRMISH, army, skirmish, value_of
from tests.exchange.pasted import summary, text_of
from tests.properties.lists import FEW, LIBRARY, lists
from tests.sheets.papers import example

pytestmark = pytest.mark.long

Data = dict[str, Any]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def one(item: Any) -> BatchLine:
    (line,) = judge_documents([item], LIBRARY)
    return line


def test_each_game_is_judged_as_the_engine_does() -> None:
    documents = [army(), *map(skirmish, SKIRMISH)]
    for document, line in zip(documents, judge_documents(documents, LIBRARY), strict=True):
        catalogue = catalogue_of(value_of(document), LIBRARY)
        report = validate(make_roster(value_of(document), catalogue), catalogue)
        assert (line.name, line.game) == (document["name"], document["system"])
        assert (line.legal, line.spent, line.limit) == (report.legal, report.spent, report.limit)
        assert set(line.codes) == {finding.code for finding in report.findings}
        assert len(line.findings) == len(report.findings)
        assert line.seconds > 0
        assert not line.problem


def test_bytes_and_parsed_json_give_the_same_line_with_each_code_once() -> None:
    for document in (army(), {**army(), "limit": "many"}, {**army(), "system": "none"}):
        lines = judge_documents([document, json.dumps(document).encode()], LIBRARY)
        first, second = (replace(line, seconds=0) for line in lines)
        assert first == second
    line = one({**army(30), "limit": 100})
    said = [finding.code for finding in line.findings]
    assert len(line.codes) < len(said)
    assert list(line.codes) == sorted(set(said), key=said.index)


def test_what_cannot_be_judged_says_why_and_where_among_the_others() -> None:
    wrong = {**army(), "limit": "many"}
    lines = judge_documents([army(), b"{", wrong, Refusal("The file is damaged."), army()], LIBRARY)
    assert [line.legal for line in lines] == [False, None, None, None, False]
    assert "not JSON" in lines[1].problem
    assert lines[2].problem.startswith("This is not an army list. At /limit:")
    assert [problem.pointer for problem in lines[2].problems] == ["/limit"]
    assert lines[3].problem == "The file is damaged."
    assert {line.spent for line in lines[1:4]} == {None}


@pytest.mark.slow
@FEW
@given(st.lists(anything | lists() | st.binary(max_size=20), max_size=4))
def test_whatever_is_sent_each_has_its_line(items: list[Any]) -> None:
    judged = judge_documents(items, LIBRARY)
    assert len(judged) == len(items)
    for line in judged:
        assert (line.legal is None) == bool(line.problem)


CLEAR = "Highborn Elves\n235 - High Prince, General\n150 - 10 Citizen Archers\n385\n"


def test_texts_of_ours_are_clear_and_what_is_not_clear_is_reported() -> None:
    for name in ("t9a-2023/the-long-table", "sbh/gruks-green-flood"):
        listed = value_of(example(name))
        for form in ("compact", "lines", "markdown", "full"):
            assert summary(clear_list(text_of(listed, form), LIBRARY)) == summary(listed), form
    for text, said in {
        "": "Paste a list first",
        "Dear friends,\nsee you on Saturday.": "No unit was found",
        f"{CLEAR}235 - Commander, Wings of Wax\n": "Unclear: 235 - Commander, Wings of Wax. ",
        CLEAR.replace("150", "155"): "Unclear: 155 - 10 Citizen Archers. ",
    }.items():
        with pytest.raises(Refusal, match=said):
            clear_list(text, LIBRARY)


def test_texts_in_folders_and_zips_are_lists(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\ufeff" + CLEAR, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as zipped:
        zipped.writestr("b.md", text_of(example("sbh/gruks-green-flood"), "markdown"))
        zipped.writestr("c.TXT", b"\xff\xfe broken")
        zipped.writestr("read me.txt", "What is in here")
    (tmp_path / "README.md").write_text("What is in here", encoding="utf-8")
    entries = list(entries_of([str(tmp_path)]))
    assert [Path(entry.name).name for entry in entries] == ["a.txt", "b.md", "c.TXT"]
    systems = [read_entry(entry).system for entry in entries[:2]]
    assert systems == ["t9a-2023", "sbh"]
    with pytest.raises(Refusal, match="No unit was found"):
        read_entry(entries[2])


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("army.pdf", b"%PDF-1.7\n...", "A PDF can’t be opened here."),
        ("army.json", b"%PDF-1.4\n...", "A PDF can’t be opened here."),
        ("army.docx", b"PK\x03\x04word", "A word processor’s document can’t be opened here."),
        ("army.rtf", b"{\\rtf1 Marshal", "A word processor’s document can’t be opened here."),
        ("army.json", b'{"game": "other", "army": {"a": [[[[[[[[[1]]]]]]]]]}}', "another program"),
        ("army.owb", b'[{"name": "Anna"}]', "another program"),
        ("army.png", b"\x89PNG\r\n", "This kind of file can’t be opened here."),
    ],
)
def test_files_of_other_programs_are_refused_in_words(
    tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    (tmp_path / name).write_bytes(content)
    (entry,) = entries_of([str(tmp_path / name)])
    with pytest.raises(Refusal) as refused:
        read_entry(entry)
    assert why in refused.value.sentence
    assert "Copy the list’s text and paste it." in refused.value.sentence
    assert ".rosz" in refused.value.sentence


@pytest.mark.parametrize(
    "content", [b"{", b"", b"[]", b'{"format": "armylist/1"}', b'{"system": "sbh"}']
)
def test_a_broken_file_of_ours_says_what_is_wrong_with_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "list.json").write_bytes(content)
    (entry,) = entries_of([str(tmp_path / "list.json")])
    with pytest.raises(Refusal) as refused:
        read_entry(entry)
    assert "can be opened" not in refused.value.sentence
