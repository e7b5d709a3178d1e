"""The sharing app: a frozen copy goes with the last link to it, however that went."""

from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.db.models.signals import post_delete

if TYPE_CHECKING:
    from armybuilder.sharing.models import Share


class SharingConfig(AppConfig):
    name = "armybuilder.sharing"
    label = "sharing"

    def ready(self) -> None:
        """Connect the signal: links are deleted with their list, and their copies follow."""
        post_delete.connect(_copy_may_go, sender="sharing.Share", dispatch_uid="sharing.copies")


def _copy_may_go(instance: "Share", **_signal: Any) -> None:
    from armybuilder.sharing.shared_lists import forget_copy

    if instance.frozen_id:
        forget_copy(instance.frozen_id)
