"""Light and dark: chosen without script, kept in a cookie, on every page."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def html_tag(client: Client, address: str = "/") -> str:
    page = client.get(address).content.decode()
    return page[page.index("<html") : page.index(">", page.index("<html")) + 1]


def test_without_a_choice_the_system_decides_and_the_page_says_which_is_chosen(
    client: Client,
) -> None:
    assert html_tag(client) == '<html lang="en">'
    assert 'content="light dark"' in client.get("/").content.decode()
    # The page says which is chosen.
    client.cookies["theme"] = "dark"
    page = " ".join(client.get("/").content.decode().split())
    assert 'name="theme" value="dark" aria-current="true"' in page
    assert page.count('name="theme"') == 3


def test_a_choice_lasts_a_year_on_all_pages_until_it_is_taken_back(client: Client) -> None:
    for theme in ("light", "dark"):
        answer = client.post("/theme/", {"theme": theme, "next": "/lists/?q=a"})
        assert answer["Location"] == "/lists/?q=a", theme
        cookie = answer.cookies["theme"]
        assert (cookie.value, cookie["max-age"], cookie["samesite"]) == (theme, 31536000, "Lax")
        for address in ("/", "/lists/", "/nowhere/"):
            assert html_tag(client, address) == f'<html lang="en" data-theme="{theme}">'
        assert f'content="{theme}"' in client.get("/").content.decode()
        client.post("/theme/", {"theme": "", "next": "/"})
        assert html_tag(client) == '<html lang="en">', theme


def test_only_a_press_changes_it_to_what_can_be_chosen_and_leads_nowhere_else(
    client: Client,
) -> None:
    for theme in ("purple", '"><script>', "light dark"):
        assert client.post("/theme/", {"theme": theme}).status_code == 302
        client.cookies["theme"] = theme
        assert html_tag(client) == '<html lang="en">', theme
    # It leads nowhere else.
    for to in ("https://elsewhere.example/", "//elsewhere.example", ""):
        assert client.post("/theme/", {"theme": "dark", "next": to})["Location"] == "/"
    # Only a press changes it.
    assert client.get("/theme/").status_code == 405
