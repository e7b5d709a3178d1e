from datetime import timedelta

from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone


def end_tokens(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Tokens that were made without an end have one in a year."""
    tokens = apps.get_model("accounts", "Token").objects.using(schema_editor.connection.alias)
    tokens.filter(ends=None).update(ends=timezone.now() + timedelta(days=365))


def shorten_sessions(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Who is signed in is so for five years, and from now on no longer than the settings say."""
    database = schema_editor.connection.alias
    latest = timezone.now() + timedelta(seconds=settings.ACCOUNT_SESSION_COOKIE_AGE)
    sign_ins = apps.get_model("accounts", "SignIn").objects.using(database)
    sessions = apps.get_model("sessions", "Session").objects.using(database)
    signed_in = sessions.filter(session_key__in=sign_ins.values("session_key"))
    signed_in.filter(expire_date__gt=latest).update(expire_date=latest)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_holders_sign_ins_tokens'),
        ('sessions', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='token',
            name='scope',
            field=models.CharField(choices=[('read', 'Read'), ('write', 'Write')], db_default='write', max_length=5),
        ),
        migrations.AddField(
            model_name='token',
            name='ends',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(end_tokens, migrations.RunPython.noop),
        migrations.RunPython(shorten_sessions, migrations.RunPython.noop),
    ]
