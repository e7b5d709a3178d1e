"""The page of one's account: what is known, and changing it."""

from django.test import Client

from armybuilder.accounts.models import SignIn, User
from tests.accounts.people import ann, sign_in, sign_up, signed_in, text_of
from tests.markup import lacking


def test_the_page_says_name_and_email_and_where_one_is_signed_in(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    signed_in()
    page = text_of(client.get("/account/"))
    assert lacking(page, ">ann<", "ann@marsh.example", "here and in 1 other browser") == []


def test_a_new_name_is_for_signing_in_and_in_the_header(client: Client) -> None:
    sign_up(client)
    assert client.post("/account/name/", {"username": "Anne.M"})["Location"] == "/account/"
    assert ">Anne.M<" in text_of(client.get("/lists/"))
    assert sign_in(Client(), "anne.m").status_code == 302


def test_ones_own_name_may_be_written_otherwise(client: Client) -> None:
    sign_up(client)
    client.post("/account/name/", {"username": "ANN"})
    assert User.objects.get().username == "ANN"


def test_the_name_of_another_is_refused(client: Client) -> None:
    ann("bob")
    sign_up(client)
    answer = client.post("/account/name/", {"username": "Bob"})
    assert "That name is taken" in text_of(answer)
    assert {user.username for user in User.objects.all()} == {"ann", "bob"}


def test_other_browsers_are_signed_out_by_a_button(client: Client) -> None:
    sign_up(client)
    others = [signed_in(), signed_in()]
    client.post("/account/sessions/")
    assert client.get("/account/").status_code == 200
    assert [other.get("/account/").status_code for other in others] == [302, 302]
    assert SignIn.objects.count() == 1


def test_acts_take_posts_only(client: Client) -> None:
    sign_up(client)
    for act in ("sessions/", "tokens/", "tokens/1/"):
        assert client.get(f"/account/{act}").status_code == 405


def test_a_form_from_another_site_does_nothing() -> None:
    ann()
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get())
    for act in ("delete/", "name/", "tokens/", "sign-out/", "password/", "email/"):
        assert client.post(f"/account/{act}", {"password": "x"}).status_code == 403
