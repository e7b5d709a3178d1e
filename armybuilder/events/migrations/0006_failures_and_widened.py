from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0005_path_of_webhook_calls")]

    operations = [
        migrations.AddField("webhook", "failures", models.PositiveSmallIntegerField(default=0)),
        migrations.AlterField(
            "decision",
            "what",
            models.CharField(
                max_length=10,
                choices=[
                    ("accepted", "Accepted"),
                    ("returned", "Returned"),
                    ("unsealed", "Unsealed"),
                    ("widened", "Widened"),
                ],
            ),
        ),
    ]
