"""Addresses of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from armybuilder.api import views

urlpatterns = [
    path("systems/", views.Systems.as_view(), name="api-systems"),
    path("systems/<slug:system_id>/books/<slug:book_id>/", views.Book.as_view(), name="api-book"),
    path("validate/", views.Validate.as_view(), name="api-validate"),
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
]
