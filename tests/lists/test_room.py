"""Every page is called with room on the stack (its worth: `tests/benchmarks/test_room.py`)."""

import sys
from types import FrameType

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from armybuilder.incoming import roomy


def page(request: HttpRequest) -> HttpResponse:
    frame: FrameType | None = sys._getframe()
    sizes = []
    while frame is not None:
        sizes.append(frame.f_code.co_stacksize)
        frame = frame.f_back
    return HttpResponse(max(sizes))


urlpatterns = [path("page/", page)]


@pytest.mark.urls("tests.lists.test_room")
def test_every_page_runs_with_enough_stack(client: Client) -> None:
    assert int(client.get("/page/").content) > 10_000


def test_a_function_given_more_stack_gives_the_same_result() -> None:
    def depth(left: int, *, step: int = 1) -> int:
        """How deep."""
        return 0 if left <= 0 else 1 + depth(left - step, step=step)

    with_room = roomy(depth)
    assert with_room(300, step=3) == depth(300, step=3) == 100
    assert with_room.__doc__ == "How deep."
