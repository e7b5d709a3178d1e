from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("uploads", "0002_seconds"),
    ]

    operations = [
        migrations.AddField(
            model_name="upload",
            name="due",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
