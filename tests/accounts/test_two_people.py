"""Nobody reaches what another holds, by any address of the site or the API, signed in or not."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import models
from django.test import Client

from armybuilder.accounts.models import Token, User
from armybuilder.accounts.tokens import make_token
from armybuilder.lists.models import Version
from armybuilder.printing.models import PrintSetup
from tests.accounts.people import ann, sign_up, signed_in
from tests.addresses import addresses
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.events.builders import draft_event
from tests.uploads.files import Uploading, a_book, a_game

pytestmark = pytest.mark.long

#: Stands in everything that Ann has, and nowhere else.
MARK = "Quillwort"
#: What would end the walk for its visitor, and is none of Ann's.
NOT_WALKED = {"account/sign-out/"}
#: A picture of a page, which never changes where its address names the very file.
KEPT_BY_HER_BROWSER = {"lists/<uuid:list_id>/print/page/<int:number>.png"}


class Anns(NamedTuple):
    """What Ann has: for addresses by the name of the part, and for fields of forms."""

    parts: dict[str, Any]
    fields: dict[str, Any]


@pytest.fixture
def anns(client: Client) -> Anns:
    """A list with a history, a link and a print; a book, an upload, a set-up, a token and a draft
    event.
    """
    sign_up(client, MARK)
    shelf = Shelf(client, name=f"{MARK} book")
    shelf.add(group=MARK)
    name = f"{MARK} list"
    builder = Builder(client, "chainmail-2002", limit=100, books=[shelf.id], name=name)
    builder.act("add", ref=f"{shelf.id}/orc-berserker")
    list_id = builder.url.strip("/").split("/")[-1]
    user = User.objects.get()
    setup = PrintSetup.objects.create(holder=user.holder, name=MARK)
    token, _raw = make_token(user, MARK)
    printed = client.post("/lists/chosen/", {"do": "print", "list": [list_id]})["Location"]
    client.post(f"{builder.url}share/make/", {"what": "frozen", "view": "full", "name": MARK})
    parts = {
        "list_id": list_id,
        "other_id": list_id,
        "job_id": printed.strip("/").split("/")[-1],
        "token_id": token.pk,
        "own": shelf.id,
        "unit": "orc-berserker",
    }
    share = apps.get_model("sharing", "Share").objects.get(army_list=list_id)
    parts |= {"share_id": share.pk, "link_id": share.pk, "frozen_id": share.frozen_id}
    ours = {"list": list_id, "a": list_id, "b": list_id, "book": shelf.id, "books": shelf.id}
    about = {"version": builder.version.pk, "target": builder.version.pk, "setup": setup.pk}
    fields = {**ours, **about, "from": shelf.id, "do": "delete", "act": "remove", "unit": "u1"}
    uploading = Uploading(client)
    uploading.send({f"{MARK}.cat": a_book(name=MARK), f"{MARK}.gst": a_game()})
    parts["upload_id"] = uploading.upload.pk
    parts["event_id"] = draft_event(user.holder, name=MARK).pk
    return Anns(parts, fields)


#: For parts of addresses that are nobody's.
ANYBODYS = {
    "system_id": "chainmail-2002", "book_id": "practice", "unit_id": "walking-kiln",
    "paper": "a4", "number": 1, "example_id": "marsh-patrol", "key": "x", "token": "x" * 43,
    "uidb36": "1", "unit": "u1", "pack_id": "raven-cup",
    "form": "json", "which": 1, "secret": "x" * 43,
}  # fmt: skip


def address_of(route: str, anns: Anns) -> tuple[str, bool]:
    """The address where its parts are Ann's, as far as they can be; and whether any is."""
    hers: list[str] = []

    def part(found: re.Match[str]) -> str:
        kind, _colon, name = found[1].rpartition(":")
        for key in (name, kind):
            if key in anns.parts and not (key == "unit" and kind == "slug"):
                hers.append(key)
                return str(anns.parts[key])
        return str(ANYBODYS[name])

    return "/" + re.sub(r"<([^>]+)>", part, route), bool(hers)


def rows() -> dict[str, list[dict[str, Any]]]:
    """All that is kept, but for sessions, visits, and what Bob may make for himself."""
    left_out = {"sessions.Session", "accounts.SignIn"}
    tables = [model for model in apps.get_models() if model._meta.label not in left_out]
    return {model._meta.label: list(of_ann(model).values()) for model in tables}


def of_ann(model: type[models.Model]) -> models.QuerySet[models.Model]:
    """The rows that are Ann's, by whatever the table knows of its owner."""
    holder = User.objects.get(username=MARK).holder
    names = {field.name for field in model._meta.get_fields()}
    for path in ("holder", "army_list__holder", "user__holder"):
        if path.split("__")[0] in names:
            return model._default_manager.filter(**{path: holder}).order_by("pk")
    return model._default_manager.none()


def test_no_address_gives_or_changes_what_is_anothers(anns: Anns) -> None:
    bob = ann("bob")
    by_session = signed_in("bob")
    _token, raw = make_token(bob, "Bob’s program")
    by_token = Client(headers={"Authorization": f"Bearer {raw}"})
    assert by_token.get("/api/v1/lists/").status_code == 200
    before = rows()
    assert sum(map(len, before.values())) > 8
    told = []
    for route, *_more in addresses():
        if route in NOT_WALKED:
            continue
        address, hers = address_of(route, anns)
        visitors = [by_session, *([by_token] if "api/" in route else [])]
        told += [
            f"{method} {address}: {answer.status_code}"
            for visitor in [*visitors, *([Client()] if hers else [])]
            for method, answer in visits(visitor, address, anns, hers)
            if leaks(answer) or (hers and not hides(route, answer.status_code))
        ]
    assert told == []
    assert rows() == before
    others = Version.objects.exclude(army_list__holder=User.objects.get(username=MARK).holder)
    assert [one.pk for one in others if MARK in str(one.document)] == []
    assert Token.objects.filter(name=MARK).exists()


def test_nobody_on_the_way_and_no_browser_keeps_what_is_anns(anns: Anns, client: Client) -> None:
    kept, walked = [], 0
    for route, *_more in addresses():
        address, hers = address_of(route, anns)
        if not hers or route in KEPT_BY_HER_BROWSER:
            continue
        answer = client.get(address)
        told = answer.get("Cache-Control", "")
        walked += answer.status_code == 200
        want = "private" if route.startswith("api/") else "no-store"
        if answer.status_code == 200 and not (want in told and "private" in told):
            kept.append(f"{address}: {told}")
    assert kept == []
    assert walked > 30
    saved = client.get("/lists/files.zip", anns.fields)
    assert (saved.status_code, "no-store" in saved["Cache-Control"]) == (200, True)


def visits(visitor: Client, address: str, anns: Anns, hers: bool) -> Iterator[tuple[str, Any]]:
    """What comes of going there and of pressing something there."""
    # Where the address names nothing of Ann's, the question may.
    yield "GET", visitor.get(address, {} if hers else anns.fields)
    for act in (
        ("remove", "rename", "delete", "share") if address.endswith("/act/") else ("remove",)
    ):
        yield "POST", visitor.post(address, {**anns.fields, "act": act})
    if address.startswith("/api/") and hers:
        yield "PUT", visitor.put(address, {"name": "x"}, content_type="application/json")
        yield "DELETE", visitor.delete(address)


def hides(route: str, status: int) -> bool:
    """Whether an address of hers tells nothing: those of lists and books are not found."""
    return status in (404, 405) if route.startswith(("lists/", "books/")) else status != 200


def leaks(answer: Any) -> bool:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return MARK.lower().encode() in body.lower()
