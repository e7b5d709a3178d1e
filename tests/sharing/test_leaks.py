"""An open link shows what opponents may see, and nothing else, wherever one looks behind it.

An open frozen copy carries a seal of the whole list, which the full one lets everybody check.
"""

import hashlib
import json
import re
from datetime import UTC, datetime
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from armybuilder.engine.roster import Roster
from armybuilder.lists.models import Version
from armybuilder.lists.services import create_list
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.models import Frozen
from armybuilder.sharing.shared_lists import share, share_frozen
from armybuilder.sheets.content.hidden import open_roster
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.texts.forms import FORMS, forms_of
from tests.building.documents import value_of
from tests.effort import scaled
from tests.markup import found_in
from tests.pdfs import bookmarks, text_of
from tests.sharing.links import path_of
from tests.sheets.papers import DAY, EXAMPLES, example, long_army, material
from tests.sheets.test_open_list import ARMIES, judged_alike

pytestmark = [pytest.mark.django_db, pytest.mark.long]

MARK = "Zzyzx"
#: Every example, and an army with many items that costs too much.
LISTS: dict[str, dict[str, Any]] = {name: example(name) for name in EXAMPLES}
LISTS["t9a-2023/long"] = long_army()


def noted(document: dict[str, Any]) -> dict[str, Any]:
    """Return the list with a note wherever one can be."""
    units = [unit | {"notes": f"{MARK} {number}"} for number, unit in enumerate(document["units"])]
    return document | {"notes": f"{MARK} of the list", "units": units}


def names_of(roster: Roster) -> set[str]:
    names: set[str] = set()
    left = [taken for pick in roster.picks for taken in pick.picks]
    while left:
        taken = left.pop()
        names.add(taken.option.name)
        left += taken.picks
    return names


def secrets_of(document: dict[str, Any]) -> set[str]:
    """Return what must not be told: notes, items that nothing open has, what all of it costs."""
    library = shipped_library()
    roster = make_roster(value_of(document), catalogue_of(value_of(document), library))
    material = Material(value_of(document), library, DAY)
    told = {MARK}
    if material.system.sized:
        told |= names_of(roster) - names_of(open_roster(roster))
        if material.report.legal and told != {MARK}:
            told.add(material.sheet.verdict)
    return told


def answers(client: Client, where: str, document: dict[str, Any]) -> dict[str, str]:
    """Everything behind a link as text, headers and what a PDF says of itself too."""
    system = shipped_library().systems[document["system"]]
    found = {"page": client.get(where), "pdf": client.get(f"{where}list.pdf")}
    for form in forms_of(system.sized):
        found[form] = client.get(f"{where}list.txt?form={form}")
    said = {}
    for name, answer in found.items():
        assert answer.status_code == 200, name
        text = _pdf_text(answer.content) if name == "pdf" else answer.text
        said[name] = " ".join(f"{answer.headers} {text}".split())
    return said


def _pdf_text(content: bytes) -> str:
    read = PdfReader(BytesIO(content))
    about = [str(read.metadata), str([mark.title for mark in bookmarks(read.outline)])]
    return " ".join([*about, text_of(content)])


def stored(document: dict[str, Any]) -> Version:
    return create_list("somebody", value_of(document), "Opened.")


@pytest.mark.one_in(16)
@pytest.mark.parametrize("name", LISTS)
def test_an_open_link_leaks_nothing(name, other):
    document = noted(LISTS[name])
    version = stored(document)
    link = share_frozen(version.army_list_id, value_of(document), shipped_library(), "open", MARK)
    secrets = secrets_of(document)
    assert name != "t9a-2023/long" or len(secrets) > 5
    for place, said in answers(other, path_of(link), document).items():
        assert not {secret for secret in secrets if secret in said}, place


@pytest.mark.slow
def test_a_full_link_shows_everything(other):
    for name in ("t9a-2023/long", next(iter(LISTS))):
        document = noted(LISTS[name])
        version = stored(document)
        said = answers(other, path_of(share(version.army_list_id, "full")), document)
        for place in ("page", "pdf", "full", "markdown"):
            assert MARK in said[place], place
        assert not {secret for secret in secrets_of(document) if secret not in said["full"]}, name


@pytest.mark.slow
def test_an_open_link_gives_no_document_no_copy_and_opens_no_more_than_it_shows(other):
    document = noted(LISTS["t9a-2023/long"])
    version = stored(document)
    for link in (
        share_frozen(version.army_list_id, version.document, shipped_library(), "open"),
        share(version.army_list_id, "open"),
    ):
        assert other.get(f"{path_of(link)}list.json").status_code == 404
        assert other.post(f"{path_of(link)}copy/").status_code == 404
        page = other.get(path_of(link)).text
        assert found_in(page, "list.json", "copy/") == []
    assert Version.objects.count() == 1
    for query in ("?kind=full", "?view=full", "?kinds=full,judge", "?form=full&kind=full"):
        for part in ("", "list.txt", "list.pdf"):
            answer = other.get(f"{path_of(link)}{part}{query}")
            text = _pdf_text(answer.content) if part == "list.pdf" else answer.text
            assert MARK not in text, (part, query)
    full = share(version.army_list_id, "full")
    assert json.loads(other.get(f"{path_of(full)}list.json").content) == document
    # The verdict of then tells no more than that of now.
    link = share_frozen(version.army_list_id, value_of(document), shipped_library(), "open")
    frozen = link.frozen
    frozen.report["findings"][0]["sentence"] = "The Crown costs too much."
    for finding in frozen.report["findings"]:
        finding["severity"] = "note"
    frozen.report |= {"errors": 0, "warnings": 0, "legal": True, "spent": 4321}
    frozen.engine = "0.0.1"
    frozen.save()
    page = other.get(path_of(link)).text
    assert "Legal, within" in page
    assert "Crown costs" not in page
    assert not re.search(r"\b4321\b", page.replace(",", ""))


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


@pytest.mark.slow
def test_the_full_copy_has_all_inputs_of_seal_and_open_hash(links, other):
    open_page, full_page = (other.get(path_of(link)).text for link in links)
    of_open, of_full = facts_of(open_page), facts_of(full_page)
    assert of_full["Seal of the full list"] == of_open["Seal of the full list"]
    document = other.get(f"{path_of(links[1])}list.json").json()
    salted = of_full["Salt of the seal"].encode() + canonical_json(document)
    assert hashlib.sha256(salted).hexdigest() == of_open["Seal of the full list"]
    assert of_full["Salt of the seal"] not in open_page
    assert of_full["List hash"] not in open_page
    assert of_full["List hash"] == hashlib.sha256(canonical_json(document)).hexdigest()
    assert of_open["List hash"] == of_full["Open list’s hash"] == material(long_army()).open_hash


@pytest.mark.slow
def test_every_new_copy_has_its_own_salt_and_only_new_copies_have_a_seal(links, other):
    list_id = stored(long_army()).army_list_id
    again = share_frozen(list_id, links[0].frozen.document, shipped_library(), "open")
    assert again.frozen.seal != links[0].frozen.seal
    Frozen.objects.update(salt="")
    for link in (again, share(list_id, "open")):
        assert "Seal of the full list" not in other.get(path_of(link)).text


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


def test_an_open_link_shows_the_same_for_any_hidden_items_but_for_a_frozen_seal(other):
    alike = judged_alike(ARMIES["long"]).values()
    pairs_tried = [pair for documents in alike for pair in pairwise(documents)][: scaled(1, 2, 2)]
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
