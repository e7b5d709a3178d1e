"""The list of pages that axe, the looks and the measurements go through holds every page. What each
answers is asked where all are looked at for English words: tests/languages/test_pages.py.
"""

import pytest
from django.test import RequestFactory
from django.urls import resolve

from armybuilder.accounts.models import User
from tests.addresses import Address, addresses
from tests.browser.pages import NO_PAGE, NO_PAGES, PAGES
from tests.browser.seeds import Seeds

pytestmark = pytest.mark.django_db


def takes_posts_only(address: Address, seeds: Seeds) -> bool:
    """Whether who only reads is turned away, before anything is looked up but an event."""
    request = RequestFactory().get("/")
    request.user, request.session = User.objects.get(), seeds.member.session
    there = {"event_id": seeds.id_of("event")}
    given = {name: there.get(name, 1) for name in address.names}
    response = address.pattern.callback(request, **given, **address.pattern.default_args)
    return bool(response.status_code == 405)


def test_every_page_is_listed_or_says_why_not() -> None:
    seeds = Seeds()
    for page in (one for one in PAGES if one.while_debugging):
        with page.settings:
            answer = seeds.client.get(page.at(seeds))
        assert answer.status_code == page.status, page.name
    found = {page.at(seeds).partition("?")[0] for page in PAGES if page.status != 404}
    shown = {str(resolve(path).route) for path in found}
    every = {one.route: one for one in addresses() if not NO_PAGE.fullmatch(one.route)}
    assert shown | NO_PAGES.keys() <= every.keys()
    assert shown & NO_PAGES.keys() == set(), "a page that is shown needs no excuse"
    missing = every.keys() - shown - NO_PAGES.keys()
    assert [route for route in missing if not takes_posts_only(every[route], seeds)] == []


def test_pages_have_names_of_their_own_and_some_of_every_kind_are_looked_at_closely() -> None:
    names = [page.name for page in PAGES]
    assert len(names) == len(set(names))
    assert 5 < len([page for page in PAGES if page.main]) < len(PAGES) / 2
