"""Numbers that browsers read, such as sizes of drawings, are the same in every language."""

import re

import pytest

from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.languages.messages import LANGUAGES

#: Attributes that hold numbers for the browser, not for people.
ATTRIBUTE = re.compile(r'\s([\w:-]+)="([^"]*)"')
PEOPLE_READ = {"aria-label", "title", "alt", "placeholder", "content", "value", "data-word"}


def numbers_of(page: str) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, value in ATTRIBUTE.findall(page)
        if name not in PEOPLE_READ and re.search(r"\d", value)
    ]


@pytest.mark.one_in(2)
@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_browser_reads_is_the_same_in_every_language(language: str) -> None:
    seeds = Seeds()
    spoken = {"accept-language": language}
    for place in ("charts", "charts-army", "builder-army", "sheet-ddm", "my-lists"):
        address = next(shown for shown in PAGES if shown.name == place).at(seeds)
        english = seeds.client.get(address, headers={"accept-language": "en"}).content.decode()
        other = seeds.client.get(address, headers=spoken).content.decode()
        assert f'<html lang="{language}"' in other
        assert commas(other) == commas(english), place


def commas(page: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in numbers_of(page) if re.search(r"\d,\d", value)]
