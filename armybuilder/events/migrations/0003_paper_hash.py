from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("events", "0002_further_lists")]

    operations = [
        migrations.AddField(
            "submission", "paper_hash", models.CharField(blank=True, default="", max_length=64)
        ),
    ]
