"""The certificate in a code on sheets: it reads back, and says what this site finds of the list."""

from __future__ import annotations

import pytest

from armybuilder.certificates.making import check
from armybuilder.lists.services import build_for
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.drawing.qr import pattern_of
from tests.conftest import Builder
from tests.sharing.codes import codes_on

pytestmark = [pytest.mark.long, pytest.mark.django_db]


def test_a_sheet_carries_the_certificate_of_its_list_if_it_is_asked_for(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    for kind in ("full", "judge"):
        query = f"kinds={kind}&certificate=1&size=small&paper=A5"
        pdf = sbh.client.get(f"{sbh.url}print.pdf?{query}").content
        ((_page, code),) = codes_on(pdf)
        assert code.pattern == [list(row) for row in pattern_of(code.address, dense=True)], kind
        place, _sharp, word = code.address.partition("#")
        assert place == "http://testserver/verify/"
        claims = check(word).claims
        assert claims.army_list.to_dict() == sbh.document
        assert claims.pack is None
    for query in ("certificate=0", "kinds=opponent&certificate=1", "kinds=full"):
        pdf = sbh.client.get(f"{sbh.url}print.pdf?{query}").content
        assert list(codes_on(pdf)) == [], query
    page = sbh.client.get(f"{sbh.url}print/?certificate=1", follow=True).content.decode()
    assert 'name="certificate"' in page


def test_that_of_a_list_for_an_event_says_so(sbh: Builder) -> None:
    pack = shipped_library().packs["raven-cup"]
    build_for(sbh.client.session["holder"], sbh.version.army_list_id, pack)
    pdf = sbh.client.get(f"{sbh.url}print.pdf?certificate=1").content
    ((_page, code),) = codes_on(pdf)
    claims = check(code.address.partition("#")[2]).claims
    assert claims.pack == (pack.id, pack.revision)
