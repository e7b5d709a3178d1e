"""Roles of players in their teams."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0012_leagues'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='role',
            field=models.CharField(blank=True, default='', max_length=80),
        ),
    ]
