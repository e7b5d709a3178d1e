"""On no page of the site anything of ours is left in English."""

from collections.abc import Iterator

import pytest
from django.conf import settings

from armybuilder.accounts.models import Token, User
from armybuilder.authoring.hints import CONDITIONS
from armybuilder.books.models import OwnBook
from armybuilder.events.models import Decision, Entry, Event, Staff, Submission
from armybuilder.lists import recent
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.restrictions import stated_restriction
from armybuilder.packs.models import OwnPack, PackVersion
from armybuilder.pages.templatetags.shown import _table
from armybuilder.printing.models import PrintJob
from armybuilder.sharing.models import Share
from armybuilder.uploads.models import Upload
from tests.browser.pages import PAGES
from tests.browser.seeds import LONG_NAME, Seeds
from tests.effort import THOROUGH
from tests.languages.hiding import hide_messages, strings
from tests.languages.leftovers import Phrases, catalogue_phrases, leftovers, phrases_of

pytestmark = pytest.mark.long

#: What stands on pages and is the same in every language, and why.
SAME_EVERYWHERE = {
    "Army Builder": "the program's name",
    **{name: "a language, in its own words" for _code, name in settings.LANGUAGES},
    "manage.py check_catalogues": "a command",
    "catalogs/t9a-2023/highborn-elves.json": "a file",
    "zzzz": "what was looked for",
    LONG_NAME[:40]: "a player's name, cut short",
    "Alt": "a key, so called everywhere",
    "UTC": "the time of clocks everywhere",
    "Berlin": "where an event is",
    "Europe/Berlin": "a time zone",
    "Fine": "a size of D&D",
    "Diminutive": "a size of D&D",
    "Personality": "a kind of model, by its id in a game's file",
    "Organisation": "what every book calls the kinds of army it has",
}


#: Every page, or where there is less time the main ones and some of the others. Those that are
#: there while debugging only are for engineers.
LOOKED_AT = [
    page
    for number, page in enumerate(PAGES)
    if not page.while_debugging and (THOROUGH or page.main or number % 4 == 0)
]


def known(seeds: Seeds) -> Phrases:
    """Names of catalogues, what players called their things and did, and what was told of files
    as they were read.
    """
    versions = list(Version.objects.all())
    told = [text for version in versions for text in strings(version.document.to_dict())]
    told += [text for version in versions for text in (version.act, version.label)]
    told += strings(seeds.client.session["rosters_read"])
    told += list(Share.objects.values_list("name", flat=True))
    own = [text for book in OwnBook.objects.all() for text in strings(book.data)]
    # Of a name that states a restriction, a page shows those words for themselves.
    told += [*own, *(stated_restriction(text) for text in own)]
    told += [written for written, _says in CONDITIONS]
    told += [book.act for book in OwnBook.objects.all()]
    told += [text for job in PrintJob.objects.all() for text in strings(job.troubles)]
    told += [text for user in User.objects.all() for text in (user.username, user.email)]
    told += [token.name for token in Token.objects.all()]
    told += list(Entry.objects.values_list("name", flat=True))
    told += [text for one in Staff.objects.all() for text in (one.name, *one.conflicts)]
    told += [text for one in Event.objects.all() for text in (one.name, one.about, one.place)]
    told += [reason for one in Event.objects.all() for reason in one.ladder]
    told += [text for one in Decision.objects.all() for text in (one.to_player, one.for_staff)]
    told += [said for one in Submission.objects.all() for said in strings(one.event_report)]
    told += [said for one in PackVersion.objects.all() for said in strings(one.data)]
    told += [text for one in Upload.objects.all() for text in (one.name, one.refused)]
    told += [text for one in Upload.objects.all() for text in strings(one.report)]
    told += list(OwnPack.objects.values_list("name", flat=True))
    told += [tag for one in ArmyList.objects.all() for tag in one.tags]
    return phrases_of([*catalogue_phrases(), *told, *SAME_EVERYWHERE])


def forget_what_was_told() -> None:
    """The sheet of keys and the lists judged last are kept by language: not so here, where one
    language begins to hide its letters, and nothing of it may stay.
    """
    _table.cache_clear()
    recent._judged.clear()


@pytest.fixture(autouse=True)
def told_anew() -> Iterator[None]:
    yield
    forget_what_was_told()


@pytest.mark.django_db
def test_no_page_says_anything_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = Seeds()
    names = known(seeds)
    # What was done so far is told, in English, on the first page that is opened.
    for place in ("/", "/lists/", seeds.places["worked-on"], seeds.places["book"]):
        seeds.client.get(place)
    forget_what_was_told()
    hide_messages(monkeypatch)
    found = {}
    for shown in LOOKED_AT:
        response = seeds.browser_for(shown.signed_in).get(shown.at(seeds))
        assert response.status_code == shown.status, shown.name
        if left := leftovers(response.content.decode(), names):
            found[shown.name] = left
    assert found == {}
