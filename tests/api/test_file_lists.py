"""Lists of a community's files by program: stored, checked, mended, filled, printed by who may."""

from typing import Any

import pytest

from armybuilder.games.services import keep
from armybuilder.lists.forces import start_forces
from armybuilder.lists.models import ArmyList
from armybuilder.lists.selectors import find_version
from armybuilder.loading.file_packs import build_file_pack
from armybuilder.packs.services import create_pack
from tests.api.calls import DOCUMENT, Caller
from tests.battlescribe.files.test_event_rules import pack_of
from tests.kept_games.files import stored
from tests.pages.forces.armies import squads


def troopers(*weapons: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"t{at}",
            "entry": "trooper",
            "name": "Trooper",
            "picks": [{"id": f"w{at}", "entry": weapon, "name": weapon}],
        }
        for at, weapon in enumerate(weapons)
    ]


@pytest.fixture
def document(ann: Caller) -> dict[str, Any]:
    """A list of ann's of a game from files, with one trooper too few."""
    game = stored(squads())
    assert ann.user is not None
    keep(ann.user.holder, game.pk)
    version = start_forces(ann.user.holder, game.pk, "pond", "raft", "Ponds", {"pts": 100})
    document = version.content.to_dict()
    ArmyList.objects.all().delete()
    squad = {"id": "p2", "entry": "squad", "name": "Squad", "picks": troopers("dart", "melta")}
    document["forces"][0]["picks"] = [squad]
    return document


def test_a_list_of_files_is_stored_checked_replaced_and_compared(
    ann: Caller, document: dict[str, Any]
) -> None:
    answer = ann("post", "/lists/", document)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert made["document"] == document
    assert (made["name"], made["limit"]) == ("Ponds", 100)
    assert made["system"] == f"files:{document['game']['key']}"
    place = f"/lists/{made['id']}/"
    report = ann("get", f"{place}report/").json()
    assert (report["legal"], report["spent"], report["limit"]) == (False, 40, 100)
    (finding,) = report["findings"]
    assert (finding["code"], finding["state"], finding["units"]) == ("t-min", "missing", ["p2"])
    assert "source: " in finding["citation"]
    force = {key: value for key, value in document["forces"][0].items() if key != "picks"}
    fewer = {**document, "forces": [force]}
    assert ann("put", place, fewer).status_code == 428
    assert ann("put", place, fewer, If_Match=answer["ETag"]).status_code == 200
    assert ann("get", place).json()["document"] == fewer
    row = ArmyList.objects.get()
    assert (row.points, row.outcome) == (0, "legal")
    assert find_version(row.holder, row.pk, 1).content.to_dict() == document  # type: ignore[union-attr]
    assert ann("get", f"{place}history/1/").json()["document"] == document
    other = ann("post", "/lists/", document).json()["id"]
    (unit,) = ann("get", f"{place}diff/{other}/").json()["units"]
    assert (unit["kind"], unit["name"], unit["after"]) == ("new", "Squad", 40)
    ours = ann.store().json()["id"]
    assert ann("get", f"{place}diff/{ours}/").status_code == 422
    names = [one["name"] for one in ann("get", "/lists/").json()["results"]]
    assert sorted(names) == ["Ponds", "Ponds", "Ten men"]
    frozen = ann("post", f"{place}frozen/", {"view": "full"}).json()
    assert (frozen["document"], frozen["report"]["legal"]) == (fewer, True)
    assert ann("get", f"/frozen/{frozen['id']}/").json()["document"] == fewer
    assert ann("delete", place).status_code == 204


@pytest.mark.slow
def test_a_list_of_files_is_repaired_filled_and_printed(
    ann: Caller, document: dict[str, Any]
) -> None:
    place = f"/lists/{ann('post', '/lists/', document).json()['id']}/"
    for told in (
        ann("post", "/repair/", document).json(),
        ann("get", f"{place}repair/?keep=p2").json(),
    ):
        (way,) = told["repairs"]
        assert (way["points"], way["spent"]) == (5, 45)
        assert way["changes"]
        assert ann("post", "/validate/", way["document"]).json()["legal"]
        assert way["difference"]["units"][0]["name"] == "Squad"
    assert ann("post", "/repair/?keep=nobody", document).status_code == 422
    filled = ann("post", "/fill/", way["document"]).json()
    assert (filled["found"], filled["document"]["forces"][0]["id"]) == (True, "p1")
    report = ann("post", "/validate/", filled["document"]).json()
    assert (report["legal"], report["limit"] - report["spent"]) == (True, filled["left"])
    assert ann("post", "/fill/?wish=bodies", document).status_code == 422
    few = ann("post", "/answer/?ask=cheapest", document).json()
    # Squads have three models or more, of 5 each beside their options.
    assert (few["found"], few["value"], few["document"]["forces"][0]["id"]) == (True, 45, "p1")
    many = ann("get", f"{place}answer/").json()
    assert many["name"] == "Most models"
    assert many["value"] > 2
    assert ann("post", "/validate/", many["document"]).json()["legal"]
    assert ann("post", "/answer/?ask=wizards", document).status_code == 422
    pdf = ann("get", f"{place}sheet/", Accept="application/pdf")
    assert pdf.content.startswith(b"%PDF-")
    text = ann("post", "/text/", document).content.decode()
    assert "Squad" in text
    assert ann("post", "/text/?kind=open", document).status_code == 422


