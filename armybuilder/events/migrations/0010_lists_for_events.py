"""Lists that are built for events."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0009_told_players'),
        ('lists', '0008_built_for_events'),
    ]

    operations = [
        migrations.CreateModel(
            name='EventList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.PositiveSmallIntegerField(default=1)),
                ('army_list', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='lists.armylist')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lists', to='events.event')),
            ],
            options={
                'abstract': False,
            },
        ),
    ]
