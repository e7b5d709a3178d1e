"""On no page of the site anything of ours is left in English, nor in the buttons that settle
findings and what is said beside them.
"""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db.models import Model

from armybuilder.accounts.models import Token, User
from armybuilder.authoring.checking import CONDITIONS
from armybuilder.books.models import OwnBook
from armybuilder.collection.models import OwnedUnit
from armybuilder.events.models import Decision, Entry, Event, Staff, Submission
from armybuilder.games.models import Game, Holding
from armybuilder.lists import outlooks, worked_out
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.restrictions import stated_restriction
from armybuilder.packs.models import OwnPack, PackVersion
from armybuilder.pages.templatetags.shown import _table
from armybuilder.printing.models import PrintJob
from armybuilder.sharing.models import Share
from armybuilder.uploads.models import Upload
from tests.advice import test_settling as settling
from tests.browser.pages import PAGES
from tests.browser.seeds import LONG_NAME, Seeds
from tests.effort import THOROUGH
from tests.languages.hiding import (
    Phrases,
    catalogue_phrases,
    hide_messages,
    leftovers,
    names_in,
    phrases_of,
    strings,
    unhidden,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long]

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


#: Every page, or where there is less time some of the main ones and fewer of the others. Those that
#: are there while debugging only are for engineers.
LOOKED_AT = [
    page
    for number, page in enumerate(PAGES)
    if not page.while_debugging and (THOROUGH or number % (3 if page.main else 12) == 0)
]


#: What players called their things and did, and what was told of files: fields by their models.
TOLD: tuple[tuple[type[Model], *tuple[str, ...]], ...] = (
    (Version, "act", "label"),
    (Share, "name"),
    (OwnBook, "act", "data"),
    (PrintJob, "troubles"),
    (User, "username", "email"),
    (Token, "name"),
    (Entry, "name"),
    (Staff, "name", "conflicts"),
    (Event, "name", "about", "place", "ladder"),
    (Decision, "to_player", "for_staff"),
    (Submission, "event_report"),
    (PackVersion, "data"),
    (Upload, "name", "refused", "report"),
    (Game, "name", "report"),
    (Holding, "name", "source"),
    (OwnPack, "name"),
    (ArmyList, "tags"),
    (OwnedUnit, "note"),
)


def known(seeds: Seeds) -> Phrases:
    """Names of catalogues, and what stands on pages because somebody wrote it."""
    rows = [list(model._default_manager.values_list(*fields)) for model, *fields in TOLD]
    documents = [version.content.to_dict() for version in Version.objects.all()]
    texts = list(strings([rows, documents, seeds.client.session["rosters_read"]]))
    # Of a name that states a restriction, a page shows those words for themselves.
    own = strings(list(OwnBook.objects.values_list("data", flat=True)))
    texts += [stated_restriction(text) for text in own]
    texts += [written for written, _says in CONDITIONS]
    return phrases_of([*catalogue_phrases(), *texts, *SAME_EVERYWHERE])


def forget_what_was_told() -> None:
    """The sheet of keys and the lists judged last are kept by language: not so here, where one
    language begins to hide its letters, and nothing of it may stay.
    """
    _table.cache_clear()
    outlooks._judged.clear()
    worked_out._known.clear()


@pytest.fixture(autouse=True)
def told_anew() -> Iterator[None]:
    yield
    forget_what_was_told()


def test_no_page_says_anything_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = Seeds()
    names = known(seeds)
    # What was done so far is told, in English, on the first page that is opened.
    for place in ("/", "/lists/", seeds.places["worked-on"], seeds.places["book"]):
        seeds.client.get(place)
    seeds.member.get("/")
    forget_what_was_told()
    hide_messages(monkeypatch)
    found = {}
    for shown in LOOKED_AT:
        response = seeds.browser_for(shown.signed_in).get(shown.at(seeds))
        assert response.status_code == shown.status, shown.name
        if left := leftovers(response.content.decode(), names):
            found[shown.name] = left
    assert found == {}


@pytest.mark.slow
def test_what_settles_a_list_says_nothing_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    for case in (*settling.LISTS.values(), *settling.ARMIES.values()):
        page = settling.page_on(case)
        known = names_in(f"{page.system.id}/system") | set(strings(page.document.to_dict()))
        if page.system.family == "Chainmail":
            known |= names_in("chainmail-2001-basic/system", "chainmail-2002/system")
        for unit in page.catalogue.units.values():
            known |= {unit.name, *(option.name for option in unit.offer.options())}
        with monkeypatch.context() as hidden:
            hide_messages(hidden)
            for telling in settling.page_on(case).tellings:
                said = [telling.by, *(answer.label for answer in telling.answers)]
                said += [str(telling.place.words)] if telling.place else []
                assert unhidden(" ".join(said), known) == set(), case
