"""Addresses of a player’s data, out and in."""

from django.urls import path

from armybuilder.admission.marks import MB, heavy, takes_bytes
from armybuilder.pages.takeout import views

urlpatterns = [
    path("account/data/", views.my_data, name="my-data"),
    path("account/data/everything.zip", heavy(views.save_data), name="save-data"),
    path("account/data/open/", heavy(takes_bytes(64 * MB)(views.open_data)), name="open-data"),
]
