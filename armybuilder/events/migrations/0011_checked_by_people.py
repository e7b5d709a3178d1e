"""What people have checked of what the program cannot."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0010_lists_for_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='checked',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.CreateModel(
            name='BookCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('books', models.CharField(max_length=400)),
                ('mark', models.CharField(max_length=16)),
                ('by', models.CharField(max_length=80)),
                ('at', models.DateTimeField()),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.event')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('event', 'books', 'mark'), name='one_check_per_book')],
            },
        ),
    ]
