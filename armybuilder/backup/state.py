"""The one list of data that a site must not lose; everything else can be made again.

Backups hold it with the secret key, `restore --verify` compares it, all machines of a site share it
(`check_secret_key`), and docs/operating.md names each part.
"""

import hmac
import logging
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError

from armybuilder.housekeeping.models import SecretMark

logger = logging.getLogger(__name__)

#: Apps whose tables hold what people have made; `certificates` has the keys that sign.
APPS = (
    *("accounts", "books", "packs", "lists", "sharing", "events", "certificates", "printing"),
    *("uploads", "games", "playing", "collection"),
)
#: Storages of files of people.
STORAGES = ("default", "prints", "games")


def secret_keys() -> list[str]:
    """Return the secret key and the former ones whose signatures are still accepted."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def check_secret_key(accept: bool = False) -> None:
    """Remember the secret key in the database, by a mark that does not give it away.

    Raises ImproperlyConfigured where the site was last started with one that is not known here,
    unless the new one is to be accepted.
    """
    marks = [hmac.digest(key.encode(), b"mark", "sha256").hex() for key in secret_keys()]
    known = SecretMark.objects.order_by("pk").first()
    if known is None:
        SecretMark.objects.create(mark=marks[0])
    elif known.mark in marks or accept:
        if known.mark != marks[0]:
            known.change(mark=marks[0])
    else:
        raise ImproperlyConfigured(
            "This database belongs to a site with another SECRET_KEY: every machine needs the same"
            " one, in its environment or as the file secret_key, or the former one in"
            " SECRET_KEY_FALLBACKS. If it is lost, run manage.py accept_secret_key."
        )


def check_start() -> None:
    """End this process with a sentence where the database is of a site with another secret key.

    Where the database does not answer, go on: processes wait for it.
    """
    try:
        check_secret_key()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except DatabaseError as error:
        logger.warning("the secret key is not compared with the database's: %s", error)
