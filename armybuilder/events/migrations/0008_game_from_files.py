"""Events that are played by the files of a game."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0007_rounds_and_people"),
        ("games", "0002_surveyed"),
    ]

    operations = [
        migrations.AddField(
            model_name="event",
            name="game",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="events",
                to="games.game",
            ),
        ),
    ]
