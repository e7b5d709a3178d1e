"""Texts read without a look at their lines: in files, folders and zips; nothing is guessed."""

import zipfile
from pathlib import Path

import pytest

from armybuilder.exchange.files import entries_of, read_entry
from armybuilder.exchange.texts import clear_list
from armybuilder.loading.problems import Refusal
from tests.building.documents import value_of
from tests.exchange.pasted import LIBRARY, summary, text_of
from tests.sheets.printed import EXAMPLES, example

CLEAR = "Highborn Elves\n235 - High Prince, General\n150 - 10 Citizen Archers\n385\n"


@pytest.mark.parametrize("name", ["t9a-2023/the-long-table", "sbh/gruks-green-flood"])
@pytest.mark.parametrize("form", ["compact", "lines", "markdown", "full"])
def test_texts_of_ours_are_clear(name: str, form: str) -> None:
    assert name in EXAMPLES
    listed = value_of(example(name))
    assert summary(clear_list(text_of(listed, form), LIBRARY)) == summary(listed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Paste a list first"),
        ("Dear friends,\nsee you on Saturday.", "No unit was found"),
        (CLEAR + "235 - Commander, Wings of Wax\n", "Not clear: 235 - Commander, Wings of Wax. "),
        (CLEAR.replace("150", "155"), "Not clear: 155 - 10 Citizen Archers. "),
    ],
)
def test_what_is_not_clear_is_told(text: str, said: str) -> None:
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
