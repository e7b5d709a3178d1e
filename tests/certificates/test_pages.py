"""Certificates on pages and sheets: made for a list of one's own, checked by whoever has one."""

import re
from html import unescape

import pytest
from django.test import Client

from armybuilder.certificates.making import check
from armybuilder.certificates.models import SigningKey
from armybuilder.lists.services import build_for
from armybuilder.loading.library import shipped_library
from armybuilder.pages.certificates.views import spelled_units
from armybuilder.sheets.drawing.qr import pattern_of
from tests.building.documents import army, value_of
from tests.certificates.test_signing import certificate
from tests.conftest import Builder
from tests.pdfs import text_of
from tests.sharing.codes import codes_on

pytestmark = pytest.mark.django_db
VERIFY = "/verify/"


def page_of(builder: Builder, query: str = "") -> str:
    answer = builder.client.get(f"{builder.url}certificate/{query}")
    assert answer.status_code == 200
    return unescape(answer.text)


def word_on(page: str) -> str:
    (found,) = re.findall(r'href="http://testserver/verify/#([\w.-]+)"', page)
    return str(found)


def test_a_list_has_a_certificate_with_its_code(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    page = page_of(sbh)
    claims = check(word_on(page)).claims
    assert claims.army_list.to_dict() == sbh.document
    assert claims.issuer == "http://testserver"
    assert 'src="data:image/svg+xml;base64,' in page
    assert '<span class="muted">Song of Blades and Heroes</span>' in page
    export = sbh.client.get(f"{sbh.url}export/").text
    assert f'href="{sbh.url}certificate/"' in export


def test_an_event_can_be_chosen(sbh: Builder) -> None:
    pack, *_others = re.findall(r'<option value="([\w-]+)"', page_of(sbh))
    claims = check(word_on(page_of(sbh, f"?pack={pack}"))).claims
    assert claims.pack is not None
    assert claims.pack[0] == pack
    assert claims.event is not None
    refused = sbh.client.get(f"{sbh.url}certificate/?pack=none-such")
    assert "no such event pack" in refused.text


def test_a_certificate_is_checked_without_script(client: Client) -> None:
    assert client.get(VERIFY).status_code == 200
    word = certificate()
    page = client.post(VERIFY, {"certificate": f"http://testserver/verify/#{word}"})
    said = unescape(page.text)
    assert re.search(r'id="verify-refused" hidden', said)
    assert re.search(r'id="verify-true">', said)
    assert "10× Human Warrior" in said
    assert check(word).claims.list_hash in said


def test_certificates_name_units_as_books_and_players_do() -> None:
    document = value_of(
        {
            **army(1),
            "units": [
                {"id": "u1", "unit": "profiles/human-wizards-apprentice", "models": 1},
                {"id": "u2", "unit": "own-1/lord-of-the-dead", "models": 2, "name": "Gruk"},
                {
                    "id": "u3",
                    "unit": "asklanders/jotunn",
                    "models": 1,
                    "roles": ["general"],
                    "options": ["shield", {"id": "banner", "options": ["rune-of-war"]}],
                },
            ],
        }
    )
    assert spelled_units(document) == [
        "1× Human Wizard's Apprentice",
        "2× Lord of the Dead “Gruk”",
        "1× Jötunn (General, Shield, Banner [Rune of War])",
    ]


def test_changed_certificates_and_nonsense_are_refused_without_script(client: Client) -> None:
    header, payload, signature = certificate().split(".")
    other = f"{header}.{payload[:-9]}AAAA{payload[-5:]}.{signature}"
    page = client.post(VERIFY, {"certificate": other}).text
    (said,) = re.findall(r'id="verify-refused">.*?</p>', page, re.DOTALL)
    assert "Invalid signature" in said
    assert re.search(r'id="verified"[^>]* hidden', page)
    for word in ("", "<b>x</b>", "a.b.c", "\0"):
        answer = client.post(VERIFY, {"certificate": word})
        assert answer.status_code == 200, word
        assert "<b>x</b>" not in answer.text


def test_the_keys_are_published_for_everybody(client: Client) -> None:
    certificate()
    answer = client.get("/.well-known/army-builder-keys.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    (key,) = answer.json()["keys"]
    assert key["kid"] == SigningKey.objects.get().kid
    assert "d" not in key


@pytest.mark.slow
@pytest.mark.long
def test_a_sheet_carries_the_certificate_of_its_list_if_it_is_asked_for(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    for kind in ("full", "judge"):
        query = f"kinds={kind}&certificate=1&size=small&paper=A5"
        pdf = sbh.client.get(f"{sbh.url}print.pdf?{query}").content
        ((_page, code),) = codes_on(pdf)
        assert code.pattern == pattern_of(code.address, dense=True), kind
        place, _sharp, word = code.address.partition("#")
        assert place == "http://testserver/verify/"
        claims = check(word).claims
        assert claims.army_list.to_dict() == sbh.document
        assert claims.pack is None
    for query in ("certificate=0", "kinds=opponent&certificate=1", "kinds=full"):
        pdf = sbh.client.get(f"{sbh.url}print.pdf?{query}").content
        assert list(codes_on(pdf)) == [], query
    page = sbh.client.get(f"{sbh.url}print/?certificate=1", follow=True).text
    assert 'name="certificate"' in page


@pytest.mark.long
def test_a_certificate_for_an_event_names_the_event_pack(sbh: Builder) -> None:
    pack = shipped_library().packs["raven-cup"]
    build_for(sbh.client.session["holder"], sbh.version.army_list_id, pack)
    pdf = sbh.client.get(f"{sbh.url}print.pdf?certificate=1").content
    ((_page, code),) = codes_on(pdf)
    claims = check(code.address.partition("#")[2]).claims
    assert claims.pack == (pack.id, pack.revision)
    told = text_of(pdf)
    assert pack.name in told
    assert "at this event" in told
