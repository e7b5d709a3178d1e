"""Rosters of books that earlier releases made of files: out, and back in, for nobody else."""

import html
import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import make_token
from armybuilder.books.models import BookOrigin, OwnBook
from armybuilder.books.pinning import library_of
from armybuilder.books.services import BookResult, change_book
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from tests.building.converted import MADE, NAME, keep_book

pytestmark = pytest.mark.django_db

ORIGIN = MADE["books"]["River Folk"]["origin"]
RIVER, SYSTEM_ID = (ORIGIN[part]["id"] for part in ("catalogue", "game"))
POINTS, FORCE = ORIGIN["points"]["id"], ORIGIN["forces"][0]["id"]
CORE = ORIGIN["category_ids"]["core"]
#: Ids of what rosters name.
SPEARS, MODEL, BANNER, FIRE, RAFT = (f"a0a0-0000-0000-000{number}" for number in range(5))
BANNERS = "a0a0-0000-0000-0009"


def selection(
    name: str, path: str, number: int = 1, points: int = 0, *inner: str, **more: str
) -> str:
    inside = f"<selections>{''.join(inner)}</selections>" if inner else ""
    attributes = "".join(f' {key}="{value}"' for key, value in more.items())
    return (
        f'<selection id="0" name="{name}" entryId="{path}" number="{number}" type="upgrade"'
        f"{attributes}>{inside}"
        f'<costs><cost name="pts" typeId="{POINTS}" value="{points}.0"/></costs>'
        f'<categories><category id="d" name="Core" entryId="{CORE}" primary="true"/></categories>'
        "</selection>"
    )


TWELVE = selection(
    "Spears", SPEARS, 1, 0,
    selection("Model", MODEL, 12, 60),
    selection(
        "Banner", BANNER, 1, 20, selection("Banner of Fire", FIRE, 1, 15, entryGroupId=BANNERS)
    ),
    customName="The Wet",
)  # fmt: skip


def roster(*selections: str, catalogue: str = RIVER, name: str = "River Folk") -> bytes:
    """A roster as BattleScribe writes it."""
    return (
        '<roster id="9d6f" name="From the river" battleScribeVersion="2.03"'
        f' gameSystemId="{SYSTEM_ID}" gameSystemName="{NAME}" gameSystemRevision="3"'
        ' xmlns="http://www.battlescribe.net/schema/rosterSchema">'
        f'<costLimits><costLimit name="pts" typeId="{POINTS}" value="800.0"/></costLimits><forces>'
        f'<force id="1" name="Army" entryId="{FORCE}" catalogueId="{catalogue}"'
        f' catalogueRevision="1" catalogueName="{name}"><selections>'
        f"{''.join(selections)}</selections></force></forces></roster>"
    ).encode()


@pytest.fixture
def mine(client: Client) -> Client:
    keep_book(client)
    return client


def opened(client: Client, raw: bytes, name: str = "river.ros") -> str:
    """What the page says when a roster is opened."""
    answer = client.post("/lists/open/", {"file": [SimpleUploadedFile(name, raw)]}, follow=True)
    return html.unescape(answer.text)


def test_a_roster_of_battlescribe_is_opened_with_all_that_is_in_it(mine: Client) -> None:
    page = opened(mine, roster(TWELVE, selection("Mongrel Raft", RAFT)))
    document = Version.objects.get().document
    book = OwnBook.objects.get()
    assert (document.system, [one.id for one in document.books]) == (book.system, [book.pk])
    assert (document.name, document.limit) == ("From the river", 800)
    spears, raft = document.units
    assert (spears.ref, spears.models, spears.name) == (f"{book.pk}/spears", 12, "The Wet")
    assert [(one.id, [inner.id for inner in one.options]) for one in spears.options] == [
        ("banner", ["banner-of-fire"])
    ]
    assert (raft.ref, raft.models) == (f"{book.pk}/mongrel-raft", 1)
    assert "doesn’t say how many models" in page, "of the raft"
    # The same as a copied text, and unknown things are told.
    ArmyList.objects.all().delete()
    text = roster(TWELVE, selection("Otter King", "f0f0")).decode()
    page = html.unescape(mine.post("/lists/paste/", {"text": text}, follow=True).text)
    assert [unit.ref for unit in Version.objects.get().document.units] == [f"{book.pk}/spears"]
    assert "Otter King" in page


def test_a_list_goes_out_as_a_roster_and_comes_back(mine: Client) -> None:
    opened(mine, roster(TWELVE))
    kept = Version.objects.get()
    url = f"/lists/{kept.army_list_id}/"
    assert "River Folk" in html.unescape(mine.get(f"{url}export/").text)
    raw = mine.get(f"{url}list.rosz").content
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        ros = archive.read(archive.namelist()[0])
    for part in (SPEARS, MODEL, BANNER, FIRE, BANNERS, FORCE, f'catalogueId="{RIVER}"'):
        assert part.encode() in ros, part
    for name, content in (("a.rosz", raw), ("a.ros", ros)):
        page = opened(mine, content, name)
        back = Version.objects.latest("pk").document
        assert (back.units, back.books, back.system) == (
            kept.document.units, kept.document.books, kept.document.system,
        )  # fmt: skip
        assert "left out" not in page


def test_only_the_player_who_has_the_books_opens_it(mine: Client) -> None:
    page = opened(Client(), roster(TWELVE))
    assert f"The list was made with “River Folk” of “{NAME}”" in page
    answer = Client().post(
        "/api/v1/read/file/?name=a.ros", roster(TWELVE), "application/octet-stream"
    )
    assert [one["name"] for one in answer.json()["refused"]] == ["a.ros"]
    user = User.objects.create_user("otter@example.org")
    OwnBook.objects.update(holder=user.holder)
    token = {"Authorization": f"Bearer {make_token(user, 'x')[1]}"}
    answer = Client().post(
        "/api/v1/read/file/?name=a.ros", roster(TWELVE), "application/octet-stream", headers=token
    )
    (one,) = answer.json()["lists"]
    assert one["document"]["units"][0]["models"] == 12
    # A book without its origin, kept by an earlier version, is told like one that is not here.
    BookOrigin.objects.all().delete()
    library = library_of(user.holder, shipped_library())
    book = OwnBook.objects.get().pk
    assert library.own_origin(book) == ""


@pytest.mark.slow
def test_of_catalogues_with_one_id_the_name_tells_which_and_edits_leave_the_ids(
    client: Client,
) -> None:
    books = {name: keep_book(client, name).pk for name in ("River Folk", "Wood Folk")}
    for name, book in books.items():
        opened(client, roster(TWELVE, name=name))
        assert Version.objects.latest("pk").document.units[0].ref == f"{book}/spears"
    # A unit that the player has renamed since is still that one.
    holder, wood = OwnBook.objects.latest("pk").holder, books["Wood Folk"]

    def renamed(document: Document) -> BookResult:
        units = [one | {"name": "Pikes"} for one in document["units"]]
        return BookResult({**document, "units": units}, "Renamed.")

    change_book(holder, wood, renamed)
    opened(client, roster(TWELVE, name="Wood Folk"))
    document = Version.objects.latest("pk").document
    assert [one.ref for one in document.units] == [f"{wood}/spears"]
    assert document.books[0].revision == OwnBook.objects.get(pk=wood).revision
