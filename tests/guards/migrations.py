"""Migrations are history: what is on main once is run somewhere, and never changes."""

import hashlib
from collections.abc import Iterator

from tests.guards.code import PACKAGE, ROOT, guard

#: The SHA-256 of each, as `sha256sum` writes them.
HASHES = ROOT / "tests/guards/migrations.sha256"


@guard
def migrations_stay() -> Iterator[str]:
    """No migration changes or goes; a new one is added to tests/guards/migrations.sha256."""
    known = dict(line.split()[::-1] for line in HASHES.read_text().splitlines())
    there = {
        str(file.relative_to(ROOT)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in PACKAGE.glob("*/migrations/[0-9]*.py")
    }
    for path in sorted({*known, *there}):
        if path not in there:
            yield f"{path}: it is gone"
        elif path not in known:
            yield f"{path}: add the line “{there[path]}  {path}”"
        elif known[path] != there[path]:
            yield f"{path}: it has changed"
