"""A small game with squads of models, choices of one, and a setting; lists of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.test import Client

from armybuilder.games.models import Game
from armybuilder.games.services import keep
from armybuilder.lists.forces import start_forces
from armybuilder.lists.models import ArmyList
from tests.kept_games.files import catalogue, stored, system, unit

HOLDER = "f" * 32


def bound(kind: str, value: int, id: str, scope: str = "parent") -> str:
    """A constraint on how many there may be."""
    return (
        f'<constraint id="{id}" type="{kind}" value="{value}" field="selections" scope="{scope}"'
        ' shared="true"/>'
    )


def entry(id: str, name: str, kind: str = "upgrade", points: int = 0, *inside: str) -> str:
    """An entry within another."""
    costs = f'<costs><cost name="pts" typeId="pts" value="{points}"/></costs>'
    head = f'<selectionEntry id="{id}" name="{name}" type="{kind}">'
    return f"{head}{costs}{''.join(inside)}</selectionEntry>"


def group(id: str, name: str, most: int, *entries: str, least: int = 0, default: str = "") -> str:
    """A group of entries of which there may be so many."""
    chosen = f' defaultSelectionEntryId="{default}"' if default else ""
    bounds = bound("max", most, f"{id}-max") + (bound("min", least, f"{id}-min") if least else "")
    return (
        f'<selectionEntryGroup id="{id}" name="{name}"{chosen}><constraints>{bounds}</constraints>'
        f"<selectionEntries>{''.join(entries)}</selectionEntries></selectionEntryGroup>"
    )


WEAPONS = group(
    "arms",
    "Weapon",
    1,
    entry("dart", "Dart"),
    entry("melta", "Meltagun", "upgrade", 10),
    least=1,
    default="dart",
)
TROOPER = entry(
    "trooper",
    "Trooper",
    "model",
    5,
    f"<constraints>{bound('min', 3, 't-min')}{bound('max', 10, 't-max')}</constraints>",
    f"<selectionEntryGroups>{WEAPONS}</selectionEntryGroups>",
)
FLAG = entry(
    "flag", "Flag", "upgrade", 7, f"<constraints>{bound('max', 1, 'flag-max')}</constraints>"
)
SQUAD = unit("squad", "Squad", 20, f"<selectionEntries>{TROOPER}{FLAG}</selectionEntries>")
SECRET = unit("ghost", "Ghost").replace('name="Ghost"', 'name="Ghost" hidden="true"')
SETTING = """<selectionEntry id="size" name="Battle Size" type="upgrade"><categoryLinks>
 <categoryLink id="size-set" targetId="set" primary="true"/></categoryLinks>
 <selectionEntries><selectionEntry id="small" name="Small" type="upgrade"/></selectionEntries>
</selectionEntry>"""


def squads() -> dict[str, bytes]:
    """The files of the game."""
    setting = b'<categoryEntry id="set" name="Configuration"/></categoryEntries>'
    return {
        "Squads.gst": system("Game of Squads").replace(b"</categoryEntries>", setting),
        "Pond.cat": catalogue("Pond", SQUAD, unit("boat", "Boat", 30), SECRET, SETTING),
        "Lake.cat": catalogue("Lake", unit("raft", "Raft", 15)),
    }


class Pond:
    """A browser with a list of the game."""

    def __init__(
        self, client: Client, name: str = "Ponds", files: Mapping[str, bytes] | None = None
    ) -> None:
        self.client = client
        session = client.session
        session["holder"] = HOLDER
        session.save()
        self.game: Game = stored(files or squads())
        keep(HOLDER, self.game.pk)
        version = start_forces(HOLDER, self.game.pk, "pond", "raft", name)
        self.id = version.army_list_id
        self.force = version.content.to_dict()["forces"][0]["id"]
        self.address = f"/lists/{self.id}/"

    @property
    def row(self) -> ArmyList:
        """Its row as it is now."""
        return ArmyList.objects.get(pk=self.id)

    @property
    def document(self) -> dict[str, Any]:
        """Its document as it is now."""
        row = self.row
        return row.versions.get(number=row.number).content.to_dict()

    def act(self, act: str, status: int = 302, **fields: object) -> Any:
        """Press a button as a browser without script does."""
        row = self.row
        version = row.versions.get(number=row.number).pk
        known = {"act": act, "version": version, **fields}
        answer = self.client.post(f"{self.address}forces/act/", known)
        assert answer.status_code == status, answer.content[:2000]
        return answer

    def add(self, key: str) -> str:
        """Add a unit; return its id."""
        self.act(f"add:{self.force}:{key}", ref=f"{self.force}:{key}")
        return str(self.document["forces"][0]["picks"][-1]["id"])

    @property
    def squad(self) -> list[dict[str, Any]]:
        """What is taken on the first unit."""
        picks: list[dict[str, Any]] = self.document["forces"][0]["picks"][0].get("picks", [])
        return picks
