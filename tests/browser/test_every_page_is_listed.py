"""The list of pages that axe, the looks and the measurements go through holds every page."""

from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from tests.browser.pages import NO_PAGE, NO_PAGES, PAGES
from tests.browser.seeds import Seeds

pytestmark = pytest.mark.django_db


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Every address pattern of the site, as it is written."""
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def route_of(address: str) -> str:
    return str(resolve(address.partition("?")[0]).route)


def test_every_page_is_listed_or_says_why_not() -> None:
    seeds = Seeds()
    shown = {route_of(page.at(seeds)) for page in PAGES if page.status != 404}
    every = set(routes(get_resolver().url_patterns))
    assert shown | set(NO_PAGES) == {route for route in every if not NO_PAGE.fullmatch(route)}
    assert shown & set(NO_PAGES) == set(), "a page that is shown needs no excuse"


@pytest.mark.slow
def test_every_listed_page_answers_as_it_should() -> None:
    seeds = Seeds()
    wrong: list[tuple[str, int]] = []
    for page in PAGES:
        with page.settings:
            status = seeds.browser_for(page.signed_in).get(page.at(seeds)).status_code
        if status != page.status:
            wrong.append((page.name, status))
    assert wrong == []


def test_no_two_pages_have_one_name() -> None:
    names = [page.name for page in PAGES]
    assert len(names) == len(set(names))


def test_pages_of_every_kind_are_looked_at_closely() -> None:
    assert 5 < len([page for page in PAGES if page.main]) < len(PAGES) / 2
