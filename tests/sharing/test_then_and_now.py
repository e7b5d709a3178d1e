"""A frozen copy remembers what it was judged with, and says when that has changed since."""

import pytest

from armybuilder.books.models import Kept, OwnBook
from armybuilder.housekeeping.pins import unnamed
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.models import Frozen
from armybuilder.sharing.selectors import find_frozen
from tests.books.shelf import Shelf
from tests.sharing.links import make_link, path_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(chainmail):
    chainmail.act("add", ref="practice/walking-kiln")
    return make_link(chainmail, what="frozen", view="full")


def page_of(other, link):
    return other.get(path_of(link)).content.decode()


def changed(link, **fields):
    Frozen.objects.filter(pk=link.frozen_id).update(**fields)


def test_it_keeps_verdict_engine_and_revisions_and_tells_another_engine(link, chainmail, other):
    frozen = link.frozen
    system = shipped_library().systems["chainmail-2002"]
    assert frozen.engine == "0.7.0"
    assert frozen.system_revision == system.revision
    assert frozen.revisions == {one["id"]: one["revision"] for one in chainmail.document["books"]}
    assert (frozen.report["limit"], frozen.report["legal"]) == (100, False)
    assert all(finding["sentence"] for finding in frozen.report["findings"])
    page = page_of(other, link)
    assert "Since then" not in page
    assert "Verdict then" not in page
    changed(link, engine="0.6.0")
    page = page_of(other, link)
    assert "Army Builder was version 0.6.0 then and is version 0.7.0 now." in page
    assert "The verdict is the same." in page
    assert "Verdict then" in page
    assert "Findings then" not in page


def test_another_verdict_shows_both_and_what_was_found_then(link, other):
    then = {"code": "x", "severity": "warning", "sentence": "Too <few> kilns.", "citation": "p. 1"}
    report = {**link.frozen.report, "legal": True, "errors": 0, "spent": 7, "findings": [then]}
    changed(link, system_revision="0" * 16, report=report)
    page = page_of(other, link)
    assert "The rules of Chainmail 2002 have changed here." in page
    assert "is judged differently now" in page
    assert "Legal · 1 warning: 7 of 100 points." in page
    assert "Not legal" in page
    assert "Too &lt;few&gt; kilns." in page


def test_a_copy_stays_with_the_book_it_has_whatever_becomes_of_that(client, other):
    shelf = Shelf(client, "chainmail-2002", name="Marsh")
    shelf.add(name="Orc Berserker")
    fields = {"name": "x", "limit": 100, "books": [shelf.id]}
    url = client.post("/new/chainmail-2002/", fields)["Location"]
    list_id = url.strip("/").split("/")[-1]
    version = Version.objects.get(army_list_id=list_id)
    client.post(
        f"{url}act/", {"version": version.pk, "act": "add", "ref": f"{shelf.id}/orc-berserker"}
    )
    client.post(f"{url}share/make/", {"what": "frozen", "view": "full"})
    frozen = Frozen.objects.get()
    before = frozen.report["spent"]
    shelf.change("orc-berserker", points="90")
    shelf.act("delete")
    link = frozen.shares.get()
    page = page_of(other, link)
    assert f"{before} points" in page
    assert "Since then" not in page


def test_a_shipped_book_that_is_newer_is_named_and_the_content_of_its_books_kept(link, other):
    pinned = {(one["id"], one["revision"]) for one in link.frozen.document.to_dict()["books"]}
    assert set(Kept.objects.values_list("book_id", "revision")) >= pinned
    changed(link, revisions={"practice": "f" * 16})
    name = shipped_library().books["chainmail-2002"]["practice"].name
    assert f"There is another revision of {name}." in page_of(other, link)
    holder = ArmyList.objects.get().holder
    for key in (link.frozen_id, link.frozen.hash):
        assert find_frozen(holder, key) == link.frozen
        assert find_frozen("somebody", key) is None, "who has no link to it does not find it"
        assert find_frozen("", key) is None
    assert find_frozen(holder, "0" * 64) is None
    Version.objects.all().delete()
    assert not unnamed(Kept.objects.all(), OwnBook.objects.none(), ArmyList.objects.none())


def test_a_system_has_the_revision_of_its_content_with_what_it_extends():
    systems = shipped_library().systems
    revisions = {system.revision for system in systems.values()}
    assert len(revisions) == len(systems)
    assert {len(revision) for revision in revisions} == {16}
