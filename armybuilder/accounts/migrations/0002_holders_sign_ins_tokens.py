from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
import django.db.models.deletion
import django.utils.timezone

import armybuilder.accounts.holders


def give_holders(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A holder of their own to everybody who has an account already."""
    users = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    for user in users.filter(holder=None).iterator():
        user.holder = armybuilder.accounts.holders.random_holder()
        user.save(update_fields=["holder"])


def make_attempts_table(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The table of the default cache, which no model describes."""
    database = schema_editor.connection.alias
    call_command("createcachetable", "attempts", database=database, verbosity=0)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='holder',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.RunPython(give_holders, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='user',
            name='holder',
            field=models.CharField(default=armybuilder.accounts.holders.random_holder, editable=False, max_length=64, unique=True),
        ),
        migrations.CreateModel(
            name='SignIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_key', models.CharField(max_length=40, unique=True)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_ins', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created', models.DateTimeField(default=django.utils.timezone.now)),
                ('used', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunPython(make_attempts_table, migrations.RunPython.noop),
    ]
