"""A language is a folder; the reader chooses one; without a choice the browser's is taken."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from armybuilder.languages import languages
from tests.languages.messages import LANGUAGES, mo_file

pytestmark = pytest.mark.django_db


def language(client: Client, **headers: str) -> str:
    page = client.get("/", headers=headers).content.decode()
    return page.partition('<html lang="')[2].partition('"')[0]


def test_every_language_on_offer_has_its_translations() -> None:
    codes = {name.lower().replace("_", "-") for name in LANGUAGES}
    assert {code for code, _ in settings.LANGUAGES} == {"en", *codes}
    assert all(mo_file(code).exists() for code in LANGUAGES)


def folder_of(tmp_path: Path, *names: str) -> Path:
    for name in names:
        (tmp_path / name / "LC_MESSAGES").mkdir(parents=True)
        (tmp_path / name / "LC_MESSAGES" / "django.mo").touch()
    return tmp_path


def test_a_folder_with_a_translation_is_a_language(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "pt_BR", "fr")
    (folder / "README.md").touch()
    (folder / "de").mkdir()
    assert languages(folder, "en") == [
        ("en", "English"),
        ("fr", "Français"),
        ("pt-br", "Português Brasileiro"),
    ]
    with pytest.raises(ImproperlyConfigured, match="“xx”"):
        languages(folder_of(tmp_path, "xx"), "en")


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
    client.post("/language/", {"language": "en"})
    assert language(client, accept_language="de") == "en", "a choice counts more"
    for place in ("https://evil.example/", "//evil.example/"):
        answer = client.post("/language/", {"language": "de", "next": place})
        assert "evil" not in answer["Location"]
