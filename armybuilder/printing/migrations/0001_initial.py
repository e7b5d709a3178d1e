"""Print set-ups and print jobs. Databases made before this app have both tables under other names:
jobs with the lists (see `lists.0005`), set-ups as `sheets_printsetup`.
"""

import uuid

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

FORMER = "sheets_printsetup"


def take_over_set_ups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rename the table of set-ups where there is one, else create it."""
    setup = apps.get_model("printing", "PrintSetup")
    if FORMER in schema_editor.connection.introspection.table_names():
        schema_editor.alter_db_table(setup, FORMER, setup._meta.db_table)
    else:
        schema_editor.create_model(setup)


def remove_set_ups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.delete_model(apps.get_model("printing", "PrintSetup"))


class Migration(migrations.Migration):
    initial = True

    dependencies = [("lists", "0005_print_jobs_leave")]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.CreateModel(
                name="PrintSetup",
                fields=[
                    ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                    ("holder", models.CharField(max_length=64)),
                    ("name", models.CharField(max_length=60)),
                    ("fields", models.JSONField(blank=True, default=dict)),
                    ("usual", models.BooleanField(default=False)),
                    ("created", models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=["holder", "name"], name="one_setup_per_name"),
                        models.UniqueConstraint(condition=models.Q(("usual", True)), fields=("holder",), name="one_usual_setup"),
                    ],
                },
            ),
            migrations.CreateModel(
                name="PrintJob",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("holder", models.CharField(db_index=True, max_length=64)),
                    ("lists", models.JSONField(default=list)),
                    ("setup", models.JSONField(blank=True, default=dict)),
                    ("zipped", models.BooleanField(default=False)),
                    ("language", models.CharField(default="en", max_length=12)),
                    ("state", models.CharField(choices=[("planned", "Planned"), ("waiting", "Waiting"), ("working", "Working"), ("done", "Done"), ("cancelled", "Cancelled"), ("failed", "Failed")], db_index=True, default="planned", max_length=10)),
                    ("done", models.PositiveIntegerField(default=0)),
                    ("pages", models.PositiveIntegerField(default=0)),
                    ("size", models.PositiveBigIntegerField(default=0)),
                    ("troubles", models.JSONField(blank=True, default=list)),
                    ("created", models.DateTimeField(auto_now_add=True, db_index=True)),
                    ("moved", models.DateTimeField(blank=True, null=True)),
                ],
            ),
        ]),
        migrations.RunPython(take_over_set_ups, remove_set_ups),
    ]
