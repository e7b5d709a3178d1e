"""`manage.py print_list`."""

import json

import pytest
from django.core.management import CommandError, call_command
from pypdf import PdfReader

from tests.sheets.papers import illegal_list, legal_list


@pytest.fixture
def written(tmp_path):
    def write(content):
        file = tmp_path / "list.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    return write


def test_the_pdf_is_written_and_the_verdict_told(written, tmp_path, capsys):
    out = tmp_path / "out.pdf"
    call_command("print_list", written(illegal_list()), output=out)
    assert out.read_bytes().startswith(b"%PDF-")
    assert "Not legal: 2 errors." in capsys.readouterr().out


def test_letter_paper_can_be_chosen(written, tmp_path):
    out = tmp_path / "out.pdf"
    call_command("print_list", str(written(legal_list())), "-o", str(out), "--paper", "letter")
    assert b"/MediaBox [ 0 0 612 792 ]" in out.read_bytes()


def test_text_without_output_is_printed(written, capsys):
    call_command("print_list", str(written(legal_list())), "--text")
    assert "Legal: 87 of 100 points." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        ("[]", "not an army list"),
        (legal_list(system="chess"), "no game system “chess”"),
    ],
)
def test_a_file_that_is_no_list_is_refused_with_code_2(written, tmp_path, content, said):
    with pytest.raises(CommandError, match=said) as refused:
        call_command("print_list", str(written(content)), "-o", str(tmp_path / "out.pdf"))
    assert refused.value.returncode == 2
    assert not (tmp_path / "out.pdf").exists()


def test_a_file_that_is_not_there_is_refused_with_code_2(tmp_path):
    with pytest.raises(CommandError, match="No such file") as refused:
        call_command("print_list", str(tmp_path / "none.json"), "--text")
    assert refused.value.returncode == 2


def test_a_place_that_cannot_be_written_is_refused_with_code_2(written, tmp_path):
    with pytest.raises(CommandError, match="directory") as refused:
        call_command("print_list", str(written(legal_list())), "-o", str(tmp_path))
    assert refused.value.returncode == 2


def test_a_pdf_needs_a_place(written):
    with pytest.raises(CommandError, match=r"-o OUT\.pdf") as refused:
        call_command("print_list", str(written(legal_list())))
    assert refused.value.returncode == 2


def test_an_open_list_can_be_printed(written, capsys):
    units = [{"id": "u1", "unit": "none/none", "models": 1}]
    army = legal_list(system="t9a-2023", books=[{"id": "none"}], units=units)
    call_command("print_list", str(written(army)), "--text", "--kind", "open")
    assert "Open list (Rulebook 8.E.a)" in capsys.readouterr().out


def test_a_form_of_text_can_be_chosen(written, capsys):
    call_command("print_list", str(written(legal_list())), "--form", "markdown")
    assert capsys.readouterr().out.startswith("# Test list\n")


def test_a_form_that_keeps_items_back_reads_the_open_list(written, capsys):
    army = legal_list(system="t9a-2023", books=[{"id": "none"}], units=[], notes="Hush")
    call_command("print_list", str(written(army)), "--form", "secret")
    out = capsys.readouterr().out
    assert "Game of 100 points" in out
    assert "Hush" not in out


def test_a_set_up_can_be_told_field_by_field(written, tmp_path):
    out = tmp_path / "out.pdf"
    fields = ("--kinds", "full", "--paper", "A5", "--setup", "landscape=1", "size=small")
    call_command("print_list", str(written(legal_list())), "-o", str(out), *fields)
    width, height = PdfReader(out).pages[0].mediabox[2:]
    assert (round(width), round(height)) == (595, 420)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--setup", "size=huge"), "huge"),
        (("--setup", "shape=round"), "“shape=round” is no field"),
        (("--setup", "colour"), "“colour” is no field"),
        (("--kinds", "novel"), "no sheet “novel”"),
        (("--kind", "open", "--kinds", "full"), "only --paper"),
    ],
)
def test_a_set_up_that_is_not_offered_is_refused_with_code_2(written, tmp_path, options, said):
    out = str(tmp_path / "out.pdf")
    with pytest.raises(CommandError, match=said) as refused:
        call_command("print_list", str(written(legal_list())), "-o", out, *options)
    assert refused.value.returncode == 2
