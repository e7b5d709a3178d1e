"""Saved set-ups that hid special items go on hiding them under the kind's new name."""

from importlib import import_module

import pytest
from django.apps import apps

from armybuilder.printing.models import PrintJob, PrintSetup

pytestmark = pytest.mark.django_db

rename = import_module("armybuilder.printing.migrations.0003_hidden_lists").rename


def test_the_old_opponents_sheet_is_the_hidden_list():
    setup = PrintSetup.objects.create(holder="one", name="Club", fields={"kinds": "full,opponent"})
    other = PrintSetup.objects.create(holder="one", name="Home", fields={"paper": "A5"})
    job = PrintJob.objects.create(holder="one", setup={"kinds": "opponent", "size": "large"})
    rename(apps, None)
    for row in (setup, other, job):
        row.refresh_from_db()
    assert setup.fields == {"kinds": "full,hidden"}
    assert other.fields == {"paper": "A5"}
    assert job.setup == {"kinds": "hidden", "size": "large"}
