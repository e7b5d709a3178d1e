"""A browser with lists that tests call by their names."""

from django.test import Client

from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.services import start_list
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library


class Mine:
    """A browser with a few lists, stored without its forms."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.ids: dict[str, str] = {}

    @property
    def holder(self) -> str:
        session = self.client.session
        if "holder" not in session:
            session["holder"] = f"holder-{session.session_key}"
            session.save()
        return str(session["holder"])

    def start(
        self, name: str, system: str = "sbh", book: str = "profiles", limit: int = 300
    ) -> None:
        """Store an empty list."""
        library = shipped_library()
        game = library.systems[system]
        made = start_list(self.holder, game, library, name, limit, [book])
        self.ids[name] = str(made.army_list_id)

    def example(self) -> str:
        """Store a legal list; return its name."""
        example = shipped_examples().by_system["sbh"][0]
        address = self.client.post(f"/new/sbh/example/{example.id}/")["Location"]
        self.ids[example.name] = address.strip("/").split("/")[-1]
        return example.name

    def list(self, name: str) -> ArmyList:
        return ArmyList.objects.get(pk=self.ids[name])

    def lose(self, name: str) -> None:
        """Let a list be of a game that is gone."""
        version = Version.objects.get(army_list_id=self.ids[name])
        version.document = {**version.document.to_dict(), "system": "gone-game"}
        version.save()
