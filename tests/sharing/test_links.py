"""Links to lists: made, shown, revoked; who may do so, and what becomes of the list behind them."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import canonical
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sharing.selectors import TOKEN_LENGTH, digest_of
from tests.books.shelf import Shelf
from tests.sharing.links import make_link, path_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def test_a_current_link_follows_the_list_a_copy_stays_named_by_its_hash(chainmail, other):
    current = make_link(chainmail, what="current", view="full")
    assert "Walking Kiln" not in other.get(path_of(current)).content.decode()
    chainmail.act("add", ref="practice/walking-kiln")
    assert "Walking Kiln" in other.get(path_of(current)).content.decode()
    link = make_link(chainmail, what="frozen", view="full")
    before = chainmail.document
    name = hashlib.sha256(canonical(chainmail.version.document)).hexdigest()
    chainmail.act("remove", unit=before["units"][0]["id"])
    assert chainmail.document["units"] == []
    page = other.get(path_of(link)).content.decode()
    assert link.frozen.hash == name
    for said in ("Walking Kiln", name, "Army Builder 0.7.0", before["books"][0]["revision"]):
        assert said in page
    assert link.frozen.document.to_dict() == before
    assert other.get(f"{path_of(link)}list.json").json() == before


def test_a_list_has_one_frozen_copy_of_a_document_until_the_last_link_to_it_is_revoked(chainmail):
    first = make_link(chainmail, what="frozen", view="open")
    second = make_link(chainmail, what="frozen", view="full")
    assert first.frozen == second.frozen
    chainmail.client.post(f"{chainmail.url}share/{first.pk}/revoke/")
    assert Frozen.objects.count() == 1
    chainmail.client.post(f"{chainmail.url}share/{second.pk}/revoke/")
    assert not Frozen.objects.exists()


def test_a_revoked_link_is_a_page_that_says_so_and_never_works_again(chainmail, other):
    link = make_link(chainmail, what="current", view="full")
    where = path_of(link)
    chainmail.client.post(f"{chainmail.url}share/{link.pk}/revoke/")
    again = make_link(chainmail, what="current", view="full")
    assert path_of(again) != where
    for part in ("", "list.pdf", "list.txt", "list.json"):
        gone = other.get(f"{where}{part}")
        assert gone.status_code == 404
        assert "This link no longer works" in gone.content.decode()
    assert other.post(f"{where}copy/").status_code == 404
    assert not Version.objects.exclude(army_list=again.army_list).exists()


def test_a_link_is_found_by_its_digest_also_where_its_address_is_not_known(chainmail, other):
    link = make_link(chainmail, what="current", view="open")
    assert len(link.token) == TOKEN_LENGTH
    assert link.digest == hashlib.sha256(link.token.encode()).hexdigest()
    known = chainmail.client.get(f"{chainmail.url}share/").content.decode()
    Share.objects.update(token="")
    assert other.get(path_of(link)).status_code == 200
    page = chainmail.client.get(f"{chainmail.url}share/").content.decode()
    said = "this page no longer knows it"
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


def test_a_token_that_was_tampered_with_opens_nothing(chainmail, other):
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


def test_only_the_owner_sees_makes_and_revokes_links_of_that_list_alone(chainmail, other, build):
    link = make_link(chainmail, what="frozen", view="full")
    where = f"{chainmail.url}share/"
    fields = {"what": "current", "view": "full"}
    assert other.get(where).status_code == 404
    assert other.get(f"{where}{link.pk}/code.svg").status_code == 404
    assert other.post(f"{where}make/", fields).status_code == 404
    assert other.post(f"{where}{link.pk}/revoke/").status_code == 404
    assert other.post(f"{chainmail.url}print/link/", {"query": "qr=1"}).status_code == 404
    second = build("chainmail-2002", limit=100, books=["practice"])
    second.client.post(f"{second.url}share/{link.pk}/revoke/")
    assert Share.objects.get() == link
    assert second.client.get(f"{second.url}share/{link.pk}/code.svg").status_code == 404


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
    assert "Walking Kiln" in other.get(copied).content.decode()
    mine = Version.objects.exclude(army_list=link.army_list).get()
    assert mine.document == link.frozen.document


def test_the_page_of_links_tells_its_owner_alone_what_they_show(chainmail, other):
    make_link(chainmail, what="frozen", view="open", name="For <the> judge")
    link = make_link(chainmail, what="current", view="full", name="For Xanthippe")
    page = chainmail.client.get(f"{chainmail.url}share/").content.decode()
    assert "For &lt;the&gt; judge" in page
    assert "same as the current list" in page
    chainmail.act("add", ref="practice/walking-kiln")
    page = chainmail.client.get(f"{chainmail.url}share/").content.decode()
    assert "same as the current list" not in page
    back = "This is how others see your list"
    assert back in chainmail.client.get(path_of(link)).content.decode()
    seen = other.get(path_of(link)).content.decode()
    assert back not in seen
    assert "Xanthippe" not in seen
    where = f'href="{chainmail.url}share/"'
    assert where in chainmail.page
    assert where in chainmail.client.get("/lists/").content.decode()


def test_the_pages_ask_the_database_no_more_for_more_links(
    chainmail, other, django_assert_max_num_queries
):
    make_link(chainmail, what="frozen", view="open")
    links = [make_link(chainmail, what="frozen", view="full") for _number in range(5)]
    chainmail.client.get(f"{chainmail.url}share/")
    with django_assert_max_num_queries(3):
        chainmail.client.get(f"{chainmail.url}share/")
    with django_assert_max_num_queries(1):
        other.get(path_of(links[0]))


def test_a_list_of_somebodys_own_book_can_be_looked_at_and_copied(client, other, build):
    shelf = Shelf(client, "chainmail-2002", name="Marsh")
    shelf.add(name="Orc Berserker")
    builder = build("chainmail-2002", limit=100, books=[shelf.id])
    builder.act("add", ref=f"{shelf.id}/orc-berserker")
    link = make_link(builder, what="current", view="full")
    readable = "Your custom book can be read with it"
    assert readable in client.get(f"{builder.url}share/").content.decode()
    plain = build("chainmail-2002", limit=100, books=["practice"])
    assert readable not in plain.client.get(f"{plain.url}share/").content.decode()
    shelf.act("delete")
    assert "Orc Berserker" in other.get(path_of(link)).content.decode()
    copied = other.post(f"{path_of(link)}copy/")["Location"]
    page = other.get(copied).content.decode()
    assert "Orc Berserker" in page
    assert "do not have this unit" not in page
