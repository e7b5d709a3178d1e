"""What every page has: its frame, languages, light and dark; how it is sent, and to programs."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.templatetags.static import static
from django.test import Client, RequestFactory
from django.urls import reverse

from armybuilder.packing import FOLDER, SHARED, modules_of
from armybuilder.pages.middleware import compress_page
from armybuilder.pages.urls import urlpatterns
from armybuilder.tags import page_script
from tests.addresses import addresses
from tests.api.calls import Caller, make_user
from tests.conftest import Builder
from tests.markup import flat

pytestmark = pytest.mark.django_db


PAGES = ("home", "my-lists", "my-books", "library")


def buttons(html: str) -> dict[str, str]:
    """The language buttons of a page: what each says, by its language."""
    button = r'<button name="language" value="(\w+)" lang="(\w+)"[^>]*>([^<]+)<'
    found = re.findall(button, flat(html))
    assert all(value == lang for value, lang, _ in found)
    return {value: name for value, _, name in found}


def test_choosing_a_language_leads_back_to_the_page_and_lasts(client: Client) -> None:
    here = reverse("my-lists") + "?q=oz"
    page = client.get(here)
    assert f'name="next" value="{here}"' in page.text
    answer = client.post(reverse("set-language"), {"language": "de", "next": here})
    assert answer.status_code == 302
    assert answer["Location"] == here
    assert '<html lang="de">' in client.get(here).text
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME]["max-age"] == 365 * 24 * 3600


def test_each_page_offers_languages_and_marks_where_one_is(client: Client) -> None:
    for page in PAGES[1:]:
        html = client.get(reverse(page)).text
        head = html[html.index('<header class="site">') : html.index("</header>")]
        assert re.findall(r'<a href="([^"]+)" aria-current="page">', flat(head)) == [reverse(page)]
    # Each language is offered in its own name.
    for page in PAGES:
        client.cookies.clear()
        html = client.get(reverse(page)).text
        assert buttons(html) == dict(settings.LANGUAGES), page
        assert len(buttons(html)) > 1, page
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
        assert buttons(client.get(reverse(page)).text) == buttons(html)


def html_tag(client: Client, address: str = "/") -> str:
    page = client.get(address).text
    return page[page.index("<html") : page.index(">", page.index("<html")) + 1]


def test_the_theme_is_a_choice_that_lasts_a_year_until_it_is_taken_back(client: Client) -> None:
    # A choice lasts a year on all pages until it is taken back.
    for theme in ("light", "dark"):
        answer = client.post("/theme/", {"theme": theme, "next": "/lists/?q=a"})
        assert answer["Location"] == "/lists/?q=a", theme
        cookie = answer.cookies["theme"]
        assert (cookie.value, cookie["max-age"], cookie["samesite"]) == (theme, 31536000, "Lax")
        for address in ("/", "/lists/", "/nowhere/"):
            assert html_tag(client, address) == f'<html lang="en" data-theme="{theme}">'
        assert f'content="{theme}"' in client.get("/").text
        client.post("/theme/", {"theme": "", "next": "/"})
        assert html_tag(client) == '<html lang="en">', theme
    # Without a choice the system decides and the page says which is chosen.
    assert html_tag(client) == '<html lang="en">'
    assert 'content="light dark"' in client.get("/").text
    # The page says which is chosen.
    client.cookies["theme"] = "dark"
    page = " ".join(client.get("/").text.split())
    assert 'name="theme" value="dark" aria-current="true"' in page
    assert page.count('name="theme"') == 3
    # Only a press changes it to what can be chosen and leads nowhere else.
    for theme in ("purple", '"><script>', "light dark"):
        assert client.post("/theme/", {"theme": theme}).status_code == 302
        client.cookies["theme"] = theme
        assert html_tag(client) == '<html lang="en">', theme
    # It leads nowhere else.
    for to in ("https://elsewhere.example/", "//elsewhere.example", ""):
        assert client.post("/theme/", {"theme": "dark", "next": to})["Location"] == "/"
    assert client.post("/theme/", {"theme": "dark", "next": "help"})["Location"] == "help"
    # What was made for one browser is kept by none between.
    assert client.get("/")["Cache-Control"] == "private, no-cache"
    # Only a press changes it.
    assert client.get("/theme/").status_code == 405


GZIP = {"Accept-Encoding": "gzip"}


def test_a_page_is_sent_compressed_to_who_reads_that_and_a_file_as_it_is(sbh: Builder) -> None:
    assert sbh.client.get(sbh.url, headers=GZIP)["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in sbh.client.get(sbh.url)
    answer = sbh.client.get(sbh.url, headers={"Accept-Encoding": "gzip, deflate, br, zstd"})
    assert answer["Content-Encoding"] == "br"
    assert answer["Content-Length"] == str(len(answer.content))
    assert "Accept-Encoding" in answer["Vary"]
    assert b"<title>" in brotli.decompress(answer.content)
    # A file is sent as it is.
    for part in ("sheet.pdf", "list.json", "sheet.txt"):
        answer = sbh.client.get(f"{sbh.url}{part}", headers=GZIP)
        assert answer.status_code == 200, part
        assert "Content-Encoding" not in answer, part


def test_the_length_of_a_compressed_page_does_not_tell_what_is_in_it() -> None:
    page = b"<p>Anna has 3 dragons.</p>" * 20
    packed = [compress_page(page) for _ in range(200)]
    assert {brotli.decompress(one) for one in packed} == {page}
    assert len({len(one) for one in packed}) > 50
    assert brotli.decompress(compress_page(b"")) == b""


def test_the_etag_of_the_api_can_be_sent_back(db: None) -> None:
    ann = Caller(make_user("ann"))
    address = ann.store()["Location"].removeprefix(ann.start)
    answer = ann("get", address, Accept_Encoding="gzip")
    assert "Content-Encoding" not in answer
    assert ann("delete", address, If_Match=answer["ETag"]).status_code == 204


def test_who_finds_a_weakness_reads_where_to_report_it(client: Client, settings: Any) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:safe@armies.example"
    settings.SITE_URL = "https://armies.example"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    told = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert told["Contact"] == "mailto:safe@armies.example"
    assert told["Canonical"] == "https://armies.example/.well-known/security.txt"
    until = datetime.strptime(told["Expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert timedelta(days=30) < until - datetime.now(UTC) < timedelta(days=365)


def test_robots_and_icons_have_addresses_and_no_page_uses_camera_or_place(client: Client) -> None:
    # Robots and icons have their usual addresses.
    answer = client.get("/robots.txt")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")
    lines = b"".join(answer).decode().splitlines()
    assert {"Disallow: /lists/", "Disallow: /shared/", "Disallow: /api/"} <= set(lines)
    assert "Disallow: /library/" not in lines
    # There is an icon for whoever asks by its old name.
    answer = client.get("/favicon.ico")
    assert answer.status_code == 200
    assert b"".join(answer)[:4] == b"\0\0\1\0"
    # No answer lets a page use camera or place.
    for path in ("/", "/api/v1/systems/", "/nothing/"):
        policy = client.get(path)["Permissions-Policy"]
        assert {"camera=()", "geolocation=()", "microphone=()"} <= set(policy.split(", ")), path
        assert "clipboard" not in policy, path  # a button copies a list as text


def test_a_page_has_all_modules_fetched_at_once(client: Client, db: None) -> None:
    page = client.get("/").text
    fetched = re.findall(r'<link rel="modulepreload" href="/static/armybuilder/js/(\S+)">', page)
    loaded = re.findall(r'<script type="module" src="/static/armybuilder/js/(\S+)">', page)
    assert [*loaded, *fetched] == list(modules_of("site.js"))
    # A script that is not there is told.
    with pytest.raises(FileNotFoundError):
        page_script("nowhere")


@pytest.mark.slow
def test_what_is_imported_has_the_name_that_the_page_has_fetched(
    tmp_path: Path, settings: Any
) -> None:
    """As it is served: file names with a hash of what is in them."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "armybuilder.packing.Storage"},
    }
    others = ["drf_spectacular_sidecar", "rest_framework", "admin"]  # the heavy ones of packages
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=others)
    later = set(modules_of("builder.js", later=True)) - set(modules_of("builder.js"))
    names = [static(FOLDER + name).rpartition("/")[2] for name in ("builder.js", SHARED, *later)]
    named = set()
    for name in names:
        text = (tmp_path / "armybuilder" / "js" / name).read_text(encoding="utf-8")
        named |= set(re.findall(r'"\./([\w.-]+)"', text))
    assert named == set(names[1:])
    # A page has the script that it loads and the one of every page fetched, and no further.
    page = str(page_script("builder"))
    assert re.findall(r"/js/([\w.]+)", page) == [names[1], names[0]]


#: Where whoever is not signed in is sent, before a view looks at the method.
SIGN_IN = "/account/sign-in/"


def test_no_page_answers_a_method_that_it_is_not_for() -> None:
    """Every view says which methods it takes, and that before it looks anything up."""
    answering = []
    for _route, address, names in addresses(urlpatterns):
        # Those of a package; and those of events, whose decorator asks for the methods.
        if (address.name or "").startswith("account_") or "event_id" in names:
            continue
        request = RequestFactory().generic("PATCH", "/")
        request.user = AnonymousUser()
        given = {**dict.fromkeys(names, "x"), **address.default_args}
        response = address.callback(request, **given)
        if response.status_code != 405 and not response.get("Location", "").startswith(SIGN_IN):
            answering.append((address.name, response.status_code))
    assert answering == []
