"""The books that frozen copies name stay as long as the lists that have links to them. What is
there already is left out, so that it can be begun again where it was ended half-way.
"""

from itertools import islice
from typing import Any

from django.db import migrations

_AT_ONCE = 500


def pin_books(apps: Any, _schema_editor: Any) -> None:
    share, pin = apps.get_model("sharing", "Share"), apps.get_model("lists", "PinnedBook")
    links = share.objects.exclude(frozen=None).order_by("pk")
    rows = links.values_list("army_list_id", "frozen__document__books").iterator(_AT_ONCE)
    while some := list(islice(rows, _AT_ONCE)):
        named = {
            (list_id, book["id"], book.get("revision", ""))
            for list_id, books in some
            for book in books or ()
        }
        pins = [pin(army_list_id=one, book_id=book, revision=rev) for one, book, rev in named]
        pin.objects.bulk_create(pins, ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("sharing", "0001_links_and_frozen_copies"), ("lists", "0006_growth")]
    operations = [migrations.RunPython(pin_books, migrations.RunPython.noop)]
