"""Any number of army lists for measurements: examples and benchmark armies of all games, each with
a few changes by chance. The same seed gives the same lists.

    PYTHONPATH=../..:. python tests/made_corpus.py OUT.parquet|jsonl|jsonl.gz NUMBER [SEED]
"""

import gzip
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

Data = dict[str, Any]
Change = Callable[[random.Random, Data], None]

#: Changes of one list at most; so many lists of a hundred are no lists at all.
MOST_CHANGES = 6
BROKEN = 1
#: Lists of a row group.
GROUP = 2_000


def documents(seed: int = 1) -> Iterator[str]:
    """Lists without end, as JSON text."""
    chance = random.Random(seed)  # noqa: S311  # nothing is secret
    bases = _bases()
    systems = sorted(bases)
    while True:
        system = chance.choice(systems)
        document: Data = json.loads(chance.choice(bases[system]))
        for _ in range(chance.randint(0, MOST_CHANGES)):
            chance.choice(CHANGES)(chance, document)
        text = json.dumps(document, ensure_ascii=False)
        yield text[:-9] if chance.randrange(100) < BROKEN else text


def _bases() -> dict[str, list[str]]:
    from armybuilder.loading.examples import shipped_examples
    from tests.building.documents import SKIRMISH, army, skirmish

    examples = [
        example.document.to_dict()
        for some in shipped_examples().by_system.values()
        for example in some
    ]
    bases: dict[str, list[str]] = {}
    for document in [*examples, *map(skirmish, SKIRMISH), army()]:
        bases.setdefault(document["system"], []).append(json.dumps(document))
    return bases


def _rename(chance: random.Random, document: Data) -> None:
    document["name"] = f"List {chance.randrange(10**9)}"


def _resize(chance: random.Random, document: Data) -> None:
    document["limit"] = max(1, document["limit"] * chance.randint(50, 150) // 100)


def _recount(chance: random.Random, document: Data) -> None:
    if document["units"]:
        unit = chance.choice(document["units"])
        unit["models"] = max(1, unit["models"] + chance.randint(-3, 3))


def _remove(chance: random.Random, document: Data) -> None:
    if document["units"]:
        document["units"].pop(chance.randrange(len(document["units"])))


def _repeat(chance: random.Random, document: Data) -> None:
    if document["units"]:
        _take(chance, document, chance.choice(document["units"]))


def _add(chance: random.Random, document: Data) -> None:
    units = _catalogue(document).units
    ref = chance.choice(list(units))
    options = list(units[ref].offer.slots)
    taken = chance.sample(options, min(len(options), chance.randint(0, 3)))
    unit = {"unit": ref, "models": chance.randint(1, 12), "options": [{"id": i} for i in taken]}
    _take(chance, document, unit)


def _astray(chance: random.Random, document: Data) -> None:
    _take(chance, document, {"unit": f"no-book/unit-{chance.randrange(9)}", "models": 1})


def _take(chance: random.Random, document: Data, unit: Data) -> None:
    taken = {unit["id"] for unit in document["units"]}
    free = next(f"u{number}" for number in range(1, 10**9) if f"u{number}" not in taken)
    document["units"].append({**unit, "id": free})


def _unset(chance: random.Random, document: Data) -> None:
    settings = document.get("settings")
    if settings:
        settings.pop(chance.choice(sorted(settings)))


def _pin(chance: random.Random, document: Data) -> None:
    for book in _catalogue(document).books:
        (entry,) = (one for one in document["books"] if one["id"] == book.id)
        entry["revision"] = book.revision


def _pin_lost(chance: random.Random, document: Data) -> None:
    """A revision that nobody kept."""
    chance.choice(document["books"])["revision"] = f"{chance.randrange(3):016x}"


def _catalogue(document: Data) -> Any:
    from armybuilder.loading.library import shipped_library

    books = [book["id"] for book in document["books"]]
    return shipped_library().catalogue(document["system"], books)


CHANGES: list[Change] = [
    *(_rename, _rename, _resize, _recount, _recount, _remove, _repeat, _add, _add, _pin, _pin),
    *(_astray, _unset, _pin_lost),
]


def write_corpus(path: Path, number: int, seed: int = 1) -> None:
    """Write so many lists into a file: columns `id` and `document`, or a line for each."""
    texts = islice(documents(seed), number)
    if path.suffix == ".parquet":
        _write_parquet(path, texts)
    elif path.suffix == ".gz":
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.writelines(f"{text}\n" for text in texts)
    else:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{text}\n" for text in texts)


def _write_parquet(path: Path, texts: Iterator[str]) -> None:
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([("id", pyarrow.string()), ("document", pyarrow.string())])
    number = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while some := list(islice(texts, GROUP)):
            ids = [f"{number + place:07}" for place in range(1, len(some) + 1)]
            number += len(some)
            writer.write_table(pyarrow.table({"id": ids, "document": some}, schema))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    import django

    django.setup()
    write_corpus(Path(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:]))
