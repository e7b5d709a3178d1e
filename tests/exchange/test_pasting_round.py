"""Every form of text of a list, pasted, is the list again, apart from what the form hides."""

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine import validate
from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.loading.documents import canonical, catalogue_of, make_roster, read_document
from armybuilder.sheets.texts.forms import FORMS
from tests.building.documents import value_of
from tests.effort import THOROUGH
from tests.exchange.pasted import AWKWARD, LIBRARY, armies, shown, summary, text_of, told_settings
from tests.exchange.t9a_lists import one_unit
from tests.properties.lists import FEW, lists
from tests.sheets.papers import EXAMPLES, example, long_army

pytestmark = pytest.mark.long

#: Forms of every list; that of tournaments has tests of its own.
EVERYWHERE = [form for form in FORMS if not FORMS[form].armies]
OPEN_HANDED = [form for form in EVERYWHERE if not FORMS[form].hides]
#: Examples of every game.
TRIED = list(EXAMPLES)[:: 1 if THOROUGH else 3]
CODES = [code for code, _name in settings.LANGUAGES]
#: Forms that tell all there is of a player's own models.
DETAILED = ("compact", "markdown", "bbcode")


@pytest.mark.one_in(5)
@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("form", OPEN_HANDED)
def test_an_example_of_every_game_is_read_back_as_it_was(form, language):
    for name in TRIED:
        listed = example(name)
        text = text_of(listed, form, language)
        read = read_text(text, LIBRARY)
        assert summary(read.document) == summary(listed), name
        assert (read.count("doubt"), read.count("lost"), read.told) == (0, 0, True), name
        assert read.printed == read.report.spent
        assert read_document(canonical(read.document)) == read.document, name
        assert len(split_text(text, LIBRARY)) == 1, name
        if not LIBRARY.systems[listed["system"]].sized:  # without categories in their order
            refs = [unit["unit"] for unit in listed["units"]]
            assert [unit.ref for unit in read.document.units] == refs, name


@pytest.mark.one_in(2)
@pytest.mark.parametrize("form", [form for form in FORMS if FORMS[form].offers])
def test_whatever_a_text_says_of_it_the_list_is_read_back(form):
    for parts in ((), FORMS[form].offers, ("rules", "pages"), ("stats",)):
        for name in TRIED:
            listed = example(name)
            read = read_text(text_of(listed, form, parts=frozenset(parts)), LIBRARY)
            assert summary(read.document) == summary(listed), (name, parts)
            assert read.count("lost") == 0, (name, parts)


def test_notes_own_models_with_their_cards_and_units_of_no_book_come_back():
    listed = example("sbh/gruks-green-flood")
    for form in ("markdown", "bbcode", "full"):
        read = read_text(text_of(listed, form), LIBRARY).document.to_dict()
        assert read["notes"] == listed["notes"], form
    listed = example("t9a-2023/the-long-table")
    listed["units"][3]["notes"] = "They carry *the* pots.\n1 pot each_"
    for form in ("markdown", "bbcode"):
        units = read_text(text_of(listed, form), LIBRARY).document.units
        notes = [unit.notes for unit in units if unit.notes]
        assert notes == [listed["units"][3]["notes"]], form
    profile = {
        "name": "Troll",
        "stats": {"quality": 3, "combat": 4},
        "abilities": [{"ability": "leader"}, {"ability": "lethal", "target": "Orcs, Elves"}],
    }
    listed = example("sbh/gruks-green-flood")
    listed["units"] = [{"id": "u1", "models": 2, "profile": profile, "name": "Bert"}]
    for form in DETAILED:
        read = read_text(text_of(listed, form), LIBRARY)
        assert read.document.to_dict()["units"] == listed["units"], form
    listed["units"] = [{"id": "u1", "models": 2, "unit": "profiles/gone"}]
    read = read_text(text_of(listed, "lines"), LIBRARY)
    assert read.document.to_dict()["units"] == listed["units"]


def test_a_long_army_and_one_that_is_called_like_an_underline_are_read_back():
    small = example("sbh/gruks-green-flood")
    for listed in (long_army(), *(small | {"name": name} for name in ("=", "===", "---"))):
        for form in OPEN_HANDED:
            read = read_text(text_of(listed, form), LIBRARY)
            assert summary(read.document) == summary(listed), (form, listed["name"])


