"""Certificates checked, and keys kept, at the command line."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from armybuilder.certificates.making import KeyRing, published_keys
from tests.api.calls import DOCUMENT
from tests.certificates.test_signing import certificate


def told(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_certificate_is_told_and_its_list_written(tmp_path: Path) -> None:
    file, made = tmp_path / "word", tmp_path / "list.json"
    file.write_text(f"https://armies.example/verify/#{certificate()}\n")
    said = told("verify_certificate", str(file), "-o", str(made))
    assert "300 of 300 points" in said
    assert ": Legal\n" in said
    assert json.loads(made.read_text()) == DOCUMENT


def test_another_server_is_believed_by_its_published_keys(tmp_path: Path, ring: KeyRing) -> None:
    file, keys = tmp_path / "word", tmp_path / "published.json"
    file.write_text(certificate())
    keys.write_text(json.dumps({"keys": published_keys()}))
    ring.file.unlink()
    assert "Legal" in told("verify_certificate", str(file), "--keys", str(keys))
    with pytest.raises(CommandError, match="not known here") as failed:
        told("verify_certificate", str(file))
    assert failed.value.returncode == 1


def test_files_that_hold_no_keys_or_are_not_there_are_told(tmp_path: Path) -> None:
    file, keys = tmp_path / "word", tmp_path / "published.json"
    file.write_text(certificate())
    for content in ("{}", "[]", "x", '{"keys": [1]}', '{"keys": [{"kid": "a"}]}'):
        keys.write_text(content)
        with pytest.raises(CommandError, match=r"published\.json") as failed:
            told("verify_certificate", str(file), "--keys", str(keys))
        assert failed.value.returncode == 2, content
    with pytest.raises(CommandError, match="cannot be read") as failed:
        told("verify_certificate", str(tmp_path / "none"))
    assert failed.value.returncode == 2


def test_keys_are_listed_rotated_and_withdrawn(ring: KeyRing) -> None:
    assert told("certificate_keys") == ""
    certificate()
    old = ring.signing(0).kid
    assert f"{old}  from" in told("certificate_keys")
    said = told("certificate_keys", "--rotate").splitlines()
    assert " to " in said[0]
    assert said[1].endswith(", signs")
    with pytest.raises(CommandError, match="--reason"):
        told("certificate_keys", "--revoke", old)
    assert "withdrawn" in told("certificate_keys", "--revoke", old, "--reason", "lost")
    with pytest.raises(CommandError, match="no key"):
        told("certificate_keys", "--revoke", "x", "--reason", "lost")
