"""The record of matches, and games that an account keeps for its other devices."""

import json
from typing import Any

import pytest
from django.test import Client

from armybuilder.lists.models import ArmyList
from armybuilder.playing import keeping
from armybuilder.playing.models import KeptGame, Match
from tests.accounts.people import ann, signed_in
from tests.conftest import Builder
from tests.markup import flat

SIDES = [
    {"name": "Mine", "about": "A game", "hash": "a1", "books": ["One"], "lines": ["Troll · 9"]},
    {"name": "Theirs", "about": "A game", "hash": "b2", "books": ["Two"], "lines": ["Orc · 4"]},
]


def fields(**more: Any) -> dict[str, Any]:
    return {"day": "2026-05-01", "result": "won", "opponent": "Béla", **more}


def test_a_match_is_kept_with_both_lists_and_stays_when_the_list_goes(sbh: Builder) -> None:
    sent = fields(points="12", opponent_points="8", notes="Close.", sides=json.dumps(SIDES))
    answer = sbh.client.post(f"{sbh.url}matches/", sent)
    assert answer.status_code == 302
    match = Match.objects.get()
    assert (match.score, match.sides, match.name) == ("12 : 8", SIDES, "Mine")
    page = flat(sbh.client.get(f"{sbh.url}matches/").content.decode())
    for words in ("Béla", "12 : 8", "Close.", "Troll · 9", "Orc · 4", "b2"):
        assert words in page, words
    ArmyList.objects.all().delete()
    assert "Troll · 9" in sbh.client.get("/matches/").content.decode()


def test_matches_are_counted_by_the_opponents_book(sbh: Builder) -> None:
    for result, book in (("won", "Orcs"), ("lost", "Orcs"), ("drawn", "Elves"), ("won", "")):
        sent = fields(result=result, opponent_book=book)
        assert sbh.client.post("/matches/", sent).status_code == 302
    told = keeping.tallies_of(list(Match.objects.all()))
    assert told == [
        ("All matches", 4, 2, 1, 1),
        ("Elves", 1, 0, 1, 0),
        ("Orcs", 2, 1, 0, 1),
        ("Unknown book", 1, 1, 0, 0),
    ]
    assert "Unknown book" in sbh.client.get("/matches/").content.decode()
    assert "No matches yet" in sbh.client.get(f"{sbh.url}matches/").content.decode()


@pytest.mark.parametrize(
    "wrong",
    [{"day": "yesterday"}, {"result": "cheated"}, {"points": "many"}, {"opponent": "x" * 81}],
)
def test_a_wrong_field_is_said_and_nothing_is_kept(sbh: Builder, wrong: dict[str, str]) -> None:
    answer = sbh.client.post("/matches/", fields(**wrong))
    assert answer.status_code == 422
    assert "field-error" in answer.content.decode()
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    "sides",
    [
        *("{", "[1]", '[{"lines": [1]}]', '[{"name": 1}]', "[{}, {}, {}]", '{"name": "x"}'),
        json.dumps([{"lines": ["é" * 250] * 300}], ensure_ascii=False),
        *("[" * 50_000, '[{"name": "\\ud800"}]', '[{"name": "\\u0000"}]', '[{"lines": NaN}]'),
    ],
)
def test_invalid_lists_of_a_match_are_refused(sbh: Builder, sides: str) -> None:
    answer = sbh.client.post("/matches/", fields(sides=sides))
    assert answer.status_code == 422
    assert not Match.objects.exists()


def test_nobody_sees_or_deletes_the_match_of_another(sbh: Builder) -> None:
    sbh.client.post("/matches/", fields())
    match, stranger = Match.objects.get(), Builder(Client(), "sbh", limit=300, books=["profiles"])
    assert "Béla" not in stranger.client.get("/matches/").content.decode()
    for client in (stranger.client, Client()):
        assert client.post(f"/matches/{match.pk}/delete/").status_code == 404
    assert stranger.client.get(f"{sbh.url}matches/").status_code == 404
    assert sbh.client.post(f"/matches/{match.pk}/delete/").status_code == 302
    assert not Match.objects.exists()


def test_the_number_of_matches_is_limited(sbh: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_MATCHES", 1)
    assert sbh.client.post("/matches/", fields()).status_code == 302
    assert sbh.client.post("/matches/", fields()).status_code == 422


def keep(client: Client, number: int, game: Any = "x", key: str = "list-1") -> Any:
    data = json.dumps({"key": key, "number": number, "game": game})
    return client.post("/matches/keep-game/", data, content_type="application/json")


def test_an_account_keeps_a_game_and_the_later_writer_is_told(db: None) -> None:
    ann()
    phone, desk = signed_in(), signed_in()
    assert keep(phone, 0, "first").json() == {"number": 1}
    answer = keep(desk, 0, "other")
    assert (answer.status_code, answer.json()) == (409, {"number": 1, "game": "first"})
    assert KeptGame.objects.get().data == "first", "nothing is overwritten silently"
    assert keep(desk, 1, "other").json() == {"number": 2}
    assert keep(phone, 1, "late").status_code == 409


def test_without_an_account_no_game_is_kept_here(client: Client, db: None) -> None:
    assert keep(client, 0).status_code == 404
    assert not KeptGame.objects.exists()


def test_an_invalid_game_in_progress_is_refused(db: None) -> None:
    ann()
    client = signed_in()
    for answer in (
        keep(client, 0, key=""),
        keep(client, 0, key="x" * 121),
        client.post("/matches/keep-game/", "[", content_type="application/json"),
        client.post("/matches/keep-game/", "[]", content_type="application/json"),
        keep(client, 0, "x" * keeping.MAX_GAME),
        keep(client, keeping.MAX_NUMBER),
        keep(client, True),
    ):
        assert answer.status_code == 422
    assert not KeptGame.objects.exists()


def test_only_the_games_played_last_are_kept(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_GAMES", 2)
    ann()
    client = signed_in()
    for key in ("a", "b", "c"):
        keep(client, 0, key=key)
    assert sorted(KeptGame.objects.values_list("key", flat=True)) == ["b", "c"]
