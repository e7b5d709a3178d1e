"""Keep the keys of certificates in the database; those of the file that had them before go in."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import migrations, models

from armybuilder.environment import text


def take_in(apps: Any, schema_editor: Any) -> None:
    file = Path(text("CERTIFICATE_KEYS") or settings.VAR_DIR / "certificate_keys.json")
    if file.exists():
        keys = apps.get_model("certificates", "SigningKey").objects.using(schema_editor.connection.alias)
        keys.bulk_create(keys.model(**key) for key in json.loads(file.read_bytes())["keys"])


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="SigningKey",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kid", models.CharField(max_length=12, unique=True)),
                ("jwk", models.JSONField()),
                ("made", models.BigIntegerField()),
                ("until", models.BigIntegerField(null=True)),
                ("revoked", models.BigIntegerField(null=True)),
                ("reason", models.TextField()),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.RunPython(take_in, migrations.RunPython.noop),
    ]
