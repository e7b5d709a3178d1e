from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("printing", "0004_seconds"),
    ]

    operations = [
        migrations.AddField(
            model_name="printjob",
            name="due",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
