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
    out = tmp_path / "out.pdf"
    call_command("print_list", str(written(legal_list())), "-o", str(out), "--paper", "letter")
    assert b"/MediaBox [ 0 0 612 792 ]" in out.read_bytes()
    fields = ("--kinds", "full", "--paper", "A5", "--setup", "landscape=1", "size=small")
    call_command("print_list", str(written(legal_list())), "-o", str(out), *fields)
    width, height = PdfReader(out).pages[0].mediabox[2:]
    assert (round(width), round(height)) == (595, 420)


def test_text_without_output_is_printed_in_the_form_chosen(written, capsys):
    call_command("print_list", str(written(legal_list())), "--text")
    assert "Legal: 87 of 100 points." in capsys.readouterr().out
    call_command("print_list", str(written(legal_list())), "--form", "markdown")
    assert capsys.readouterr().out.startswith("# Test list\n")
    units = [{"id": "u1", "unit": "none/none", "models": 1}]
    army = legal_list(system="t9a-2023", books=[{"id": "none"}], units=units)
    call_command("print_list", str(written(army)), "--text", "--kind", "open")
    assert "Open list (Rulebook 8.E.a)" in capsys.readouterr().out
    call_command(
        "print_list", str(written({**army, "units": [], "notes": "Hush"})), "--form", "secret"
    )
    out = capsys.readouterr().out
    assert "Game of 100 points" in out
    assert "Hush" not in out


def test_bad_list_output_or_preset_exits_with_code_2(written, tmp_path):
    out = ("-o", str(tmp_path / "out.pdf"))
    for content, options, said in (
        ("{", out, "not JSON"),
        ("[]", out, "not an army list"),
        (legal_list(system="chess"), out, "no game system “chess”"),
        (None, ("--text",), "No such file"),
        (legal_list(), ("-o", str(tmp_path)), "directory"),
        (legal_list(), (), r"-o OUT\.pdf"),
        (legal_list(), (*out, "--setup", "size=huge"), "huge"),
        (legal_list(), (*out, "--setup", "shape=round"), "“shape=round” is no field"),
        (legal_list(), (*out, "--setup", "colour"), "“colour” is no field"),
        (legal_list(), (*out, "--kinds", "novel"), "no sheet “novel”"),
        (legal_list(), (*out, "--kind", "open", "--kinds", "full"), "only --paper"),
    ):
        file = tmp_path / "none.json" if content is None else written(content)
        with pytest.raises(CommandError, match=said) as refused:
            call_command("print_list", str(file), *options)
        assert refused.value.returncode == 2, said
        assert not (tmp_path / "out.pdf").exists()
