"""Installable, and saved for use offline: the manifest, the worker, and which pages."""

import json
import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from armybuilder.pages.offline import SAVED, files_of_pages
from tests.api.calls import make_user
from tests.conftest import Builder
from tests.pages.forces.armies import Pond

pytestmark = pytest.mark.django_db


def body(answer: Any) -> bytes:
    return b"".join(answer) if answer.streaming else answer.content


def test_a_browser_can_install_the_site(client: Client) -> None:
    """Its criteria are those of Chromium, for which Lighthouse asks it: a link to a manifest with a
    name, a start in its scope, a window of its own, an icon of 144 pixels or more, and no other app
    preferred. That the worker opens the start without a connection, a journey shows.
    """
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = json.loads(body(answer))
    assert manifest["name"]
    assert len(manifest["short_name"]) <= 12
    assert manifest["display"] == "standalone"
    assert manifest["scope"] == "/"
    assert manifest["start_url"].startswith(manifest["scope"])
    assert not manifest.get("prefer_related_applications")
    assert client.get(manifest["start_url"])[SAVED]
    sizes = {(icon.get("purpose", "any"), icon["sizes"]) for icon in manifest["icons"]}
    assert sizes == {("any", "192x192"), ("any", "512x512"), ("maskable", "512x512")}
    for icon in [*manifest["icons"], {"src": "/apple-touch-icon.png", "sizes": "180x180"}]:
        answer = client.get(icon["src"])
        assert answer["Content-Type"] == "image/png"
        drawn = Image.open(BytesIO(body(answer)))
        assert "x".join(map(str, drawn.size)) == icon["sizes"]
        # A maskable one is cut to a circle: nothing of its ground may be missing.
        if icon.get("purpose") == "maskable":
            assert drawn.convert("RGBA").getextrema()[3] == (255, 255)
    # What the policy says nothing of is the site's own: worker and manifest, too.
    policy = client.get("/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert not re.search("(worker|child|script|manifest|connect)-src", policy)


def test_the_worker_is_asked_for_anew_and_has_all_files_of_saved_pages(sbh: Builder) -> None:
    answer = sbh.client.get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "Service-Worker-Allowed" not in answer  # its folder is its scope
    facts = json.loads(answer.text.removeprefix("self.site=").split(";\n")[0])
    assert facts["files"] == [*files_of_pages(), "/saved/"]
    for file in files_of_pages():
        assert body(sbh.client.get(file)), file
    pond = Pond(Client())
    places = ("/lists/", sbh.url, f"{sbh.url}play/", f"{sbh.url}sheet/", "/verify/", "/saved/")
    for visitor, page in (*((sbh.client, place) for place in places), (pond.client, pond.address)):
        html = visitor.get(page).text
        needed = set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js|woff2|svg))"', html))
        assert needed <= set(facts["files"]), page


def test_only_pages_for_the_table_are_saved_and_name_their_reader_by_a_mark(sbh: Builder) -> None:
    assert sbh.client.get(sbh.url + "?open=u1")[SAVED].endswith(" path")
    marks = set()
    for part in ("", "play/", "sheet/", "sheet.pdf", "text/"):
        mark, *_ = sbh.client.get(sbh.url + part)[SAVED].split()
        marks.add(mark)
        assert f'data-reader="{mark}"' in sbh.client.get("/library/").text
    assert len(marks) == 1
    assert sbh.client.session["holder"] not in marks.pop()
    others = ("", "library/", "events/", "account/sign-in/", f"{sbh.url[1:]}history/", "saved/")
    for address in (*others, f"{sbh.url[1:]}share/", "lists/nothing/"):
        assert SAVED not in sbh.client.get(f"/{address}"), address
    # Parts of a page are not pages, and what is refused is not saved.
    assert SAVED not in sbh.client.get(sbh.url, headers={"HX-Request": "true"})
    assert SAVED not in Client().get(sbh.url)


def test_the_mark_is_of_an_account_or_of_a_visitor(client: Client) -> None:
    def mark() -> str:
        return str(client.get("/lists/")[SAVED])

    visitor = mark()
    client.force_login(make_user("ann"))
    signed_in = mark()
    client.logout()
    assert (visitor[0], signed_in[0]) == ("v", "a")
    assert signed_in[1:] != visitor[1:]
    assert mark() == visitor


def test_the_page_of_saved_pages_names_nobody_and_keeps_what_others_say_once(
    client: Client,
) -> None:
    client.force_login(make_user("annabel"))
    page = client.get("/saved/").text
    assert "annabel" not in page
    assert "csrfmiddlewaretoken" not in page
    assert "data-reader" not in page


def test_an_operator_takes_the_worker_back(client: Client, settings: Any) -> None:
    assert "importScripts" in client.get("/sw.js").text
    settings.OFFLINE = False
    text = client.get("/sw.js").text
    assert "importScripts" not in text
    assert {"registration.unregister();", "skipWaiting());"} <= set(text.split())
    assert SAVED not in client.get("/lists/")
    assert "data-reader" not in client.get("/lists/").text
