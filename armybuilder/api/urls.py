"""Addresses of the API."""

from django.urls import path, re_path

from armybuilder.admission.marks import MB, heavy, takes_bytes
from armybuilder.api.views import docs, events, judging, library, lists, reading, sheets, solving

urlpatterns = [
    path("v1/systems/", library.Systems.as_view(), name="api-systems"),
    path("v1/systems/<slug:system_id>/", library.SystemDetail.as_view(), name="api-system"),
    path("v1/systems/<slug:system_id>/units/", library.Units.as_view(), name="api-units"),
    path(
        "v1/systems/<slug:system_id>/books/<slug:book_id>/",
        library.BookDetail.as_view(),
        name="api-book",
    ),
    path(
        "v1/systems/<slug:system_id>/books/<slug:book_id>/units/<slug:unit_id>/",
        library.UnitDetail.as_view(),
        name="api-unit",
    ),
    path("v1/packs/", library.Packs.as_view(), name="api-packs"),
    path("v1/packs/<slug:pack_id>/", library.PackDetail.as_view(), name="api-pack"),
    path("v1/events/", events.Events.as_view(), name="api-events"),
    path("v1/events/<uuid:event_id>/", events.EventDetail.as_view(), name="api-event"),
    path("v1/events/<uuid:event_id>/entry/", events.EventEntry.as_view(), name="api-enter"),
    path(
        "v1/events/<uuid:event_id>/submissions/",
        events.EventSubmissions.as_view(),
        name="api-submit",
    ),
    path("v1/events/<uuid:event_id>/entries/", events.EventEntries.as_view(), name="api-entries"),
    path(
        "v1/events/<uuid:event_id>/entries/<int:number>/decisions/",
        events.EventDecisions.as_view(),
        name="api-decide",
    ),
    path(
        "v1/events/<uuid:event_id>/lists/",
        heavy(events.EventLists.as_view()),
        name="api-event-lists",
    ),
    path("v1/validate/", judging.Validate.as_view(), name="api-validate"),
    path("v1/choices/", heavy(judging.Choices.as_view()), name="api-choices"),
    path("v1/offers/", heavy(judging.Offers.as_view()), name="api-offers"),
    path("v1/repair/", heavy(solving.Repair.as_view()), name="api-repair"),
    path("v1/fill/", heavy(solving.Fill.as_view()), name="api-fill"),
    path("v1/answer/", heavy(solving.Answer.as_view()), name="api-answer"),
    path("v1/outlook/", heavy(solving.Outlook.as_view()), name="api-outlook"),
    path("v1/explain/", heavy(solving.Explain.as_view()), name="api-explain"),
    path("v1/diff/", takes_bytes(8 * MB)(judging.Diff.as_view()), name="api-diff"),
    path("v1/batch/", heavy(takes_bytes(8 * MB)(judging.Batch.as_view())), name="api-batch"),
    path("v1/sheet/", heavy(sheets.SheetOfDocument.as_view()), name="api-sheet"),
    path("v1/read/", heavy(reading.ReadText.as_view()), name="api-read"),
    path("v1/text/", sheets.TextOfDocument.as_view(), name="api-text"),
    path("v1/lists/", lists.Lists.as_view(), name="api-lists"),
    path("v1/lists/<uuid:list_id>/", lists.ListDetail.as_view(), name="api-list"),
    path("v1/lists/<uuid:list_id>/report/", lists.ListReport.as_view(), name="api-list-report"),
    path(
        "v1/lists/<uuid:list_id>/diff/<uuid:other_id>/",
        lists.ListDiff.as_view(),
        name="api-list-diff",
    ),
    path(
        "v1/lists/<uuid:list_id>/repair/",
        heavy(solving.ListRepair.as_view()),
        name="api-list-repair",
    ),
    path("v1/lists/<uuid:list_id>/fill/", heavy(solving.ListFill.as_view()), name="api-list-fill"),
    path(
        "v1/lists/<uuid:list_id>/answer/",
        heavy(solving.ListAnswer.as_view()),
        name="api-list-answer",
    ),
    path(
        "v1/lists/<uuid:list_id>/outlook/",
        heavy(solving.ListOutlook.as_view()),
        name="api-list-outlook",
    ),
    path(
        "v1/lists/<uuid:list_id>/explain/",
        heavy(solving.ListExplain.as_view()),
        name="api-list-explain",
    ),
    path("v1/lists/<uuid:list_id>/sheet/", heavy(lists.ListSheet.as_view()), name="api-list-sheet"),
    path("v1/lists/<uuid:list_id>/text/", lists.ListText.as_view(), name="api-list-text"),
    path("v1/lists/<uuid:list_id>/frozen/", lists.ListFrozen.as_view(), name="api-list-frozen"),
    path("v1/frozen/<slug:frozen_id>/", lists.FrozenDetail.as_view(), name="api-frozen"),
    path("v1/schema/", docs.Description.as_view(), name="api-schema"),
    path("v1/docs/", docs.Docs.as_view(), name="api-docs"),
    re_path(r"^(?P<rest>.*)$", docs.unknown, name="api-unknown"),
]
