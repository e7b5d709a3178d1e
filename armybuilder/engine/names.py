"""Names in comparable form, without differences in how people and machines write."""

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse

#: Apostrophes and the characters typed for them.
_QUOTES = str.maketrans(dict.fromkeys("'’‘‛`´ʼʹ′＇"))
#: Accents, and what chooses among shapes of a symbol.
_MARK = re.compile("[\u0300-\u036f\ufe00-\ufe0f]")
_SPACES = re.compile(r"\s+")
_NOT_A_LETTER = re.compile(r"[^\w]+|_")
#: Letters of a name that readers look at.
_LONGEST = 240


@lru_cache(maxsize=20_000)
def name_key(name: str) -> str:
    """Return a name as rules compare it: without case, accents, apostrophes and punctuation.

    Symbols stay, so that no two names are one for lack of letters.
    """
    spread = unicodedata.normalize("NFKD", name.translate(_QUOTES)).translate(_QUOTES).casefold()
    kept = []
    for letter in spread:
        category = unicodedata.category(letter)
        # Drop accents and invisible characters.
        if category != "Cf" and not _MARK.match(letter):
            kept.append(letter if category[0] in "LNMS" else " ")
    return _SPACES.sub(" ", "".join(kept)).strip() or name.strip()


#: Letters of other alphabets, and digits, that look like Latin letters.
_LOOK_ALIKES = str.maketrans(
    "авесԁһіјкӏмнорԛѕтухѵԝзαβεγηικνορτυχω01",
    "abecdhijklmhopqstyxvwzabeynikvoptuxwol",
)


@lru_cache(maxsize=20_000)
def look_key(name: str) -> str:
    """Return a key that names share if they look the same to people."""
    return name_key(name).translate(_LOOK_ALIKES)


@lru_cache(maxsize=20_000)
def simple(name: str) -> str:
    """Return the letters and numbers of a name as `name_key` has them; "" where it has none."""
    letters = filterfalse(unicodedata.combining, name_key(name[:_LONGEST]))
    return _NOT_A_LETTER.sub(" ", "".join(letters)).strip()
