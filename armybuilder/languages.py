"""Languages of the pages: the one they are written in, and one for each folder of translations."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import trans_real


def languages(folder: Path, written_in: str) -> list[tuple[str, str]]:
    """Return codes of the languages with their own names for themselves.

    First the one that messages are written in, then those that have a compiled translation in the
    folder, by code. Raises ImproperlyConfigured for a folder named like no language of Django.
    """
    found = (file.parts[-3] for file in folder.glob("*/LC_MESSAGES/django.mo"))
    codes = (name.lower().replace("_", "-") for name in found)
    names = []
    for code in (written_in, *sorted(codes)):
        name = str((LANG_INFO.get(code) or {}).get("name_local", ""))
        if not name:
            raise ImproperlyConfigured(
                f"armybuilder/locale: “{code}” is no language that Django knows."
            )
        # French writes its own name small; in a list of languages it gets a capital, too.
        names.append((code, name[0].upper() + name[1:]))
    return names


@lru_cache(maxsize=1024)
def in_every_language(text: str, context: str = "") -> tuple[str, ...]:
    """Return a message as each language of the pages has it, English first, each wording once."""
    # Those of the files themselves, so that it makes no difference whose turn it is.
    known = [trans_real.translation(code) for code, _name in settings.LANGUAGES]
    said = (one.pgettext(context, text) if context else one.gettext(text) for one in known)
    return tuple(dict.fromkeys(said))


class Typed(NamedTuple):
    """Words that people may type for one thing: a message that no page shows, separated by |."""

    context: str
    words: str


@cache
def typed(*meanings: Typed) -> frozenset[str]:
    """Return the words for any of these things in all languages, in small letters."""
    told = (said for one in meanings for said in in_every_language(one.words, one.context))
    return frozenset(word.strip().casefold() for words in told for word in words.split("|"))


@cache
def typed_pattern(*meanings: Typed) -> str:
    """Return the same as a regular expression for `re.I`, with any spaces and apostrophes."""
    # The longest first.
    words = sorted(typed(*meanings), key=lambda word: (-len(word), word))
    shapes = (re.escape(re.sub(r"\s+", " ", word).replace("’", "'")) for word in words)
    loose = (shape.replace("\\ ", r"\s+").replace("'", "['’]") for shape in shapes)
    return f"(?:{'|'.join(loose)})"
