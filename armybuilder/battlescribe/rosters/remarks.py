"""Remarks on a file that was read: everything that wasn't taken over unchanged."""

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from django.utils.translation import gettext as _

#: So many remarks are told one by one.
MOST: Final = 100


class Remark(NamedTuple):
    """A remark on a read list: its outcome, and of which unit, "" for the whole list."""

    kind: Literal["left-out", "guessed", "points", "note"]
    where: str
    text: str


@dataclass
class Remarks:
    """Remarks as they come up, each once; of very many the first, and how many `more` there are."""

    found: dict[Remark, None] = field(default_factory=dict)
    more: int = 0

    def left_out(self, where: str, what: str) -> None:
        """Tell that something is not in our book, or not there, and is left out."""
        self._add(Remark("left-out", where, _("Left out: {what}.").format(what=what)))

    def guessed(self, where: str, what: str, name: str, several: bool = False) -> None:
        """Tell that something was found by its name only; `several` things may have it."""
        said = _("“{what}” was matched by name only: {name}.")
        if several:
            said = _(
                "“{what}” was matched by name only, but several things have that name: {name}."
            )
        self._add(Remark("guessed", where, said.format(what=what, name=name)))

    def note(self, where: str, text: str) -> None:
        """Tell anything else, in a sentence."""
        self._add(Remark("note", where, text))

    def points(self, where: str, theirs: int, ours: int) -> None:
        """Tell that a unit costs other points in the file than here."""
        said = _("{theirs} points in the file, {ours} here.").format(theirs=theirs, ours=ours)
        self._add(Remark("points", where, said))

    def cut(self, text: str, most: int, where: str) -> str:
        """Return the text cut to the limit of a list, with a remark if it was longer."""
        text = text.strip()
        if len(text) > most:
            said = _("A text was too long and has been cut: {text}…").format(text=text[:60])
            self.note(where, said)
        return text[:most].strip()

    def _add(self, remark: Remark) -> None:
        if remark in self.found:
            return
        if len(self.found) < MOST:
            self.found[remark] = None
        else:
            self.more += 1
