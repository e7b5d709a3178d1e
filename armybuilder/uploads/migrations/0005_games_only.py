from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils.translation import gettext, override


def end_reports_of_books(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let what was found as books, and is not saved, be uploaded again: games stay as files now."""
    uploads = apps.get_model("uploads", "Upload").objects.using(schema_editor.connection.alias)
    for upload in uploads.filter(state="done"):
        if "whole" in (upload.report or {}):
            upload.report["source"] = (upload.found or {}).get("source", "")
        else:
            with override(upload.language):
                upload.refused = gettext("The files are no longer here. Upload them again.")
            upload.state, upload.report = "failed", None
        upload.save(update_fields=["state", "report", "refused"])


class Migration(migrations.Migration):

    dependencies = [
        ("uploads", "0004_address"),
    ]

    operations = [
        migrations.RunPython(end_reports_of_books, migrations.RunPython.noop),
        # The columns stay while a version before this one may still write to them.
        migrations.AlterField(
            model_name="upload",
            name="game",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField(model_name="upload", name="game"),
                migrations.RemoveField(model_name="upload", name="found"),
            ],
        ),
    ]
