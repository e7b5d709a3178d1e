"""An open frozen copy carries a seal of the whole list, which the full one lets everybody check."""

import hashlib
import re
from datetime import UTC, datetime

import pytest

from armybuilder.loading.documents import canonical_json
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.models import Frozen
from armybuilder.sharing.services import share, share_frozen
from armybuilder.sheets.texts.forms import FORMS
from tests.building.documents import value_of
from tests.sharing.links import path_of
from tests.sharing.test_leaks import stored
from tests.sheets.papers import long_army, material
from tests.sheets.test_open_list import pairs

pytestmark = [pytest.mark.django_db, pytest.mark.long]

#: Headers of one answer alone.
OF_THIS_ONE = {"Content-Length", "Expires", "X-Request-ID"}


@pytest.fixture
def links():
    """Make an open and a full link to one frozen copy of an army with hidden items."""
    document = long_army() | {"notes": "Wednesday"}
    list_id = stored(document).army_list_id
    library = shipped_library()
    return [share_frozen(list_id, value_of(document), library, view) for view in ("open", "full")]


def facts_of(page: str) -> dict[str, str]:
    """Return what stands at the end of the page of a shared list."""
    return dict(re.findall(r'<dt>([^<]+)</dt>\s*<dd class="shared-hash">([^<]+)</dd>', page))


def test_the_full_copy_tells_what_the_seal_and_the_hash_of_the_open_one_are_made_of(links, other):
    open_page, full_page = (other.get(path_of(link)).content.decode() for link in links)
    of_open, of_full = facts_of(open_page), facts_of(full_page)
    assert of_full["Seal of the full list"] == of_open["Seal of the full list"]
    document = other.get(f"{path_of(links[1])}list.json").json()
    salted = of_full["Salt of the seal"].encode() + canonical_json(document)
    assert hashlib.sha256(salted).hexdigest() == of_open["Seal of the full list"]
    assert of_full["Salt of the seal"] not in open_page
    assert of_full["List hash"] not in open_page
    assert of_full["List hash"] == hashlib.sha256(canonical_json(document)).hexdigest()
    assert of_open["List hash"] == of_full["Open list’s hash"] == material(long_army()).open_hash


def test_every_copy_has_a_salt_of_its_own_but_neither_one_of_old_nor_a_current_list_a_seal(
    links, other
):
    list_id = stored(long_army()).army_list_id
    again = share_frozen(list_id, links[0].frozen.document, shipped_library(), "open")
    assert again.frozen.seal != links[0].frozen.seal
    Frozen.objects.update(salt="")
    for link in (again, share(list_id, "open")):
        assert "Seal of the full list" not in other.get(path_of(link)).content.decode()


def behind(client, where: str, token: str) -> dict[str, bytes]:
    """Everything behind an open link, but for its own address."""
    parts = ["", "list.pdf", *(f"list.txt?form={form}" for form in FORMS)]
    answers = {part: client.get(f"{where}{part}") for part in parts}
    assert {answer.status_code for answer in answers.values()} == {200}
    told = {}
    for part, answer in answers.items():
        page = re.sub(rb'"[A-Za-z0-9]{64}"', b"", answer.content)  # the form's own secret
        about = sorted(
            (name, text) for name, text in answer.headers.items() if name not in OF_THIS_ONE
        )
        told[part] = page.replace(token.encode(), b"") + str(about).encode()
    return told


def test_whatever_is_hidden_an_open_link_shows_the_same_but_for_the_seal_of_a_frozen_one(other):
    pairs_tried = list(pairs("long"))[:2]
    assert pairs_tried
    for pair in pairs_tried:
        links = [share(stored(each).army_list_id, "open") for each in pair]
        first, second = (behind(other, path_of(link), link.token) for link in links)
        assert [part for part in first if first[part] != second[part]] == []
    pages = []
    for document in pairs_tried[0]:
        list_id = stored(document).army_list_id
        link = share_frozen(list_id, value_of(document), shipped_library(), "open")
        Frozen.objects.update(made=datetime(2026, 3, 1, tzinfo=UTC))
        page = behind(other, path_of(link), link.token)[""]
        pages.append(page.replace(link.frozen.seal.encode(), b""))
    assert pages[0] == pages[1]
