"""Light and dark: chosen without script, kept in a cookie, on every page."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def html_tag(client: Client, address: str = "/") -> str:
    page = client.get(address).content.decode()
    return page[page.index("<html") : page.index(">", page.index("<html")) + 1]


def test_without_a_choice_the_system_decides(client: Client) -> None:
    assert html_tag(client) == '<html lang="en">'
    assert 'content="light dark"' in client.get("/").content.decode()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_choice_lasts_a_year_on_all_pages_until_it_is_taken_back(
    client: Client, theme: str
) -> None:
    answer = client.post("/theme/", {"theme": theme, "next": "/lists/?q=a"})
    assert answer["Location"] == "/lists/?q=a"
    cookie = answer.cookies["theme"]
    assert (cookie.value, cookie["max-age"], cookie["samesite"]) == (theme, 31536000, "Lax")
    for address in ("/", "/lists/", "/nowhere/"):
        assert html_tag(client, address) == f'<html lang="en" data-theme="{theme}">'
    assert f'content="{theme}"' in client.get("/").content.decode()
    client.post("/theme/", {"theme": "", "next": "/"})
    assert html_tag(client) == '<html lang="en">'


@pytest.mark.parametrize("theme", ["purple", '"><script>', "light dark"])
def test_what_cannot_be_chosen_changes_nothing(client: Client, theme: str) -> None:
    assert client.post("/theme/", {"theme": theme}).status_code == 302
    client.cookies["theme"] = theme
    assert html_tag(client) == '<html lang="en">'


@pytest.mark.parametrize("to", ["https://elsewhere.example/", "//elsewhere.example", ""])
def test_it_leads_nowhere_else(client: Client, to: str) -> None:
    assert client.post("/theme/", {"theme": "dark", "next": to})["Location"] == "/"


def test_only_a_press_changes_it(client: Client) -> None:
    assert client.get("/theme/").status_code == 405


def test_the_page_says_which_is_chosen(client: Client) -> None:
    client.cookies["theme"] = "dark"
    page = " ".join(client.get("/").content.decode().split())
    assert 'name="theme" value="dark" aria-current="true"' in page
    assert page.count('name="theme"') == 3
