"""What players see of a list is about the game, not about how its files came to be."""

from collections.abc import Callable

import pytest
from django.utils.html import strip_tags

from armybuilder.lists.models import Version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from tests.building.documents import value_of
from tests.conftest import Builder

#: Words of the importer.
OF_IMPORTS = ("told in a sentence", "by the source", "at once in the file", "As this book has it")


@pytest.fixture
def elves(build: Callable[..., Builder]) -> Builder:
    return build("t9a-2023", limit=4500, books=["highborn-elves"])


def test_remarks_of_an_import_stand_on_the_page_of_the_data_alone(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/lion-guard")
    library = "/library/t9a-2023/highborn-elves/"
    shown = [f"{elves.url}?open=u1", f"{elves.url}sheet/", f"{elves.url}text/", library]
    for address in shown:
        page = strip_tags(elves.client.get(address).text)
        assert "Lion Guard" in page
        assert [words for words in OF_IMPORTS if words in page] == []
    assert OF_IMPORTS[0] in elves.client.get(f"{library}data/").text


def unit(number: int, name: str, models: int, *options: str) -> dict[str, object]:
    taken = [{"id": option} for option in options]
    ref = f"highborn-elves/{name}"
    return {"id": f"u{number}", "unit": ref, "models": models, "options": taken}


def test_an_army_far_over_its_points_is_not_told_to_remove_its_general() -> None:
    prince = unit(1, "high-prince", 1, "dragon", "dragonforged-armour", "potion-of-swiftness")
    units = [
        {**prince, "roles": ["general"]},
        unit(2, "citizen-spears", 30),
        unit(3, "citizen-archers", 20),
        unit(4, "sea-guard", 20),
        unit(5, "lion-guard", 20),
        unit(6, "sword-masters", 20),
    ]
    book = {"id": "highborn-elves"}
    document = {"format": "armylist/1", "system": "t9a-2023", "books": [book], "name": "Elves"}
    document |= {"limit": 2046, "settings": {}, "units": units}
    page = BuilderPage(Version(document=value_of(document)), shipped_library())
    over = next(one for one in page.tellings if "729 over" in one.sentence)
    labels = [answer.label for answer in over.answers]
    assert len(labels) > 1
    assert all("still" in label for label in labels)
    assert not any("High Prince" in label for label in labels)
