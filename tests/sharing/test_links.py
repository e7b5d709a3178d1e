"""Links to lists: made, shown, revoked; who may do so, and what becomes of the list behind them."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from armybuilder.books.models import Kept, OwnBook
from armybuilder.housekeeping.tidying import unnamed
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import canonical
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sharing.selectors import TOKEN_LENGTH, digest_of, find_frozen
from tests.books.shelf import Shelf
from tests.markup import found_in, lacking
from tests.sharing.links import make_link, path_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def test_a_current_link_follows_the_list_a_copy_stays_named_by_its_hash(chainmail, other):
    current = make_link(chainmail, what="current", view="full")
    assert "Walking Kiln" not in other.get(path_of(current)).text
    chainmail.act("add", ref="practice/walking-kiln")
    assert "Walking Kiln" in other.get(path_of(current)).text
    link = make_link(chainmail, what="frozen", view="full")
    before = chainmail.document
    name = hashlib.sha256(canonical(chainmail.version.document)).hexdigest()
    chainmail.act("remove", unit=before["units"][0]["id"])
    assert chainmail.document["units"] == []
    page = other.get(path_of(link)).text
    assert link.frozen.hash == name
    for said in ("Walking Kiln", name, "Army Builder 0.7.0", before["books"][0]["revision"]):
        assert said in page
    assert link.frozen.document.to_dict() == before
    assert other.get(f"{path_of(link)}list.json").json() == before


def test_a_list_has_one_frozen_copy_of_a_document_until_the_last_link_to_it_is_revoked(
    chainmail, build
):
    first = make_link(chainmail, what="frozen", view="open")
    second = make_link(chainmail, what="frozen", view="full")
    assert first.frozen == second.frozen
    chainmail.client.post(f"{chainmail.url}share/{first.pk}/revoke/")
    assert Frozen.objects.count() == 1
    chainmail.client.post(f"{chainmail.url}share/{second.pk}/revoke/")
    assert not Frozen.objects.exists()
    # A link is shown and revoked by the address of its own list alone.
    link = make_link(chainmail, what="frozen", view="full")
    second = build("chainmail-2002", limit=100, books=["practice"])
    second.client.post(f"{second.url}share/{link.pk}/revoke/")
    assert Share.objects.get() == link
    assert second.client.get(f"{second.url}share/{link.pk}/code.svg").status_code == 404


def test_a_revoked_link_is_a_page_that_says_so_and_never_works_again(chainmail, other):
    link = make_link(chainmail, what="current", view="full")
    where = path_of(link)
    chainmail.client.post(f"{chainmail.url}share/{link.pk}/revoke/")
    again = make_link(chainmail, what="current", view="full")
    assert path_of(again) != where
    for part in ("", "list.pdf", "list.txt", "list.json"):
        gone = other.get(f"{where}{part}")
        assert gone.status_code == 404
        assert "This link no longer works" in gone.text
    assert other.post(f"{where}copy/").status_code == 404
    assert not Version.objects.exclude(army_list=again.army_list).exists()


def test_a_link_is_opened_by_its_token_alone_and_found_by_its_digest(chainmail, other):
    # A token that was tampered with opens nothing.
    token = make_link(chainmail, what="current", view="open").token
    assert other.get(f"/shared/{token}/").status_code == 200
    for wrong in (
        ("B" if token[0] == "A" else "A") + token[1:],
        # The last letter carries four bits only: another one must not be read as the same bytes.
        token[:-1] + chr(ord(token[-1]) + 1),
        token[:-1],
        token + "A",
        token.swapcase(),
        digest_of(token)[:TOKEN_LENGTH],
    ):
        wrong = re.sub(r"[^\w-]", "_", wrong)
        assert other.get(f"/shared/{wrong}/").status_code == 404, wrong
    # A link is found by its digest also where its address is not known.
    link = make_link(chainmail, what="current", view="open")
    assert len(link.token) == TOKEN_LENGTH
    assert link.digest == hashlib.sha256(link.token.encode()).hexdigest()
    known = chainmail.client.get(f"{chainmail.url}share/").text
    Share.objects.update(token="")
    assert other.get(path_of(link)).status_code == 200
    page = chainmail.client.get(f"{chainmail.url}share/").text
    said = "We can’t show the link again"
    assert (said in known, said in page) == (False, True)
    assert "Look at it" not in page
    code = f"{chainmail.url}share/{link.pk}/code.svg"
    assert chainmail.client.get(code).status_code == 404


def test_who_freezes_a_copy_of_anothers_list_gets_a_date_and_an_address_of_their_own(
    chainmail, other
):
    first = make_link(chainmail, what="frozen", view="full")
    long_ago = timezone.now() - timedelta(days=400)
    Frozen.objects.update(made=long_ago)
    copied = other.post(f"{path_of(first)}copy/")["Location"]
    other.post(f"{copied}share/make/", {"what": "frozen", "view": "full"})
    second = Share.objects.exclude(pk=first.pk).get()
    assert second.frozen.hash == first.frozen.hash
    assert second.frozen_id != first.frozen_id
    assert second.frozen.made > long_ago + timedelta(days=399)
    assert second.frozen.seal != first.frozen.seal
    other.post(f"{copied}share/{second.pk}/revoke/")
    assert Frozen.objects.get() == first.frozen


def test_nothing_is_made_by_a_wrong_form_by_looking_or_beyond_the_limit(
    chainmail, other, monkeypatch
):
    make = f"{chainmail.url}share/make/"
    frozen = {"what": "frozen", "view": "open"}
    for fields in ({}, {"what": "current"}, {**frozen, "what": "x"}, {**frozen, "view": "x"}):
        assert chainmail.client.post(make, fields).status_code == 422, fields
    assert not Share.objects.exists()
    link = make_link(chainmail, what="current", view="full")
    for where in ("share/make/", f"share/{link.pk}/revoke/", "print/link/"):
        assert chainmail.client.get(f"{chainmail.url}{where}").status_code == 405
    assert other.get(f"{path_of(link)}copy/").status_code == 405
    monkeypatch.setattr("armybuilder.sharing.shared_lists.MOST_LINKS", 1)
    assert chainmail.client.post(make, frozen).status_code == 422
    assert not Frozen.objects.exists()


@pytest.mark.slow
def test_links_rest_while_their_list_is_deleted_and_frozen_copies_go_with_it_for_good(
    chainmail, other
):
    current = make_link(chainmail, what="current", view="full")
    frozen = make_link(chainmail, what="frozen", view="full")
    list_id = current.army_list_id
    chainmail.client.post(f"/lists/{list_id}/delete/")
    assert other.get(path_of(current)).status_code == 404
    assert other.get(path_of(frozen)).status_code == 200
    chainmail.client.post(f"/lists/{list_id}/restore/")
    assert other.get(path_of(current)).status_code == 200
    ArmyList.objects.update(archived=timezone.now())
    assert other.get(path_of(current)).status_code == 200
    ArmyList.objects.update(deleted=timezone.now() - timedelta(days=400))
    call_command("tidy", remove=True, verbosity=0)
    assert not ArmyList.objects.exists()
    assert not Frozen.objects.exists()
    assert other.get(path_of(frozen)).status_code == 404


def test_answers_are_kept_by_nobody_and_copying_alone_makes_a_session(chainmail, other):
    chainmail.act("add", ref="practice/walking-kiln")
    link = make_link(chainmail, what="frozen", view="full")
    where = path_of(link)
    parts = ("", "list.pdf", "list.txt", "list.json")
    for address in (*(f"{where}{part}" for part in parts), "/shared/unknown/"):
        answer = other.get(address)
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex"
        assert answer["Referrer-Policy"] == "same-origin"
    assert "sessionid" not in other.cookies
    copied = other.post(f"{where}copy/")["Location"]
    assert "Walking Kiln" in other.get(copied).text
    mine = Version.objects.exclude(army_list=link.army_list).get()
    assert mine.document == link.frozen.document


def test_only_the_owner_sees_names_and_state_of_links(chainmail, other):
    make_link(chainmail, what="frozen", view="open", name="For <the> judge")
    link = make_link(chainmail, what="current", view="full", name="For Xanthippe")
    page = chainmail.client.get(f"{chainmail.url}share/").text
    assert lacking(page, "For &lt;the&gt; judge", "same as the current list") == []
    chainmail.act("add", ref="practice/walking-kiln")
    page = chainmail.client.get(f"{chainmail.url}share/").text
    assert "same as the current list" not in page
    back = "This is how others see your list"
    assert back in chainmail.client.get(path_of(link)).text
    seen = other.get(path_of(link)).text
    assert back not in seen
    assert "Xanthippe" not in seen
    where = f'href="{chainmail.url}share/"'
    assert where in chainmail.page
    assert where in chainmail.client.get("/lists/").text


@pytest.mark.slow
def test_the_pages_ask_the_database_no_more_for_more_links(
    chainmail, other, django_assert_max_num_queries
):
    make_link(chainmail, what="frozen", view="open")
    links = [make_link(chainmail, what="frozen", view="full") for _number in range(5)]
    chainmail.client.get(f"{chainmail.url}share/")
    with django_assert_max_num_queries(3):
        chainmail.client.get(f"{chainmail.url}share/")
    other.get(path_of(links[0]))  # asks for the link's picture
    with django_assert_max_num_queries(1):
        other.get(path_of(links[0]))


@pytest.mark.slow
def test_a_list_of_somebodys_own_book_can_be_looked_at_and_copied(client, other, build):
    shelf = Shelf(client, "chainmail-2002", name="Marsh")
    shelf.add(name="Orc Berserker")
    builder = build("chainmail-2002", limit=100, books=[shelf.id])
    builder.act("add", ref=f"{shelf.id}/orc-berserker")
    link = make_link(builder, what="current", view="full")
    readable = "Your custom book can be read with it"
    assert readable in client.get(f"{builder.url}share/").text
    plain = build("chainmail-2002", limit=100, books=["practice"])
    assert readable not in plain.client.get(f"{plain.url}share/").text
    shelf.act("delete")
    assert "Orc Berserker" in other.get(path_of(link)).text
    copied = other.post(f"{path_of(link)}copy/")["Location"]
    page = other.get(copied).text
    assert "Orc Berserker" in page
    assert "do not have this unit" not in page


# A frozen copy remembers what it was judged with, and says when that has changed since.


@pytest.fixture
def link(chainmail):
    chainmail.act("add", ref="practice/walking-kiln")
    return make_link(chainmail, what="frozen", view="full")


def page_of(other, link):
    return other.get(path_of(link)).text


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
    assert found_in(page, "Since then", "Verdict then") == []
    changed(link, engine="0.6.0")
    page = page_of(other, link)
    assert "Army Builder was version 0.6.0 then and is version 0.7.0 now." in page
    assert lacking(page, "The verdict is the same.", "Verdict then") == []
    assert "Findings then" not in page


def test_a_copy_keeps_its_book_even_if_that_is_changed_or_deleted(client, other):
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


def test_a_changed_verdict_and_a_newer_book_are_reported(link, other):
    # Another verdict shows both and what was found then.
    then = {"code": "x", "severity": "warning", "sentence": "Too <few> kilns.", "citation": "p. 1"}
    report = {**link.frozen.report, "legal": True, "errors": 0, "spent": 7, "findings": [then]}
    changed(link, system_revision="0" * 16, report=report)
    page = page_of(other, link)
    assert "The rules of Chainmail 2002 have changed here." in page
    assert (
        lacking(
            page, "verdict has changed since it was frozen", "Legal · 1 warning: 7 of 100 points."
        )
        == []
    )
    assert lacking(page, "Not legal", "Too &lt;few&gt; kilns.") == []
    # A shipped book that is newer is named and the content of its books kept.
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


def test_the_usual_links_are_made_once_and_seen_again(sbh, other):
    headers = {"HX-Request": "true"}
    shown = sbh.client.get(f"{sbh.url}share/", headers=headers).text
    assert lacking(shown, "For friends", "For your opponent", "Test list") == []
    assert "<html" not in shown
    assert Share.objects.count() == 0
    fields = {"lasting": "1", "view": "full"}
    made = sbh.client.post(f"{sbh.url}share/make/", fields, headers=headers).text
    address = re.search(r'value="(http[^"]+)"', made)
    assert address is not None
    assert "data-copy-now" in made
    # Without script the page leads back to itself, and shows the same link.
    again = sbh.client.post(f"{sbh.url}share/make/", fields, follow=True).text
    assert address[1] in again
    assert Share.objects.get().view == "full"
    sbh.client.post(f"{sbh.url}share/make/", {"lasting": "1", "view": "open"})
    assert [share.view for share in Share.objects.order_by("created")] == ["full", "open"]
    # Of another browser nothing is shown or made.
    assert other.get(f"{sbh.url}share/", headers=headers).status_code == 404
    assert other.post(f"{sbh.url}share/make/", fields, headers=headers).status_code == 404
    assert (
        sbh.client.post(f"{sbh.url}share/make/", {"lasting": "1", "view": "x"}).status_code == 422
    )
