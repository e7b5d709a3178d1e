"""Events that are the rounds of a league."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0011_checked_by_people'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='league',
            field=models.UUIDField(blank=True, db_index=True, editable=False, null=True),
        ),
    ]
