"""The gallery is there for those who work on the look, and for nobody else."""

from django.test import Client
from django.urls import reverse


def test_components_show_in_light_and_in_dark_while_debugging(
    client: Client, db: None, settings
) -> None:
    assert client.get(reverse("gallery")).status_code == 404
    settings.DEBUG = True
    response = client.get(reverse("gallery"))
    assert response.status_code == 200
    assert response.context["schemes"] == ("light", "dark")
    severities = [finding.severity for finding in response.context["tellings"]]
    assert severities == ["error", "warning", "note"]
