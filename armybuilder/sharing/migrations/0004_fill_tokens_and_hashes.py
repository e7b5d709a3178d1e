import base64
import hashlib

from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models import F, Min
from django.utils.crypto import salted_hmac

import armybuilder.sharing.models


def name_hashes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Old copies are named by their hash."""
    copies = apps.get_model("sharing", "Frozen").objects.using(schema_editor.connection.alias)
    copies.filter(hash="").update(hash=F("id"))


def part_copies(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Where several lists had one copy, each but the first gets its own, made when its first link
    to it was.
    """
    database = schema_editor.connection.alias
    shares = apps.get_model("sharing", "Share").objects.using(database)
    copies = apps.get_model("sharing", "Frozen").objects.using(database)
    lists = shares.exclude(frozen=None).values("frozen_id", "army_list_id")
    first: set[str] = set()
    for found in list(lists.annotate(since=Min("created")).order_by("since")):
        frozen_id = found["frozen_id"]
        if frozen_id not in first:
            first.add(frozen_id)
            continue
        links = shares.filter(frozen_id=frozen_id, army_list_id=found["army_list_id"])
        copy = copies.get(pk=frozen_id)
        copy.pk = armybuilder.sharing.models.new_key()
        copy.save(force_insert=True)
        copies.filter(pk=copy.pk).update(made=found["since"])
        links.update(frozen_id=copy.pk)


def keep_tokens(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The tokens of links, which were worked out from the secret key until now; as far as one of
    the keys that are known gives the one whose digest is kept.
    """
    links = apps.get_model("sharing", "Share").objects.using(schema_editor.connection.alias)
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    for link in links.filter(token="").only("pk", "digest").iterator():
        for key in keys:
            mac = salted_hmac("armybuilder.sharing", link.pk.hex, secret=key, algorithm="sha256")
            token = base64.urlsafe_b64encode(mac.digest()).decode().rstrip("=")
            if hashlib.sha256(token.encode()).hexdigest() == link.digest:
                links.filter(pk=link.pk).update(token=token)
                break


class Migration(migrations.Migration):

    dependencies = [
        ('sharing', '0003_copies_of_each_list'),
    ]

    operations = [
        migrations.RunPython(name_hashes, migrations.RunPython.noop),
        migrations.RunPython(part_copies, migrations.RunPython.noop),
        migrations.RunPython(keep_tokens, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='frozen',
            name='salt',
            field=models.CharField(db_default='', default=armybuilder.sharing.models.new_key, editable=False, max_length=32),
        ),
    ]
