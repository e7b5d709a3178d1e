"""Communities' games on the pages, from the zip to the event: brought, built, broken, mended,
printed, shared and submitted.
"""

import re
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.battlescribe.files.choices import choices_on
from armybuilder.battlescribe.files.view import view_of
from armybuilder.events.models import Submission
from armybuilder.games.opening import open_game
from armybuilder.games.services import keep
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.worked_out import WorkedOut, worked_out
from armybuilder.packs.selectors import read_pack
from armybuilder.pages.forces import verbs
from armybuilder.sharing.models import Share
from armybuilder.solving.picks.verbs import repair
from tests.battlescribe.files.random_lists import GAMES
from tests.battlescribe.files.test_event_rules import pack_of
from tests.effort import THOROUGH
from tests.events.builders import OWNER
from tests.pages.events.people import People
from tests.uploads.files import Uploading

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.skipif(not GAMES, reason="community files of games are not here"),
]

#: The games of journeys, with a catalogue of each.
CATALOGUES = {
    "kingsofwar": "Elves",
    "TrenchCrusade": "Iron Sultanate",
    "Warhammer-The-Old-World": "Empire of Man",
    "wh40k-10e": "Necrons",
    "wh40k-killteam": "Astra Militarum",
    "middle-earth": "Rohan",
}
FEW = ("kingsofwar", "TrenchCrusade")


class Player:
    """A browser, with a list that it builds."""

    def __init__(self) -> None:
        self.client = Client()
        self.id: Any = None

    def bring(self, path: Path, name: str) -> tuple[str, str]:
        """Upload a zip and keep its games; return the key of one, and of its catalogues the id of
        the one that is named most like this."""
        uploading = Uploading(self.client)
        uploading.send({path.name: path.read_bytes()})
        keys = uploading.keys
        assert uploading.keep(*keys).status_code == 302
        heads = [(key, head) for key in keys for head in open_game(key).heads.values()]
        playable = [(key, head) for key, head in heads if not head.says("library")]
        named = [(key, head) for key, head in playable if name in head.get("name")]
        key, head = min(named, key=lambda one: len(one[1].get("name")))
        return key, head.id

    @property
    def version(self) -> Version:
        return Version.objects.filter(army_list=self.id).order_by("-number")[0]

    @property
    def one(self) -> WorkedOut:
        return worked_out(self.version)

    def get(self, page: str) -> str:
        answer = self.client.get(f"/lists/{self.id}/{page}")
        assert answer.status_code == 200, page
        return unescape(answer.text)

    def act(self, act: str, **fields: object) -> None:
        known = {"act": act, "version": self.version.pk, **fields}
        answer = self.client.post(f"/lists/{self.id}/forces/act/", known)
        assert answer.status_code == 302, answer.text[-2000:]

    def start(self, key: str, catalogue: str) -> None:
        """Start a list of a catalogue."""
        fields = {"catalogue": catalogue, "force": "", "name": "On its way"}
        answer = self.client.post(f"/games/{key}/new/", fields)
        assert answer.status_code == 302, answer.text[-2000:]
        self.id = ArmyList.objects.get().pk

    def add(self, number: int) -> None:
        """Add the first units of a price that the shelf offers."""
        one = self.one
        (force, *_) = one.evaluation.forces
        choices = choices_on(one.evaluation, force)
        fitting = [one for one in choices if not one.hidden and one.prices and not one.reason]
        for choice in fitting[:number]:
            self.act("add", ref=f"{one.evaluation.picks[force].id}:{choice.definition.key}")

    def mend(self) -> None:
        """Take the fix that the page shows."""
        if not self.one.report.legal:
            page = self.client.get(f"/lists/{self.id}/forces/repair/").text
            proposal = re.search(r'name="proposal" value="([^"]+)"', page)
            assert proposal, [told.sentence for told in self.one.told]
            self.act("take-proposal", proposal=unescape(proposal[1]))


@pytest.mark.parametrize("stem", CATALOGUES if THOROUGH else FEW)
def test_a_game_goes_from_its_zip_to_an_event(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # However busy the machine is: what is claimed is that there is a fix.
    monkeypatch.setattr(verbs, "repair", partial(repair, seconds=60))
    path = next(path for path in GAMES if path.stem == stem)
    player = Player()
    key, catalogue = player.bring(path, CATALOGUES[stem])
    player.start(key, catalogue)
    player.add(2)
    player.mend()
    assert player.one.report.legal
    assert player.one.report.numbers[0] > 0
    cost = player.one.costs[0]
    player.act("cost-limit", cost=cost.id, limit=max(0, int(cost.spent) - 1))
    assert [told.mark for told in player.one.told if told.code == "limit"] == ["error"]
    assert cost.name in player.get("?view=errors")
    player.act("cost-limit", cost=cost.id, limit=int(cost.spent) + 1)
    player.mend()
    assert player.one.report.legal
    # Printed, and shared with somebody who doesn't have the files.
    pdf = player.client.get(f"/lists/{player.id}/print.pdf?kinds=full,cards").content
    assert pdf.startswith(b"%PDF-")
    made = player.client.post(f"/lists/{player.id}/share/make/", {"lasting": "1", "view": "full"})
    assert made.status_code == 302
    shared = Client().get(f"/shared/{Share.objects.get().token}/").text
    view = view_of(player.one.game, player.one.evaluation)
    for unit in {line.pick.name for line in view.units if line.costs}:
        assert unit in unescape(shared)
    # Submitted to an event that anyone holds who has the same files.
    keep(OWNER, key)
    limit: dict[str, Any] = {"kind": "limit", "cost": {"id": cost.id, "name": cost.name}}
    limit["max"] = int(cost.spent) + 1
    game = player.version.content.to_dict()["game"]
    event = People(pack=read_pack({**pack_of(limit), "game": game}))
    assert event.post(player.client, "enter/", name="Anne", agrees="on").status_code == 302
    answer = event.post(player.client, "submit/", list=player.id)
    assert answer.status_code == 302, answer.text[-2000:]
    assert Submission.objects.get().content == player.version.content
