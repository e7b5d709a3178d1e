"""What is known of each list of a database, to tell whether a copy has it all."""

import hashlib
import logging
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import F
from django.utils import translation

from armybuilder.exchange.report_data import report_data
from armybuilder.lists.models import Version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical_json, hash_of, judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

logger = logging.getLogger(__name__)

#: Lists that are read at once.
_AT_ONCE = 200


def row_counts(database: str) -> dict[str, int]:
    """How many rows each table has, by the model's name; `database` is Django's name for one."""
    return {
        model._meta.label: model._default_manager.using(database).count()
        for model in apps.get_models()
        if model._meta.managed and not model._meta.proxy
    }


def fingerprints(database: str, judged: bool) -> Iterator[dict[str, Any]]:
    """Of each list its id, the number of the current version, and the hash of that; where they are
    to be judged, the hash of the verdict, too.
    """
    current = Version.objects.using(database).filter(number=F("army_list__number"))
    for version in current.order_by("army_list_id").iterator(_AT_ONCE):
        told = {
            "list": str(version.army_list_id),
            "number": version.number,
            "hash": hash_of(version.document),
        }
        if judged:
            told["verdict"] = _verdict(version.document)
        yield told


def _verdict(document: ArmyList) -> str:
    """The hash of all that is found about a list, in English; or why nothing is."""
    with translation.override("en"):
        try:
            found = report_data(judge(document, shipped_library()).report)
        except Refusal as refusal:
            return f"refused: {refusal.sentence}"
        except Exception as error:
            # One list that cannot be judged is no reason to have no copy of the others.
            logger.exception("a list cannot be judged")
            return f"failed: {type(error).__name__}"
    return hashlib.sha256(canonical_json(found)).hexdigest()
