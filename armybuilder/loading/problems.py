"""Problems of a file or an act: `Problem` is collected, `Refusal` is raised."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a file: place (JSON pointer), fault, and advice."""

    file: str
    pointer: str
    message: str
    advice: str = ""

    def __str__(self) -> str:
        where = f"{self.file}{'#' + self.pointer if self.pointer else ''}"
        return f"{where}: {self.message}{' ' + self.advice if self.advice else ''}"

    def data(self, inside: str = "") -> dict[str, str]:
        """Return JSON-ready data; `inside` is the pointer that this one starts at."""
        return {"pointer": f"{inside}{self.pointer}", "detail": self.message, "advice": self.advice}


class Refusal(Exception):
    """An act that cannot be done, in one sentence; `problems` are those of a file that was read."""

    def __init__(self, sentence: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.problems = tuple(problems)


def pointer(path: Iterable[object]) -> str:
    """JSON pointer (RFC 6901) of a path: ["units", 3] becomes "/units/3"."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
