"""Room that the lists and packs of events take: it counts to the account that owns the event."""

from django.conf import settings
from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder.events.models import Event, Staff
from armybuilder.events.rules import StaffRole
from armybuilder.loading.problems import Refusal


def take_room(event: Event, number: int) -> None:
    """Count bytes to a locked event. Raises Refusal if its owner has no room."""
    owners = Staff.objects.filter(event=event, role=StaffRole.OWNER).exclude(holder="")
    owned = Staff.objects.filter(role=StaffRole.OWNER, holder__in=owners.values("holder"))
    others = Event.objects.filter(pk__in=owned.values("event")).exclude(pk=event.pk)
    used = event.size + (others.aggregate(all=Sum("size"))["all"] or 0)
    if used + number > settings.EVENTS_BYTES:
        sentence = _(
            "This organiser’s events use all {most} MB. The organiser can delete an ended "
            "event, or ask this site’s operator for more room."
        )
        raise Refusal(sentence.format(most=settings.EVENTS_BYTES // 1_000_000))
    event.change(size=event.size + number)
