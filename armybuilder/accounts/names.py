"""What a user may be called: nothing that looks like another's name."""

import unicodedata
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

HELP = _("Letters, digits and . + - _.")

#: Alphabets that one name may hold beside each other, as their languages do (Unicode's UTS 39,
#: "highly restrictive").
_TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)


def _of_one_alphabet(name: str) -> None:
    """Raises ValidationError for "аlice" with a Cyrillic а, and for letters that are others in
    another shape, such as 𝐚.
    """
    alphabets = {
        unicodedata.name(letter, "?").replace("-", " ").split()[0]
        for letter in name
        if letter.isalnum() and not (letter.isascii() and letter.isdigit())
    }
    alike = unicodedata.normalize("NFKC", name) == name
    if not alike or not (len(alphabets) < 2 or any(alphabets <= some for some in _TOGETHER)):
        raise ValidationError(_("Use letters of one alphabet only."), "alphabets")


#: Asked of every new name. Without an @, none looks like another's e-mail address.
validators: list[Callable[[str], None]] = [
    RegexValidator(
        r"^[\w.+-]+\Z", _("A name may have letters, digits and . + - _ only."), "invalid"
    ),
    _of_one_alphabet,
]