def test_the_outlook_of_a_list_of_files_is_reported(ann: Caller, document: dict[str, Any]) -> None:
    place = f"/lists/{ann('post', '/lists/', document).json()['id']}/"
    wrong = {**document, "forces": [{**document["forces"][0]}]}
    squad = {**document["forces"][0]["picks"][0], "picks": troopers(*["dart"] * 11)}
    wrong["forces"][0]["picks"] = [squad]
    assert ann("post", "/outlook/", document).json() == {"whole": "open", "units": []}
    assert ann("post", "/outlook/", wrong).json()["whole"] != "open"
    assert ann("get", f"{place}outlook/").json()["whole"] == "open"
    core = ann("post", "/explain/", wrong).json()
    assert (core["found"], core["proved"]) == (True, True)
    (rule,) = core["rules"]
    assert rule["rule"] == "t-max"
    assert "source: " in rule["citation"]
    assert set(core["units"]) <= {f"t{at}" for at in range(11)}
    assert ann("get", f"{place}explain/").json()["found"] is False


def test_a_choice_of_a_list_of_files_costs_what_it_says(
    ann: Caller, document: dict[str, Any]
) -> None:
    before = ann("post", "/validate/", document).json()
    choices = ann("post", "/choices/", document).json()
    squad = next(one for one in choices if one["name"] == "Squad")
    assert squad["unit"] == "p1:squad"
    force = document["forces"][0]
    more = {**document, "forces": [{**force, "picks": [*force["picks"], squad["entry"]]}]}
    assert ann("post", "/validate/", more).json()["spent"] == before["spent"] + squad["points"]
    offers = {one["unit"]: one for one in ann("post", "/offers/", document).json()}
    (melta,) = (one for one in offers["t1"]["offers"] if one["path"] == "melta")
    assert (melta["number"], melta["name"]) == (1, "Meltagun")
    body = {"before": document, "after": more}
    assert ann("post", "/diff/", body).json()["units"][0]["name"] == "Squad"
    lines = ann("post", "/batch/", {"documents": [document, DOCUMENT, more]}).json()
    assert [line["legal"] for line in lines] == [False, True, False]
    assert lines[0]["codes"] == ["t-min"]


def test_a_list_of_files_is_checked_by_an_event_pack(ann: Caller, document: dict[str, Any]) -> None:
    assert ann.user is not None
    squad = {"id": "squad", "name": "Squad"}
    data = pack_of(
        {"kind": "limit", "cost": {"id": "pts", "name": "pts"}, "max": 50},
        {"kind": "count", "of": [squad], "max": 0},
        {"kind": "by-hand"},
    )
    data["game"] = document["game"]
    pack, problems = build_file_pack(data, "pack")
    assert not problems
    assert pack is not None
    own = create_pack(ann.user.holder, pack)
    report = ann("post", f"/validate/?pack={own.pk}", document).json()
    assert [one["code"] for one in report["findings"]] == ["t-min"], "by the game alone"
    event = report["event"]
    assert (event["pack"]["name"], event["legal"]) == ("Pond Cup", False)
    assert [(one["code"], one["origin"]) for one in event["findings"]] == [("r1", "event")]
    assert [one["restriction"] for one in event["unchecked"]] == ["Rule 2."]
    other = ann("post", "/validate/?pack=nothing", document)
    assert (other.status_code, "no such event pack" in other.json()["detail"]) == (422, True)
    assert ann("post", f"/validate/?pack={own.pk}", DOCUMENT).status_code == 422


def test_users_without_the_files_get_nothing_from_them(
    ann: Caller, bob: Caller, nobody: Caller, document: dict[str, Any]
) -> None:
    place = f"/lists/{ann('post', '/lists/', document).json()['id']}/"
    (line,) = bob("post", "/batch/", {"documents": [document]}).json()
    assert (line["legal"], "Add the files" in line["problem"]) == (None, True)
    solver = ("repair", "fill", "outlook", "explain")
    for call in (*solver, "validate", "choices", "offers", "sheet", "text", "lists"):
        answer = bob("post", f"/{call}/", document)
        assert answer.status_code == 422, call
        assert "Add the files of Game of Squads first." in answer.json()["detail"]
    assert nobody("post", "/validate/", document).status_code == 422
    assert bob("get", f"{place}report/").status_code == 404
    mine = bob.store()
    answer = bob("put", f"/lists/{mine.json()['id']}/", document, If_Match="*")
    assert answer.status_code == 422
    assert bob("get", f"/lists/{mine.json()['id']}/").json()["document"] == DOCUMENT


def test_an_invalid_list_of_files_is_refused_with_its_pointer(
    ann: Caller, document: dict[str, Any]
) -> None:
    document["forces"][0]["picks"][0]["number"] = -3
    (problem,) = ann("post", "/validate/", document).json()["problems"]
    assert problem["pointer"] == "/forces/0/picks/0/number"
    document["forces"][0]["picks"][0]["number"] = 1
    body = {"before": document, "after": {**document, "forces": 7}}
    (problem,) = ann("post", "/diff/", body).json()["problems"]
    assert problem["pointer"] == "/after/forces"
