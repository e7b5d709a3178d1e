"""Addresses of the library."""

from django.urls import path

from armybuilder.library import views

urlpatterns = [
    path("", views.library, name="library"),
    path("<slug:system_id>/", views.system, name="system"),
    path("<slug:system_id>/<slug:book_id>/", views.book, name="book"),
]
