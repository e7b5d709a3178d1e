from django.db import migrations, models

import armybuilder.sharing.models


class Migration(migrations.Migration):

    dependencies = [
        ('sharing', '0002_pins_of_frozen_copies'),
    ]

    operations = [
        # What names a copy is no longer the hash of its document, though that of old copies is.
        migrations.RenameField(model_name='frozen', old_name='hash', new_name='id'),
        migrations.AlterField(
            model_name='frozen',
            name='id',
            field=models.CharField(default=armybuilder.sharing.models.new_key, editable=False, max_length=64, primary_key=True, serialize=False),
        ),
        migrations.AddField(
            model_name='frozen',
            name='hash',
            field=models.CharField(db_default='', editable=False, max_length=64),
        ),
        # An index of its own name: PostgreSQL's for the old key is still called after the column.
        migrations.AddIndex(
            model_name='frozen',
            index=models.Index(fields=['hash'], name='frozen_by_hash'),
        ),
        migrations.AddField(
            model_name='frozen',
            name='salt',
            field=models.CharField(db_default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='share',
            name='token',
            field=models.CharField(db_default='', editable=False, max_length=43),
        ),
    ]
