from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('lists', '0008_built_for_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='version',
            name='act_key',
            field=models.CharField(blank=True, max_length=32, null=True),
        ),
    ]
