from typing import Any

from django.db import migrations, models


def count_parts(apps: Any, _schema_editor: Any) -> None:
    """Let each further entry of a player say which list it is for, by the order of their numbers."""
    entries = apps.get_model("events", "Entry").objects.exclude(main=None)
    found: dict[int, int] = {}
    for entry in entries.order_by("main", "number").only("pk", "main"):
        entry.part = found[entry.main_id] = found.get(entry.main_id, 1) + 1
        entry.save(update_fields=["part"])


class Migration(migrations.Migration):
    dependencies = [("events", "0003_paper_hash")]

    operations = [
        migrations.AddField("entry", "part", models.PositiveSmallIntegerField(default=1)),
        migrations.RunPython(count_parts, migrations.RunPython.noop),
    ]
