from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("housekeeping", "0001_visits")]

    operations = [
        migrations.CreateModel(
            name="SecretMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("mark", models.CharField(max_length=64)),
            ],
            options={"abstract": False},
        ),
    ]
