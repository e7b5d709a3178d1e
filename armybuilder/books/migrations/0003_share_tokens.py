from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils.crypto import salted_hmac


def keep_tokens(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The tokens of shared books, which were worked out from the secret key until now."""
    books = apps.get_model("books", "OwnBook").objects.using(schema_editor.connection.alias)
    for book in books.filter(shared=True).only("pk", "share_number").iterator():
        value = f"{book.pk}:{book.share_number}"
        digest = salted_hmac("armybuilder.books.sharing", value, algorithm="sha256").hexdigest()
        books.filter(pk=book.pk).update(share_token=digest[:40])


class Migration(migrations.Migration):

    dependencies = [
        ('books', '0002_sizes'),
    ]

    operations = [
        migrations.AddField(
            model_name='ownbook',
            name='share_token',
            field=models.CharField(db_default='', default='', editable=False, max_length=40),
        ),
        migrations.RunPython(keep_tokens, migrations.RunPython.noop),
        # The column stays while a version before this one may still write to it.
        migrations.AlterField(
            model_name='ownbook',
            name='share_number',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='ownbook', name='share_number')],
        ),
    ]
