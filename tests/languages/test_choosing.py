"""The reader chooses the language; without a choice the browser's is taken, else English."""

import pytest
from django.conf import settings
from django.test import Client

from tests.languages.messages import LANGUAGES, mo_file

pytestmark = pytest.mark.django_db


def language(client: Client, **headers: str) -> str:
    page = client.get("/", headers=headers).content.decode()
    return page.partition('<html lang="')[2].partition('"')[0]


def test_every_language_on_offer_has_its_translations() -> None:
    assert {code for code, _ in settings.LANGUAGES} == {"en", *LANGUAGES}
    assert all(mo_file(code).exists() for code in LANGUAGES)


def test_a_chosen_language_stays(client: Client) -> None:
    answer = client.post("/language/", {"language": "de", "next": "/my-lists/"})
    assert (answer.status_code, answer["Location"]) == (302, "/my-lists/")
    assert language(client) == "de"
    client.post("/language/", {"language": "en", "next": "/"})
    assert language(client) == "en"


def test_without_a_choice_the_browser_says_which(client: Client) -> None:
    assert language(client) == "en"
    assert language(client, accept_language="de-AT,de;q=0.9") == "de"
    assert language(client, accept_language="tlh") == "en"


def test_a_choice_counts_more_than_the_browser(client: Client) -> None:
    client.post("/language/", {"language": "en"})
    assert language(client, accept_language="de") == "en"


@pytest.mark.parametrize("next_page", ["https://evil.example/", "//evil.example/"])
def test_choosing_a_language_leads_nowhere_else(client: Client, next_page: str) -> None:
    answer = client.post("/language/", {"language": "de", "next": next_page})
    assert "evil" not in answer["Location"]
