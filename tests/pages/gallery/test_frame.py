"""What stands on every page: where one is, and the languages to choose from."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.markup import flat

PAGES = ("home", "my-lists", "my-books", "library")


def buttons(html: str) -> dict[str, str]:
    """The language buttons of a page: what each says, by its language."""
    button = r'<button name="language" value="(\w+)" lang="(\w+)"[^>]*>([^<]+)<'
    found = re.findall(button, flat(html))
    assert all(value == lang for value, lang, _ in found)
    return {value: name for value, _, name in found}


@pytest.mark.django_db
def test_choosing_a_language_leads_back_to_the_page_and_lasts(client: Client) -> None:
    here = reverse("my-lists") + "?q=oz"
    page = client.get(here)
    assert f'name="next" value="{here}"' in page.content.decode()
    answer = client.post(reverse("set-language"), {"language": "de", "next": here})
    assert answer.status_code == 302
    assert answer["Location"] == here
    assert '<html lang="de">' in client.get(here).content.decode()
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME]["max-age"] == 365 * 24 * 3600


@pytest.mark.django_db
def test_each_page_offers_languages_and_marks_where_one_is(client: Client) -> None:
    for page in PAGES[1:]:
        html = client.get(reverse(page)).content.decode()
        head = html[html.index('<header class="site">') : html.index("</header>")]
        assert re.findall(r'<a href="([^"]+)" aria-current="page">', flat(head)) == [reverse(page)]
    # Each language is offered in its own name.
    for page in PAGES:
        client.cookies.clear()
        html = client.get(reverse(page)).content.decode()
        assert buttons(html) == dict(settings.LANGUAGES), page
        assert len(buttons(html)) > 1, page
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
        assert buttons(client.get(reverse(page)).content.decode()) == buttons(html)
