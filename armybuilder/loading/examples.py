"""Example lists: list documents in `catalogs/<system>/examples/`.

One that isn't a list, or names unknown things, is left out with a problem, like any catalogue file.
Whether one is legal is checked on demand, as its books take a while to make; `manage.py
check_catalogues` reports one that isn't.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from armybuilder.engine import Severity, validate
from armybuilder.engine.sentences import sentence
from armybuilder.engine.wording import marked, say
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.cache import Once
from armybuilder.loading.documents import make_roster, read_document
from armybuilder.loading.library import CATALOGUE_DIR, Library, shipped_library
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.references import Complaint, complaint, not_at_home


class ExampleVerdict(NamedTuple):
    """Points of an example, and why it isn't legal."""

    points: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A list to look at: its file's name and its books' names. It pins no revisions."""

    id: str
    document: ArmyList
    books: tuple[str, ...]
    judged: Once[ExampleVerdict] = field(repr=False)

    @property
    def points(self) -> int:
        """Points of the list."""
        return self.judged().points

    @property
    def name(self) -> str:
        """Name of the list."""
        return self.document.name

    @property
    def about(self) -> str:
        """Description in one sentence."""
        return self.document.notes


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of every system by its id, smallest first, and why others are left out."""

    by_system: Mapping[str, tuple[Example, ...]]
    left_out: tuple[Problem, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of all examples; this checks them."""
        all_ = (example for some in self.by_system.values() for example in some)
        return (*self.left_out, *(told for one in all_ for told in one.judged().problems))

    def find(self, system_id: str, example_id: str) -> Example | None:
        """Return one example; None if there is none."""
        examples = self.by_system.get(system_id, ())
        return next((example for example in examples if example.id == example_id), None)


def load_examples(directory: Path, library: Library) -> Examples:
    """Read `<system>/examples/*.json` of every folder in `directory`."""
    by_system: dict[str, list[Example]] = {}
    problems: list[Problem] = []
    for file in sorted(directory.glob("*/examples/*.json")):
        name = file.relative_to(directory).as_posix()
        try:
            document = read_document(file.read_bytes(), name)
        except Refusal as refusal:
            advice = say("Save the list from the builder again.")
            problems += refusal.problems or [Problem(name, "", refusal.sentence, advice)]
            continue
        wrong = [Problem(name, *mistake) for mistake in _misplaced(document, file, library)]
        problems += wrong
        if not wrong:
            shipped = library.books[document.system]
            books = tuple(shipped[book.id].name for book in document.books)
            judged = Once(partial(_judge, document, name, library))
            example = Example(file.stem, document, books, judged)
            by_system.setdefault(document.system, []).append(example)
    for examples in by_system.values():
        examples.sort(key=lambda example: (example.document.limit, example.id))
    return Examples({system: tuple(some) for system, some in by_system.items()}, tuple(problems))


def _judge(document: ArmyList, name: str, library: Library) -> ExampleVerdict:
    catalogue = library.catalogue(document.system, [book.id for book in document.books])
    advice = say("Fix the list: examples must be legal.")
    try:
        roster = make_roster(document, catalogue)
    except Refusal as refusal:
        return ExampleVerdict(0, (Problem(name, "/units", refusal.sentence, advice),))
    report = validate(roster, catalogue)
    places = {unit.id: f"/units/{number}" for number, unit in enumerate(document.units)}
    wrong = []
    for finding in report.of(Severity.ERROR):
        units = [places[unit] for unit in finding.units if unit in places]
        where = units[0] if len(units) == 1 else ""  # the list as a whole
        wrong.append(Problem(name, where, sentence(finding), advice))
    return ExampleVerdict(report.spent, tuple(wrong))


def _misplaced(document: ArmyList, file: Path, library: Library) -> Iterator[Complaint]:
    """Yield the faults for which a list can't be an example."""
    system, home = document.system, file.parent.parent.name
    if system != home:
        yield from not_at_home(system, home)
    elif system not in library.systems:
        message = marked("There is no system “{system}”.")
        yield complaint(("system",), message, "Fix that one first.", system=system)
    else:
        for number, book in enumerate(document.books):
            path = ("books", number)
            if book.id not in library.books[system]:
                advice = marked("Name a shipped book, or fix that one first.")
                yield complaint((*path, "id"), "There is no book “{id}”.", advice, id=book.id)
            if book.revision:
                advice = marked("Remove it: examples use the current book.")
                yield complaint((*path, "revision"), "Examples can’t pin a revision.", advice)
    if not document.notes.strip():
        advice = marked("Describe the list in one sentence.")
        yield complaint(("notes",), "The example has no description.", advice)


@lru_cache(maxsize=1)
def shipped_examples() -> Examples:
    """Return the examples in `catalogs/`, read once per process."""
    return load_examples(CATALOGUE_DIR, shipped_library())
