"""An act whose answer was lost is asked for again, and not done twice."""

import pytest

from tests.conftest import Builder


@pytest.mark.parametrize(("headers", "units"), [({"X-Again": "1"}, 1), ({}, 2)])
def test_an_act_asked_for_again_is_done_once(
    sbh: Builder, headers: dict[str, str], units: int
) -> None:
    fields = {"version": sbh.version.pk, "act": "add", "ref": "profiles/human-warrior"}
    for more in ({}, headers):
        answer = sbh.client.post(f"{sbh.url}act/", fields, headers={"HX-Request": "true", **more})
        assert answer.status_code == 200
    entries = sbh.document["units"]
    assert sum(entry.get("models", 1) for entry in entries) == units


def test_what_another_window_did_meanwhile_is_no_answer(sbh: Builder) -> None:
    seen = sbh.version.pk
    sbh.act("add", ref="profiles/human-warrior")
    fields = {"version": seen, "act": "add", "ref": "profiles/human-archer"}
    sbh.client.post(f"{sbh.url}act/", fields, headers={"HX-Request": "true", "X-Again": "1"})
    assert len(sbh.document["units"]) == 2
