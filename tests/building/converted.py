"""Books of players that earlier releases made of BattleScribe files, with their game, as they are
kept: `converted.json` is what these made of a small game with two books.
"""

import json
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

from django.test import Client

from armybuilder.accounts.holders import random_holder
from armybuilder.books.models import BookOrigin, OwnBook, new_book_id
from armybuilder.books.pinning import keep_system
from armybuilder.books.services import create_book
from armybuilder.loading.own_systems import as_own_system

MADE: dict[str, Any] = json.loads(
    Path(__file__).with_name("converted.json").read_text(encoding="utf-8")
)
#: What the game is called.
NAME: str = MADE["system"]["name"]


def holder_in(client: Client) -> str:
    """The name under which a browser holds books."""
    session = client.session
    holder: str = session.setdefault("holder", random_holder())
    session.save()
    return holder


def keep_game(**content: Any) -> str:
    """Keep the game, with other content if need be: its id."""
    data = as_own_system({**MADE["system"], **content})
    keep_system(data)
    return str(data["id"])


def keep_book(client: Client, name: str = "River Folk", game: str = "", **content: Any) -> OwnBook:
    """Let a browser hold a book of the game, or of another one, with its place in the file."""
    made = MADE["books"].get(name, MADE["books"]["River Folk"])
    ids = {"id": new_book_id(), "system": game or keep_game()}
    book = create_book(holder_in(client), {**made["book"], **ids, "name": name, **content})
    packed = b64encode(zlib.compress(json.dumps(made["origin"]).encode(), 9)).decode()
    BookOrigin.objects.create(book=book, packed=packed, size=len(packed))
    return book
