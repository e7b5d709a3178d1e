"""Addresses of links to lists."""

from django.urls import path

from armybuilder.admission.marks import heavy
from armybuilder.pages.sharing import owner_views, visitor_views

urlpatterns = [
    path("lists/<uuid:list_id>/share/", owner_views.share, name="share"),
    path("lists/<uuid:list_id>/share/make/", owner_views.make_link, name="make-link"),
    path(
        "lists/<uuid:list_id>/share/<uuid:share_id>/revoke/", owner_views.revoke, name="revoke-link"
    ),
    path("lists/<uuid:list_id>/share/<uuid:share_id>/code.svg", owner_views.code, name="link-code"),
    path("shared/<slug:token>/", heavy(visitor_views.page), name="shared-list"),
    path("shared/<slug:token>/copy/", visitor_views.copy, name="copy-shared-list"),
    path("shared/<slug:token>/list.pdf", heavy(visitor_views.pdf), name="shared-list-pdf"),
    path("shared/<slug:token>/list.txt", heavy(visitor_views.text), name="shared-list-text"),
    path("shared/<slug:token>/list.json", visitor_views.document, name="shared-list-document"),
]
