"""Addresses of the gallery."""

from django.urls import path

from armybuilder.pages.gallery import views

urlpatterns = [
    path("", views.components, name="gallery"),
    path("<slug:system_id>/", views.lists, name="gallery-lists"),
]
