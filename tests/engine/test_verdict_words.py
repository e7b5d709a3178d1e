"""The verdict in words: one place says them all."""

import pytest

from armybuilder.engine.verdict import Counts, counts_of, verdict_sentence, verdict_words


@pytest.mark.parametrize(
    ("counts", "short", "full"),
    [
        (Counts(0, 0, 0, 0), "Legal", "Legal"),
        (Counts(1, 0, 0, 0), "1 error", "Not legal: 1 error"),
        (Counts(1, 4, 2, 1), "1 error · 4 to do", "Not legal: 1 error, 4 to do"),
        (Counts(0, 4, 0, 0), "4 to do", "Not legal yet: 4 to do"),
        (Counts(0, 0, 2, 0), "Legal · 2 warnings", "Legal · 2 warnings"),
        (
            Counts(0, 0, 1, 2),
            "Legal, 2 restrictions not checked · 1 warning",
            "Legal, 2 restrictions not checked · 1 warning",
        ),
    ],
)
def test_a_verdict_is_said_short_and_in_full(counts: Counts, short: str, full: str) -> None:
    assert verdict_words(counts) == short
    assert verdict_sentence(counts) == full


def test_findings_are_counted_by_severity_and_state() -> None:
    told = [("error", "missing"), ("error", "broken"), ("error", "missing"), ("note", "missing")]
    told += [("warning", "broken")]
    assert counts_of(told, 3) == Counts(broken=1, missing=2, warnings=1, unchecked=3)
