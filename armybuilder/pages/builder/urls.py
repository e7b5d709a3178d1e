"""Addresses of the builder."""

from django.urls import path

from armybuilder.pages.builder.views import (
    builder,
    changes,
    charts,
    compare_units,
    keyboard,
    own_models,
    tabs,
)

urlpatterns = [
    path("lists/<uuid:list_id>/", builder.builder, name="builder"),
    path("keys/", keyboard.keys, name="keys"),
    path("commands/", keyboard.commands, name="commands"),
    path("lists/<uuid:list_id>/commands/", keyboard.commands, name="list-commands"),
    path("lists/<uuid:list_id>/changes/", changes.changes, name="changes"),
    path("lists/<uuid:list_id>/units/", compare_units.compare_units, name="compare-units"),
    path("lists/<uuid:list_id>/charts/", charts.charts, name="charts"),
    path("lists/<uuid:list_id>/act/", builder.act, name="act"),
    path("lists/<uuid:list_id>/own/", own_models.own_model, name="own-model"),
    path("lists/<uuid:list_id>/own/<slug:unit>/", own_models.own_model, name="change-own-model"),
    path("lists/<uuid:list_id>/close/", tabs.close, name="close-tab"),
]
