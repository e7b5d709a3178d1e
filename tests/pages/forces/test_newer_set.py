"""Lists move to a newer set of their game's files: what changes is shown first."""

import io
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from armybuilder.games import opening
from armybuilder.games.models import Game, Holding
from armybuilder.games.opening import forget_opened
from armybuilder.games.services import UNHELD_FOR, keep, lend, may_see
from armybuilder.housekeeping.tidying import tidy
from armybuilder.lists.services import create_list
from armybuilder.lists.worked_out import worked_out
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.takeout.exporting import everything_of
from armybuilder.takeout.reading import bring_in
from tests.kept_games.files import catalogue, stored, unit
from tests.pages.forces.armies import HOLDER, Pond, squads
from tests.uploads.files import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_open() -> Iterator[None]:
    forget_opened()
    yield
    forget_opened()


@pytest.fixture
def pond(client: Client) -> Pond:
    pond = Pond(client)
    pond.act("add", ref=f"{pond.force}:boat")
    return pond


def newer_game(*units: str) -> Game:
    game = stored({**squads(), "Pond.cat": catalogue("Pond", *units, revision=2)})
    keep(HOLDER, game.pk, "Squads, newer")
    return game


def page(pond: Pond, game: Game) -> str:
    return text_of(pond.client.get(f"/games/{pond.game.pk}/newer/{game.pk}/").text)


def test_what_changes_is_shown_and_nothing_moves_until_asked(pond: Pond) -> None:
    before = pond.document
    game = newer_game(unit("boat", "Boat", 35))
    assert "Move lists" in pond.client.get(f"/games/{pond.game.pk}/").text
    shown = page(pond, game)
    assert "30 pts → 35 pts" in shown
    assert pond.document == before
    answer = pond.client.post(
        f"/games/{pond.game.pk}/newer/{game.pk}/", {"list": pond.id}, follow=True
    )
    assert "Moved 1 list." in answer.text
    assert pond.document["game"]["key"] == game.pk
    assert pond.row.points == 35
    assert "You have no lists of these files." in page(pond, game)
    assert "Ponds" in pond.client.get(f"/games/{game.pk}/").text


def test_entries_gone_from_the_files_stay_on_the_list(pond: Pond) -> None:
    game = newer_game(unit("canoe", "Canoe", 10))
    shown = page(pond, game)
    assert "No longer in the files; kept by name Boat" in shown
    assert "New findings Boat is not in the files." in shown
    pond.client.post(f"/games/{pond.game.pk}/newer/{game.pk}/", {"list": pond.id})
    assert pond.document["forces"][0]["picks"][0]["name"] == "Boat"
    pond.act("undo")
    assert pond.document["game"]["key"] == pond.game.pk
    assert pond.row.points == 30


def test_a_newer_revision_with_equal_content_changes_nothing(pond: Pond) -> None:
    files = squads()
    files["Pond.cat"] = files["Pond.cat"].replace(b'revision="1"', b'revision="2"')
    game = stored(files)
    keep(HOLDER, game.pk)
    assert "Nothing changes." in page(pond, game)


def test_only_sets_of_the_same_game_that_the_holder_has_are_offered(pond: Pond) -> None:
    other = stored()
    address = f"/games/{pond.game.pk}/newer/{other.pk}/"
    assert pond.client.get(address).status_code == 404
    keep(HOLDER, other.pk)
    if other.system_id != pond.game.system_id:
        assert pond.client.get(address).status_code == 404
    assert Client().get(address).status_code == 404
    assert pond.client.get(f"/games/{pond.game.pk}/newer/{pond.game.pk}/").status_code == 404


def test_lists_of_a_deleted_game_still_open(pond: Pond) -> None:
    pond.client.post(f"/games/{pond.game.pk}/forget/")
    assert may_see(HOLDER, pond.game.pk)
    pond.client.get("/books/")  # says that it was deleted
    assert pond.game.name not in pond.client.get("/books/").text
    assert pond.client.get(pond.address).status_code == 200


def test_lists_that_are_remembered_go_with_the_catalogues_they_hold(pond: Pond) -> None:
    version = pond.row.versions.get(number=pond.row.number)
    one = worked_out(version)
    assert worked_out(version) is one
    for forget in opening.when_let_go:
        forget()
    assert worked_out(version) is not one


def test_files_stay_for_lists_that_name_them_and_go_after_these(pond: Pond) -> None:
    Holding.objects.all().delete()
    later = timezone.now() + UNHELD_FOR + timedelta(days=1)
    tidy(later)
    assert Game.objects.filter(pk=pond.game.pk).exists()
    pond.row.delete()
    tidy(later)
    assert not Game.objects.exists()


def test_a_list_needs_the_right_to_its_game(pond: Pond) -> None:
    document = pond.row.versions.get(number=pond.row.number).content
    with pytest.raises(Refusal, match="Add the files of Game of Squads first"):
        create_list("stranger", document, "Imported.")
    data = b"".join(everything_of(HOLDER, timezone.now()))
    brought = bring_in("stranger", io.BytesIO(data), shipped_library())
    assert [why for _file, why in brought.refused] == ["Add the files of Game of Squads first."]
    lend("stranger", pond.game.pk)
    create_list("stranger", document, "Imported.")
    brought = bring_in("stranger", io.BytesIO(data), shipped_library())
    assert (brought.refused, brought.new["lists"]) == ([], 1)
