"""Common parts of the builder's pages for both kinds of lists: panes, an open unit, forms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils import timezone

from armybuilder.collection.selectors import owned_numbers
from armybuilder.events.building import Road, road_of
from armybuilder.html import EMPTY, Html, attributes, hidden_field, join
from armybuilder.lists.models import Version
from armybuilder.pages.answers import with_query
from armybuilder.solving.owned import Models

#: The panes of the page, and those shown next to the army, one at a time.
VIEWS = ("army", "units", "unit", "errors", "game")
SIDES = ("unit", "errors", "game")


@dataclass
class ListPage(ABC):
    """All that the page of a list shows, worked out when a template asks for it.

    `opened` is the id of the unit whose pane is open; a unit's id behind `open_url` opens it. On a
    screen with room for one pane, `view` is that pane. `parts_known` are the hashes of the
    browser's parts, `start` the number of the first unit shown. `peeked` names an entry of the
    books to preview; `asks` are the attributes of elements that act by script.
    """

    version: Version
    opened: str = ""
    open_url: str = ""
    parts_known: Mapping[str, str] = field(default_factory=dict)
    view: str = "army"
    peeked: str = ""
    asks: Html = EMPTY

    @property
    @abstractmethod
    def order(self) -> list[str]:
        """The ids of the units in their order on the page."""

    @property
    @abstractmethod
    def start(self) -> int: ...

    @property
    @abstractmethod
    def models_game(self) -> str:
        """The game that a collection is for."""

    @property
    @abstractmethod
    def missing(self) -> list[str]:
        """The models on the list that are not in the player's collection, if there is one."""

    @property
    def holder(self) -> str:
        """The owner of the list; "" for a document that is not stored."""
        return self.version.army_list.holder if self.version.army_list_id else ""

    @cached_property
    def collection(self) -> Models:
        """The number of models of each unit in the player's collection for the game."""
        return owned_numbers(self.holder, self.models_game)

    @cached_property
    def road(self) -> Road | None:
        """The way of the list to the event it is built for."""
        return road_of(self.version, timezone.now())

    @property
    def side(self) -> str:
        """Pane next to the army if there is room for it."""
        return self.view if self.view in SIDES else "unit" if self.opened else "errors"

    @property
    def can_undo(self) -> bool:
        return self.version.number > 1

    @property
    def can_redo(self) -> bool:
        return self.version.number < self.version.army_list.latest

    def opens(self, unit: str) -> str:
        return f"{self.open_url}{unit}"

    def neighbours(self, unit: str) -> dict[str, str]:
        """Return the URLs that open the units `before` and `after` one, "" where there is none."""
        order, at = self.order, self.order.index(unit)
        return {
            "before": self.opens(order[at - 1]) if at else "",
            "after": self.opens(order[at + 1]) if at + 1 < len(order) else "",
        }


def act_attributes(
    request: HttpRequest, version: Version, act: str = "act", query: str = ""
) -> dict[str, Any]:
    """Return what every form and button that acts on a list repeats, written out once.

    `act` names the URL that takes acts; `query` is what forms without script add to it.
    """
    act_url = reverse(act, args=[version.army_list_id])
    share = reverse("share", args=[version.army_list_id])
    shown = {"hx_target": "#share-box", "hx_swap": "innerHTML", "hx_params": "none"}
    token = hidden_field("csrfmiddlewaretoken", get_token(request))
    return {
        "act_form": attributes(method="post", action=with_query(act_url, query)),
        "asks": attributes(hx_post=act_url),
        "opens_share": attributes(hx_get=share, **shown),
        "form_token": token,
        "form_keys": join([token, hidden_field("version", version.pk)]),
    }
