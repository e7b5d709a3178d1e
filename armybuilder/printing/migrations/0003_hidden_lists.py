"""What set-ups and jobs called the opponent's sheet hid special items: it is the hidden list now."""

from typing import Any

from django.db import migrations


def rename(apps: Any, _schema_editor: object) -> None:
    for name, field in (("PrintSetup", "fields"), ("PrintJob", "setup")):
        model = apps.get_model("printing", name)
        for row in model.objects.iterator(chunk_size=200):
            fields = getattr(row, field)
            kinds = str(fields.get("kinds", "")).split(",")
            if "opponent" in kinds:
                told = ",".join("hidden" if kind == "opponent" else kind for kind in kinds)
                setattr(row, field, {**fields, "kinds": told})
                row.save(update_fields=[field])


class Migration(migrations.Migration):

    dependencies = [
        ("printing", "0002_queue"),
    ]

    operations = [
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
