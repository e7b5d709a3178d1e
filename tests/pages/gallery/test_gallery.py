"""The gallery is there for those who work on the look, and for nobody else."""

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.loading.library import shipped_library

SYSTEMS = sorted(shipped_library().systems)


@pytest.fixture
def debugging(settings) -> None:
    settings.DEBUG = True


def test_nobody_else_sees_it(client: Client, db: None) -> None:
    assert client.get(reverse("gallery")).status_code == 404
    for system in SYSTEMS:
        assert client.get(reverse("gallery-lists", args=[system])).status_code == 404


def test_components_show_in_light_and_in_dark(client: Client, db: None, debugging: None) -> None:
    response = client.get(reverse("gallery"))
    assert response.status_code == 200
    assert response.context["schemes"] == ("light", "dark")
    assert {telling.severity for telling in response.context["tellings"]} == {
        "error",
        "warning",
        "note",
    }
    assert all(pair.enough for pair in response.context["pairs"])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_shows_a_legal_list_and_a_broken_one(
    system: str, client: Client, db: None, debugging: None
) -> None:
    address = reverse("gallery-lists", args=[system])
    whole, broken = client.get(address), client.get(address, {"broken": "1", "scheme": "dark"})
    assert whole.context["page"].report.legal
    assert not broken.context["page"].report.legal
    assert (whole.context["scheme"], broken.context["scheme"]) == ("light", "dark")
    assert whole.context["shelf"].total > 0


def test_an_open_unit_has_its_pane(client: Client, db: None, debugging: None) -> None:
    address = reverse("gallery-lists", args=["t9a-2023"])
    unit = client.get(address).context["page"].document.units[0].id
    page = client.get(address, {"open": unit}).context["page"]
    assert page.unit.id == unit


def test_a_game_that_is_not_there_is_not_found(client: Client, db: None, debugging: None) -> None:
    assert client.get(reverse("gallery-lists", args=["chess"])).status_code == 404
