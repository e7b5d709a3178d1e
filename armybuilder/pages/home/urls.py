"""Addresses of the first page and of new lists."""

from django.urls import path

from armybuilder.admission.marks import heavy
from armybuilder.pages.home import start_views, views, well_known

urlpatterns = [
    path("", views.home, name="home"),
    path(".well-known/security.txt", well_known.security, name="security-txt"),
    path("new/<slug:system_id>/", views.new_list, name="new-list"),
    path("new/<slug:system_id>/starter/", heavy(start_views.make_starter), name="starter"),
    path(
        "new/<slug:system_id>/example/<slug:example_id>/",
        start_views.open_example,
        name="open-example",
    ),
]
