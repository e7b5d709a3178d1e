"""A list's document is JSON at the edge only; past it, it is a value that no one reads by key."""

import ast

from tests.guards.code import modules

#: Where documents become values: files and bodies, the database, a zip of all data.
EDGE = {"armylist.py", "documents.py", "fields.py", "importing.py"}
#: The values of a list, which read themselves from a document.
VALUES = {"ArmyList", "ListUnit", "ListOption", "ListBook", "ListCard", "ListProfile"}

#: What a list's document says of the list; a book's document says other things.
KEYS = {"system", "books", "limit", "settings", "units"}


def reads_a_document(node: ast.AST) -> bool:
    """Whether it is a call such as `ArmyList.from_dict(…)`, by whatever way to the name."""
    if not (isinstance(node, ast.Attribute) and node.attr == "from_dict"):
        return False
    owner = node.value
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    return name in VALUES


def test_a_document_is_read_at_the_edge_only() -> None:
    reading = {
        module.path.rpartition("/")[2]
        for module in modules()
        if any(map(reads_a_document, ast.walk(module.tree)))
    }
    assert reading == EDGE


def test_no_one_reads_what_is_called_a_document_by_key() -> None:
    found = {
        (module.path, node.lineno)
        for module in modules()
        if module.part not in ("loading", "books", "authoring", "library")
        and not module.path.startswith(
            ("armybuilder/battlescribe/books/", "armybuilder/pages/books/")
        )
        and module.path.rpartition("/")[2] not in (*EDGE, "csv_reading.py")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value in KEYS
        and ast.unparse(node.value).rpartition(".")[2] == "document"
    }
    assert found == set()
