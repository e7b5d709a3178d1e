"""The bounds that a judge asks for by unit: size, allowances, how many of it the army may hold; and
what there is of things that an army may hold few of.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.about import AboutCap, AboutGroup, AboutSize, AboutUnit
from armybuilder.engine.lines import Line
from armybuilder.engine.terms import PICKS, POINTS, Term
from armybuilder.sheets.content.printable import one_line


class Bounds:
    """The bounds of a list, as its rules measure them."""

    def __init__(self, report: Report) -> None:
        rules = (*report.system.always, *report.system.rules)
        terms = [term for rule in rules for term in rule.terms(report.full)]
        self._by_unit: dict[str, list[Term]] = {}
        for term in terms:
            if isinstance(term.about, AboutUnit):
                self._by_unit.setdefault(term.about.unit, []).append(term)
        caps = (term for term in terms if isinstance(term.about, AboutCap) and term.high)
        self._caps = [term for term in caps if term.count == PICKS]

    def of_unit(self, line: Line) -> tuple[str, ...]:
        """Return the bounds of a unit in words: "8 models of 3–13", "Special equipment 80 of 200".

        A size that cannot be another is none.
        """
        terms = self._by_unit.get(line.pick.id, ())
        return (*_size(terms), *_allowances(terms), *self._cap_of(line))

    def _cap_of(self, line: Line) -> Iterator[str]:
        for term in self._caps:
            if term.about == AboutCap(f"unit:{line.unit.ref}", "times"):
                said = _("{number} of at most {most} in the army")
                yield said.format(number=term.measured, most=term.high)

    def of_options(self) -> tuple[str, ...]:
        """Return what is taken of options with a cap: "Binding Scroll 1 of 2"; each once."""
        said = (
            f"{_name(term)} {term.measured}/{term.high}"
            for term in self._caps
            if isinstance(term.about, AboutCap) and term.about.key.startswith("option:")
        )
        return tuple(dict.fromkeys(said))


def _name(term: Term) -> str:
    """Return the name of the option that a cap counts."""
    key = term.about.key.partition(":")[2] if isinstance(term.about, AboutCap) else ""
    for part in term.parts:
        for taken, _amount in part.options:
            if taken.option.cap is not None and taken.option.cap.key.endswith(f":{key}"):
                return one_line(taken.option.name)
    return key.replace("-", " ").capitalize()


def _size(terms: Sequence[Term]) -> Iterator[str]:
    sizes = [term for term in terms if isinstance(term.about, AboutSize)]
    low = next((term.low for term in sizes if term.low is not None), 1)
    high = next((term.high for term in sizes if term.high is not None), None)
    if sizes and low != high:
        most = f"{low}–{high}" if high is not None else f"{low}+"
        yield _("{number} models of {most}").format(number=sizes[0].measured, most=most)


def _allowances(terms: Sequence[Term]) -> Iterator[str]:
    for term in terms:
        if isinstance(term.about, AboutGroup) and term.count == POINTS and term.high is not None:
            name = term.about.path[-1].replace("-", " ").capitalize()
            said = _("{what} {number} of {most} points")
            yield said.format(what=name, number=term.measured, most=term.high)
