"""Pictures beside links in chats: made once a list by a worker, and never of what a link hides."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone
from django_tasks import default_task_backend
from PIL import Image

from armybuilder.housekeeping.tidying import PICTURES_FOR, tidy
from armybuilder.lists.services import create_list
from armybuilder.loading.library import shipped_library
from armybuilder.sharing import shared_lists
from armybuilder.sharing.models import LinkPicture, Share
from armybuilder.sharing.shared_lists import (
    HEIGHT,
    MOST_BYTES,
    PAUSE,
    WIDTH,
    SharedList,
    draw_picture,
    drawn,
    share,
)
from tests.building.documents import value_of
from tests.markup import found_in, lacking
from tests.pdfs import text_of
from tests.sharing.links import make_link, path_of
from tests.sharing.test_leaks import LISTS, MARK, noted, secrets_of
from tests.sheets.papers import DAY

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def waiting(settings, monkeypatch):
    """Tasks wait in a list, as they do for a worker: the (link, mark) of each."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    return lambda: [tuple(result.args) for result in default_task_backend.results]


def image_in(page):
    found = re.search(r'property="og:image" content="http://testserver([^"]+)"', page)
    return found[1] if found else ""


def test_a_link_has_title_text_and_picture_for_chats(sbh, other, waiting):
    sbh.act("add", ref="profiles/human-warrior")
    link = make_link(sbh, what="current", view="full")
    page = other.get(path_of(link)).text
    tags = (
        'property="og:title" content="Test list"',
        "Song of Blades and Heroes · ",
        "30 points",
        f'property="og:url" content="http://testserver{path_of(link)}"',
        'name="twitter:card" content="summary"',
    )
    assert lacking(page, *tags) == []
    # Until the picture is made there is none; it is asked for once, however many look.
    assert image_in(page) == ""
    other.get(path_of(link))
    ((key, mark),) = waiting()
    assert key == str(link.pk)
    draw_picture.func(key, mark)
    page = other.get(path_of(link)).text
    assert 'content="summary_large_image"' in page
    answer = other.get(image_in(page))
    picture = Image.open(BytesIO(answer.content))
    assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    assert len(answer.content) <= MOST_BYTES
    # Another list has another; whoever changes it often is drawn now and then.
    sbh.act("more", unit="u1")
    assert image_in(other.get(path_of(link)).text) == ""
    assert len(waiting()) == 1
    LinkPicture.objects.update(asked=timezone.now() - PAUSE)
    other.get(path_of(link))
    assert len(waiting()) == 2
    # What was asked for before is no longer drawn.
    draw_picture.func(key, mark)
    assert LinkPicture.objects.get().made == mark
    assert image_in(other.get(path_of(link)).text) == ""


def test_strangers_make_no_work_without_a_link(sbh, other, waiting, monkeypatch):
    link = make_link(sbh, what="current", view="open")
    address = path_of(link)
    assert other.get("/shared/" + "x" * 43 + "/").status_code == 404
    for mark in ("x", "0" * 32, ""):
        assert other.get(f"{address}{mark}.png").status_code == 404
    assert waiting() == []
    monkeypatch.setattr(shared_lists, "MOST_WAITING", 0)
    assert other.get(address).status_code == 200
    assert waiting() == []
    # A picture goes with its link, and after a month.
    monkeypatch.undo()
    other.get(address)
    draw_picture.func(*waiting()[0])
    image = image_in(other.get(address).text)
    assert other.get(image).status_code == 200
    tidy(timezone.now())
    assert LinkPicture.objects.exists()
    LinkPicture.objects.update(asked=timezone.now() - PICTURES_FOR - timedelta(days=1))
    tidy(timezone.now())
    assert not LinkPicture.objects.exists()
    sbh.client.post(f"{sbh.url}share/{link.pk}/revoke/")
    assert other.get(image).status_code == 404
    draw_picture.func(*waiting()[0])


@pytest.mark.parametrize("name", [name for name in LISTS if name.startswith("t9a")][:2])
def test_the_picture_of_an_open_link_hides_what_the_link_hides(name):
    document = value_of(noted(LISTS[name]))
    version = create_list("somebody", document, "Started.")
    texts = {}
    for view in Share.View.values:
        link = share(version.army_list_id, view)
        texts[view] = text_of(drawn(SharedList(link, shipped_library(), DAY)))
    secrets = {secret for secret in secrets_of(noted(LISTS[name])) if len(secret) > 4}
    assert found_in(texts["open"], *secrets) == []
    assert found_in(texts["full"], *secrets) != []
    assert MARK not in texts["full"]
