"""What packages say in other languages where our files say it better, and dates."""

import datetime
from types import SimpleNamespace

import pytest
from allauth.account import forms
from django.contrib.auth.password_validation import NumericPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, override

from armybuilder.accounts.words import TOLD_BETTER
from armybuilder.pages.templatetags.events import at_place
from armybuilder.pages.templatetags.shown import moment

EVENING = datetime.datetime(2026, 11, 27, 19, 5, tzinfo=datetime.UTC)


def test_sentences_of_packages_are_ours_where_we_have_them() -> None:
    same, numeric = TOLD_BETTER
    with override("de"):
        assert "dasselbe" in gettext(same)
        with pytest.raises(ValidationError, match="besteht nur aus Ziffern"):
            NumericPasswordValidator().validate("12345678")
    # They say just this, or it would be of no use.
    with open(forms.__file__, encoding="utf-8") as file:
        assert same in file.read()
    with pytest.raises(ValidationError, match=numeric):
        NumericPasswordValidator().validate("12345678")


@pytest.mark.parametrize(
    ("language", "there", "here"),
    [
        ("en", "Fri 27 Nov 2026, 20:05 (Berlin time)", "27 Nov 2026, 19:05 UTC"),
        ("de", "Fr, 27. Nov. 2026, 20:05 (Ortszeit Berlin)", "27. Nov. 2026, 19:05 UTC"),
        ("fr", "ven. 27 nov. 2026, 20:05 (heure locale, Berlin)", "27 nov. 2026, 19:05 UTC"),
    ],
)
def test_times_are_written_as_the_language_writes_them(
    language: str, there: str, here: str
) -> None:
    with override(language):
        assert at_place(EVENING, SimpleNamespace(zone="Europe/Berlin")) == there  # type: ignore[arg-type]
        assert at_place(EVENING, SimpleNamespace(zone="UTC")).endswith("19:05 (UTC)")  # type: ignore[arg-type]
        assert moment(EVENING) == here
