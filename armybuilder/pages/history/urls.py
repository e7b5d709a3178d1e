"""Addresses of the history of a list."""

from django.urls import path

from armybuilder.pages.history import views

urlpatterns = [
    path("lists/compare/", views.compare_lists, name="compare-lists"),
    path("lists/<uuid:list_id>/history/", views.history, name="history"),
    path("lists/<uuid:list_id>/history/back/", views.go_back, name="go-back"),
    path("lists/<uuid:list_id>/history/label/", views.label, name="label-version"),
    path("lists/<uuid:list_id>/history/<int:number>/", views.version, name="version"),
]
