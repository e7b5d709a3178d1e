"""Labels of versions, which players find again: no change of the list, but never pruned."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.lists.models import Version
from armybuilder.lists.selectors import lock
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.printable import one_line

#: Letters of a label, and labelled versions of one list.
MAX_LABEL = 60
MOST_LABELS = 100


def set_label(holder: str, list_id: UUID, version_key: int, label: str) -> Version:
    """Label a version, named by its primary key; "" takes the label away.

    Raises Http404 where the holder has no such list, Refusal where the version is gone, the label
    is too long, or the list has too many.
    """
    label = one_line(label)
    if len(label) > MAX_LABEL:
        raise Refusal(_("A label has at most {most} characters.").format(most=MAX_LABEL))
    with transaction.atomic():
        current = lock(holder, list_id)
        versions = Version.objects.filter(army_list_id=current.army_list_id)
        version = versions.filter(pk=version_key).first()
        if version is None:
            raise Refusal(_("That version of the list is gone."))
        if label and versions.exclude(label="").exclude(pk=version_key).count() >= MOST_LABELS:
            said = _("This list already has {most} labelled versions: remove a label first.")
            raise Refusal(said.format(most=MOST_LABELS))
        version.label = label
        version.save(update_fields=["label"])
        return version


def labelled(list_id: UUID) -> list[tuple[int, str]]:
    """Return the labelled versions of a list, the latest first: their numbers and labels."""
    versions = Version.objects.filter(army_list_id=list_id).exclude(label="")
    return list(versions.order_by("-number").values_list("number", "label"))
