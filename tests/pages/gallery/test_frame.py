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
@pytest.mark.parametrize("page", PAGES)
def test_each_language_is_offered_in_its_own_name(page: str, client: Client) -> None:
    html = client.get(reverse(page)).content.decode()
    assert buttons(html) == dict(settings.LANGUAGES)
    assert len(buttons(html)) > 1
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert buttons(client.get(reverse(page)).content.decode()) == buttons(html)


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
@pytest.mark.parametrize("page", PAGES[1:])
def test_the_head_of_a_page_marks_where_one_is(page: str, client: Client) -> None:
    html = client.get(reverse(page)).content.decode()
    head = html[html.index('<header class="site">') : html.index("</header>")]
    assert re.findall(r'<a href="([^"]+)" aria-current="page">', flat(head)) == [reverse(page)]
