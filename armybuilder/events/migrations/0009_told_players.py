"""Players whom mails do not reach, and the digest of the staff."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0008_game_from_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='unreached',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='digest_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