@pytest.mark.parametrize("language", CODES)
def test_the_secret_form_gives_back_what_it_does_not_hide(language):
    for name in TRIED:
        listed = example(name)
        text = text_of(listed, "secret", language)
        read = read_text(text, LIBRARY)
        assert len(split_text(text, LIBRARY)) == 1, name
        assert (read.document.limit, read.document.name) == (listed["limit"], listed["name"])
        units = {unit.ref for unit in read.document.units}
        assert units == {unit["unit"] for unit in listed["units"]}
        assert read.count("lost") == 0, name
        again = text_of(read.document, "secret", language)
        kept = again.split("\n\n", 1)[1].splitlines()
        assert kept == text.split("\n\n", 1)[1].splitlines()


@FEW
@given(
    armies(), st.sampled_from(["lines", "compact", "markdown", "bbcode"]), st.sampled_from(CODES)
)
def test_random_armies_are_read_back(listed, form, language):
    read = read_text(text_of(listed, form, language), LIBRARY)
    assert summary(read.document) == summary(listed)
    standing = validate(_roster(listed), catalogue_of(value_of(listed), LIBRARY))
    ours, theirs = (report.full.lines for report in (read.report, standing))
    assert sorted(line.points for line in ours) == sorted(line.points for line in theirs)


def test_items_of_one_name_are_told_apart_by_points_that_hang_on_the_general():
    taken = ["exalted-of-envy", "wizard-apprentice", "divination", "guiding-piercing-spike"]
    taken += ["venom-sacs"]
    options = [{"id": one} for one in taken]
    listed = one_unit("legions-of-sin/kuulimas-deceiver", roles=["general"], options=options)
    (read,) = read_text(text_of(listed, "lines"), LIBRARY).document.units
    assert {option.id for option in read.options} == set(taken)
    # A Rocket Battery comes with the Fires of Industry that the same unit may also take, for
    # nothing, where it has a Naphta Thrower. A player who writes them down has broken no rule.
    listed = one_unit("infernal-dwarves/kadim-titan", options=[{"id": "rocket-battery"}])
    text = text_of(listed, "lines")
    named = text.replace("Rocket Battery, ", "Rocket Battery, Fires of Industry Double, ")
    assert named != text
    assert summary(read_text(named, LIBRARY).document) == summary(listed)


@FEW
@given(armies(3), st.sampled_from(CODES))
def test_random_armies_are_read_back_from_the_full_form(listed, language):
    text = text_of(listed, "full", language)
    assert summary(read_text(text, LIBRARY).document) == summary(listed)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("form", OPEN_HANDED)
def test_names_of_units_come_back_as_they_were(form, language):
    for name in TRIED:
        listed = example(name)
        for number, unit in enumerate(listed["units"]):
            unit["name"] = AWKWARD[(number + len(name)) % len(AWKWARD)]
        read = read_text(text_of(listed, form, language), LIBRARY)
        assert summary(read.document) == summary(listed), name
        assert read.printed == read.report.spent


@FEW
@given(lists(), st.sampled_from(DETAILED), st.sampled_from(CODES))
def test_random_warbands_are_read_back(listed, form, language):
    text = text_of(listed, form, language)
    read = read_text(text, LIBRARY)
    assert shown(read.document.name) == shown(listed["name"]) or not shown(listed["name"])
    assert told_settings(read.document) == told_settings(listed)
    assert read.document.to_dict()["limit"] == listed["limit"]
    assert len(read.document.to_dict()["units"]) == len(listed["units"])
    picks, wanted = (_roster(one).picks for one in (read.document, listed))
    assert sorted(map(_named, picks)) == sorted(map(_named, wanted))


def _named(pick):
    return pick.unit.name, shown(pick.name), pick.models, pick.roles


def _roster(document):
    listed = value_of(document)
    return make_roster(listed, catalogue_of(listed, LIBRARY))


def test_an_enchantment_comes_back_on_its_piece_in_every_language():
    options = [{"id": "king-slayer", "on": "hand-weapon"}]
    listed = one_unit("beast-herds/beast-chieftain", options=options)
    for language in CODES:
        text = text_of(listed, "lines", language)
        # Pages and programs that take the text turn spaces that hold words into plain ones.
        for said in (text, text.replace("\xa0", " ")):
            assert summary(read_text(said, LIBRARY).document) == summary(listed), language
