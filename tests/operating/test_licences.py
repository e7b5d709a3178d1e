"""What `make licences` says of weaknesses, and that it never says "none" without having asked."""

import json
import sys
from typing import Any

import pytest

from tests.licences import advisories


def advisories_for(capsys: pytest.CaptureFixture[str], answer: Any) -> tuple[int, str]:
    """Exit code and words, where the source answers so."""
    code = advisories([sys.executable, "-c", f"print({json.dumps(answer)!r})"])
    return code, capsys.readouterr().out


WELL = {"name": "a", "version": "1", "vulns": []}
WEAK = {"name": "b", "version": "2", "vulns": [{"id": "X-1", "fix_versions": ["3"]}]}
SKIPPED = {"name": "c", "skip_reason": "not found"}


def test_known_weaknesses_are_reported_with_the_fixed_version(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, said = advisories_for(capsys, {"dependencies": [WELL, WEAK, SKIPPED]})
    assert code == 1
    assert "1 of 2 packages" in said
    assert "b 2: X-1 (mended in: 3)" in said
    assert advisories_for(capsys, {"dependencies": [WELL]})[0] == 0


@pytest.mark.parametrize("answer", [{}, {"dependencies": [WELL, SKIPPED]}])
def test_a_failed_lookup_of_weaknesses_is_reported(
    capsys: pytest.CaptureFixture[str], answer: dict[str, Any]
) -> None:
    code, said = advisories_for(capsys, answer)
    assert code == 2
    assert "NOTHING is known" in said
