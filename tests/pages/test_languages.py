"""Pages about a list's past, its charts and own models: nothing of ours is left in English."""

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.beside import LETTERS, WIDTH, letters_beside
from tests.conftest import Builder
from tests.languages.hiding import HIDDEN, hide_messages, names_in, readable, strings, unhidden

pytestmark = pytest.mark.django_db

LADY, SPEAR = "practice/bannerlady-oresta", "practice/millbrook-spearhand"


def left_over(builder: Builder, address: str, files: tuple[str, ...]) -> set[str]:
    """The words of a page that are neither messages nor names of catalogue or player."""
    response = builder.client.get(address)
    assert response.status_code == 200, address
    text = readable(response.text)
    assert HIDDEN in text, address
    # What a list was done to is kept in the words of that time.
    acts = {version.act for version in builder.version.army_list.versions.all()}
    return unhidden(text, names_in(*files) | set(strings(builder.document)) | acts | {"UTC"})


@pytest.fixture
def grown(chainmail: Builder) -> Builder:
    """A list with a past: units came, changed and went, and the list has another size."""
    chainmail.act("add", ref=LADY)
    chainmail.act("add", ref=SPEAR)
    chainmail.act("models", unit="u2", models="5")
    chainmail.act("remove", unit="u1")
    chainmail.act("add", ref="practice/redtusk-overseer")
    chainmail.act("undo")
    return chainmail


CHAINMAIL = ("chainmail-2002/system", "chainmail-2002/practice")
PAST = ("history/", "history/1/", "history/4/", "charts/", "changes/?edition=chainmail-2001-basic")


def test_no_page_says_anything_that_was_not_looked_up(
    grown: Builder, sbh: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped_library()
    hide_messages(monkeypatch)
    editions = [f"chainmail-{key}/system" for key in ("2001-basic", "2001-advanced")]
    difference = f"/lists/compare/?a={grown.version.army_list_id}@1"
    for builder, address, files in (
        *((grown, f"{grown.url}{place}", (*editions, *CHAINMAIL)) for place in PAST),
        (grown, difference, CHAINMAIL),
        (grown, f"{grown.url}sheet/", CHAINMAIL),
        (sbh, f"{sbh.url}own/", ("sbh/system", "sbh/profiles")),
    ):
        assert left_over(builder, address, files) == set(), address


def test_a_name_on_a_chart_leaves_room_for_the_words_beside_it() -> None:
    for words in ("7", "1800 · 40 %", "12 Punkte · 3 Kreaturen", "x" * 60):
        letters = letters_beside(words)
        assert 1 <= letters <= LETTERS, words
        assert letters == 1 or 6.6 * letters + 7.4 * len(words) <= WIDTH
    # Short words leave a name all its letters.
    assert letters_beside("1800") == LETTERS
