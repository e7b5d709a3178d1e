"""The page of one's account: what is known, and changing it."""

from django.test import Client

from armybuilder.accounts.models import SignIn, User
from tests.accounts.people import ann, sign_in, sign_up, signed_in
from tests.markup import lacking


def test_the_page_says_name_and_email_and_where_one_is_signed_in(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    signed_in()
    page = client.get("/account/").text
    assert lacking(page, ">ann<", "ann@marsh.example", "here and in 1 other browser") == []
    # Other browsers are signed out by a button.
    others = [signed_in(), signed_in()]
    client.post("/account/sessions/")
    assert client.get("/account/").status_code == 200
    assert [other.get("/account/").status_code for other in others] == [302, 302]
    assert SignIn.objects.count() == 1


def test_a_new_name_is_for_signing_in_and_not_that_of_another(client: Client) -> None:
    ann("bob")
    sign_up(client)
    assert client.post("/account/name/", {"username": "Anne.M"})["Location"] == "/account/"
    assert ">Anne.M<" in client.get("/lists/").text
    assert sign_in(Client(), "anne.m").status_code == 302
    client.post("/account/name/", {"username": "ANNE.M"})  # one's own, written otherwise
    answer = client.post("/account/name/", {"username": "Bob"})
    assert "That name is taken" in answer.text
    assert {user.username for user in User.objects.all()} == {"ANNE.M", "bob"}


def test_acts_take_posts_only_and_no_form_from_another_site(client: Client) -> None:
    sign_up(client)
    for act in ("sessions/", "tokens/", "tokens/1/"):
        assert client.get(f"/account/{act}").status_code == 405
    strange = Client(enforce_csrf_checks=True)
    strange.force_login(User.objects.get())
    for act in ("delete/", "name/", "tokens/", "sign-out/", "password/", "email/"):
        assert strange.post(f"/account/{act}", {"password": "x"}).status_code == 403
