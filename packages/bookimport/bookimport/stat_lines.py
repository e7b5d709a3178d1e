"""Which profiles are stat lines: by the names of their kinds, or, in a game of which only the files
are known, the kinds that units and their models have more often than options.
"""

import re
from collections import Counter
from functools import cached_property
from typing import Final

from bookimport.names import kebab
from bookimport.source import SourceEntry, SourceProfile
from bookimport.survey import Survey

#: Kinds of profile that make up a stat line, by the beginning of their names.
#: "1 Global" or, in Essence of War, "A - Global".
_STAT_LINE: Final = re.compile(r"[0-3A-D] (?:- )?(?:Size|Global|Defensive|Offensive)")
#: Values longer than this are prose.
_LONGEST_VALUE: Final = 40


class StatLines:
    """The stat lines of one catalogue."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey

    def is_one(self, profile: SourceProfile | None) -> bool:
        """Return whether the profile is a stat line, or a part of one."""
        if profile is None:
            return False
        if self.survey.rules.profiles:
            return _STAT_LINE.match(profile.type) is not None
        return profile.type in self._of_units

    def stat(self, name: str) -> str:
        """Return the id of a statistic by the name of its column."""
        return name.lower() if self.survey.rules.profiles else kebab(name)

    def is_prose(self, text: str) -> bool:
        """Return whether a value is a text rather than a number or a word."""
        return not self.survey.rules.profiles and len(text) > _LONGEST_VALUE

    @cached_property
    def _of_units(self) -> set[str]:
        units = {*self.survey.book.roots, *self.survey.models.values()}
        here: Counter[str] = Counter()
        elsewhere: Counter[str] = Counter()
        for entry in self.survey.order:
            (here if entry in units else elsewhere).update(set(self._kinds(entry)))
        return {kind for kind, number in here.items() if kind and number >= elsewhere[kind]}

    def _kinds(self, entry: SourceEntry) -> list[str]:
        linked = [self.survey.profile(info.target) for info in entry.infos if info.is_profile]
        return [profile.type for profile in (*entry.profiles, *linked) if profile is not None]
