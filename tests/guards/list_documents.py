"""A list's document is JSON at the edge only; past it, it is a value that no one reads by key."""

import ast
from collections.abc import Iterator

from tests.guards.code import guard, modules

#: Where documents become values: files and bodies, the database, a zip of all data.
EDGE = {"documents.py", "forcelist.py", "lists/models.py", "importing.py"}
#: The values of a list, which read themselves from a document.
VALUES = {"ArmyList", "ForceList", "ListUnit", "ListOption", "ListBook", "ListCard", "ListProfile"}
#: What a list's document says of the list; a book's document says other things.
KEYS = {"system", "books", "limit", "settings", "units"}
#: Whose documents are those of books.
OF_BOOKS = tuple(
    f"armybuilder/{part}/" for part in ("loading", "books", "authoring", "library", "pages/books")
)


@guard
def documents_are_read_at_the_edge() -> Iterator[str]:
    """A list's document is read at the edge only, and by key nowhere else."""
    reading = set()
    for module in modules():
        room, file = module.path.rsplit("/", 2)[-2:]
        file = f"{room}/{file}" if file == "models.py" else file
        for node in module.nodes(ast.Attribute):
            # A call such as `ArmyList.from_dict(…)`, by whatever way to the name.
            owner = getattr(node.value, "attr", getattr(node.value, "id", ""))
            if node.attr == "from_dict" and owner in VALUES:
                reading.add(file)
        if module.path.startswith(OF_BOOKS) or file in (*EDGE, "csv_reading.py"):
            continue
        for part in module.nodes(ast.Subscript):
            is_key = isinstance(part.slice, ast.Constant) and part.slice.value in KEYS
            if is_key and ast.unparse(part.value).rpartition(".")[2] == "document":
                yield f"{module.path}:{part.lineno}: {ast.unparse(part)}"
    yield from (f"{file}: in EDGE, or reads a document" for file in sorted(reading ^ EDGE))
