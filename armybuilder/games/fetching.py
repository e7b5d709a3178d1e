"""Games by their address on GitHub: checking the address, and fetching the files.

Only where the operator allows it (`GAMES_BY_ADDRESS`); the worker fetches, not a request.
"""

import re
from http.client import HTTPException
from typing import Final, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.utils.translation import gettext as _

from armybuilder import outgoing
from armybuilder.loading.problems import Refusal

#: Hosts that files are fetched from, and to which these may send on.
HOSTS: Final = (
    "github.com",
    "codeload.github.com",
    "objects.githubusercontent.com",
    "raw.githubusercontent.com",
)
_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
#: A repository as a browser shows it: as it is now, at a branch, tag or commit, or in a release.
_REPOSITORY: Final = re.compile(
    rf"https://github\.com/({_NAME})/({_NAME}?)(?:\.git)?/?"
    r"(?:(?:tree|releases/tag)/([A-Za-z0-9][A-Za-z0-9._/+-]{0,99}))?/?"
)


class GameAddress(NamedTuple):
    """Source URL of a game, and its name."""

    url: str
    name: str


def address_of(address: str) -> GameAddress:
    """Return where the zip of a repository or release is. Raises Refusal for another address."""
    if not settings.GAMES_BY_ADDRESS:
        raise Refusal(_("This site doesn’t fetch games from links."))
    found = _REPOSITORY.fullmatch(address.strip())
    if found is None or ".." in address:
        raise Refusal(_("Enter the link of a repository, such as https://github.com/owner/name."))
    owner, name, version = found[1], found[2], found[3] or "HEAD"
    url = f"https://codeload.github.com/{owner}/{name}/zip/{quote(version)}"
    return GameAddress(url, f"{owner}/{name}" + (f" {version}" if found[3] else ""))


def fetch_game(url: str, most: int) -> bytes:
    """Return the zip at an address. Raises Refusal, also if there is no answer."""
    if not settings.GAMES_BY_ADDRESS:
        raise Refusal(_("This site doesn’t fetch games from links."))
    try:
        return outgoing.fetch(url, HOSTS, most)
    except (OSError, HTTPException) as error:
        raise Refusal(_("GitHub did not answer. Try again later.")) from error
