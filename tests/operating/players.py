"""Players at work, as a process of its own: `python -m tests.operating.players 20 write`.

The first list gets a certificate, in the file `certificate` of the site's folder.
"""

import sys
from itertools import count

import django


def main(number: int, goes_on: bool) -> None:
    """Make so many lists, say "ready", and go on changing them until the process is ended."""
    django.setup()
    from django.conf import settings
    from django.test import Client

    from armybuilder.certificates.making import certify
    from armybuilder.lists.models import Version
    from armybuilder.loading.library import shipped_library
    from tests.conftest import Builder

    client = Client(HTTP_HOST="localhost")
    lists = []
    for one in range(number):
        if one % 2:
            lists.append(Builder(client, "sbh", limit=300, books=["profiles"]))
            lists[-1].act("add", ref="profiles/troll")
        else:
            lists.append(Builder(client, "chainmail-2002", limit=100, books=["practice"]))
    document = Version.objects.order_by("pk")[0].document
    word = certify(document, shipped_library(), "https://armies.example")
    (settings.VAR_DIR / "certificate").write_text(word)
    print("ready", flush=True)
    for one in count() if goes_on else ():
        ref = "profiles/troll" if one % number % 2 else "practice/dune-jackal"
        assert lists[one % number].act("add", ref=ref).status_code == 302


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] == ["write"])
