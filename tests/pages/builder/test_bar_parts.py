"""Of the bar only what has changed is drawn and sent."""

import re

from django.http import HttpResponse

from tests.conftest import Builder

MENU = '<details id="lists" data-same></details>'
WAYS = '<span id="bar-ways" data-same></span>'


def parts_in(page: str) -> str:
    found = re.findall(r'<\w+ [^>]*\bid="(lists|bar-ways)"[^>]* data-part="(\w+)"', page)
    assert len(found) == 2
    return ",".join(f"{name}:{mark}" for name, mark in found)


def act(builder: Builder, known: str, **fields: str) -> str:
    headers = {"HX-Request": "true", "X-Parts": known}
    posted = {"version": builder.version.pk, **fields}
    answer: HttpResponse = builder.client.post(f"{builder.url}act/", posted, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_menu_and_the_ways_out_stay_as_they_are(sbh: Builder) -> None:
    known = parts_in(sbh.page)
    answer = act(sbh, known, act="add", ref="profiles/human-warrior")
    assert MENU in answer
    assert WAYS in answer
    assert 'id="undo"' in answer
    without = act(sbh, "", act="add", ref="profiles/human-warrior")
    assert parts_in(without) == known
    assert "My lists" in without
    assert "My lists" not in answer


def test_a_new_name_is_sent(sbh: Builder) -> None:
    known = parts_in(sbh.page)
    answer = act(sbh, known, act="rename", name="Gate Watch")
    assert MENU not in answer
    assert '<h1 dir="auto">Gate Watch</h1>' in answer
    assert WAYS in answer


def test_another_language_is_sent(sbh: Builder) -> None:
    known = parts_in(sbh.page)
    sbh.client.cookies["django_language"] = "de"
    answer = act(sbh, known, act="add", ref="profiles/human-warrior")
    assert MENU not in answer
    assert WAYS not in answer
