"""The forms of events: what an organiser says of one, a pack of its own, an entry."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.events.clock import LocalTime, Times, read_local, time_names, zone_names, zone_of
from armybuilder.events.ledger import ladder_text, read_ladder
from armybuilder.events.models import Event
from armybuilder.events.organising import About
from armybuilder.events.seeing import Audience, Rules
from armybuilder.loading.problems import Refusal

#: How a moment stands in a field of the browser's own.
_FIELD = "%Y-%m-%dT%H:%M"
AUDIENCES = {
    Audience.STAFF: _lazy("the staff only"),
    Audience.OPPONENTS: _lazy("opponents, once they are paired"),
    Audience.ENTRANTS: _lazy("everybody who has entered"),
    Audience.PUBLIC: _lazy("everybody who has the address"),
}


class EventForm(forms.Form):
    """What an organiser says of an event. Times are those of its place."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))
    about = forms.CharField(
        max_length=4000, required=False, label=_lazy("About"), widget=forms.Textarea({"rows": 4})
    )
    place = forms.CharField(max_length=200, required=False, label=_lazy("Place"))
    zone = forms.CharField(
        max_length=64,
        label=_lazy("Time zone"),
        help_text=_lazy("All times are those of this place, such as Europe/Berlin."),
        widget=forms.TextInput({"list": "zones", "data-own-zone": True}),
    )
    frozen = forms.CharField()
    due = forms.CharField()
    corrected = forms.CharField()
    revealed = forms.CharField()
    over = forms.CharField()
    grace = forms.IntegerField(
        min_value=0, max_value=1440, initial=0, label=_lazy("Minutes of grace after lists are due")
    )
    capacity = forms.IntegerField(
        min_value=0, max_value=5000, initial=0, label=_lazy("Most entries (0: any number)")
    )
    late_allowed = forms.BooleanField(
        required=False, label=_lazy("Take late lists until corrections are due, marked as late")
    )
    audience = forms.ChoiceField(
        choices=[(key.value, name) for key, name in AUDIENCES.items()],
        label=_lazy("Lists are shown to"),
        initial=Audience.ENTRANTS.value,
    )
    shows_all = forms.BooleanField(
        required=False, label=_lazy("Show full lists, with special items and all")
    )
    sealed = forms.BooleanField(
        required=False,
        label=_lazy("Sealed: until lists are shown, staff see only whether they are legal"),
    )
    staff_plays = forms.BooleanField(
        required=False, label=_lazy("Staff who play may see lists before they are shown")
    )
    ladder = forms.CharField(
        max_length=3000,
        required=False,
        label=_lazy("Penalties and bonuses"),
        help_text=_lazy("One a line, such as “Late list: -3”. Players read them."),
        widget=forms.Textarea({"rows": 3}),
    )

    def __init__(self, data: Any = None, event: Event | None = None) -> None:
        super().__init__(data, initial=_said_of(event) if event else {})
        for name, label in time_names().items():
            field = self.fields[name]
            field.label = label
            field.widget = forms.DateTimeInput({"type": "datetime-local"}, format=_FIELD)
            field.help_text = time_helps()[name]

    def clean_zone(self) -> str:
        """A zone that there is."""
        zone: str = self.cleaned_data["zone"].strip()
        try:
            zone_of(zone)
        except Refusal as refusal:
            raise forms.ValidationError(refusal.sentence) from refusal
        return zone

    def clean_ladder(self) -> dict[str, int]:
        """Points by reason."""
        try:
            return read_ladder(self.cleaned_data["ladder"])
        except Refusal as refusal:
            raise forms.ValidationError(refusal.sentence) from refusal

    def clean(self) -> dict[str, Any]:
        """Read the times as those of the zone; they must come in their order."""
        said = super().clean() or {}
        zone = said.get("zone")
        read: dict[str, LocalTime] = {}
        for name in time_names():
            if zone and said.get(name):
                try:
                    read[name] = read_local(said[name], zone)
                except Refusal as refusal:
                    self.add_error(name, refusal.sentence)
        if len(read) == len(time_names()) and "grace" in said:
            try:
                grace = timedelta(minutes=said["grace"])
                said["times"] = Times(**{k: v.moment for k, v in read.items()}, grace=grace)
            except Refusal as refusal:
                self.add_error(None, refusal.sentence)
        self.twice = [time_names()[name] for name, one in read.items() if one.twice]
        return said

    @property
    def about_event(self) -> About:
        """What was said, once the form is valid."""
        said = self.cleaned_data
        audience = Audience(said["audience"])
        rules = Rules(audience, said["shows_all"], said["sealed"], said["staff_plays"])
        return About(
            said["name"],
            said["about"],
            said["place"],
            said["zone"],
            said["times"],
            rules,
            said["capacity"],
            said["late_allowed"],
            said["ladder"],
        )


def _said_of(event: Event) -> dict[str, Any]:
    """Return what the form says of an event."""
    place = zone_of(event.zone)
    names = ("name", "about", "place", "zone", "capacity", "audience", "late_allowed")
    same = (*names, "shows_all", "sealed", "staff_plays")
    said = {name: getattr(event, name) for name in same}
    times = {
        name: getattr(event.times, name).astimezone(place).strftime(_FIELD) for name in time_names()
    }
    more = {"grace": event.grace_seconds // 60, "ladder": ladder_text(event.ladder)}
    return {**said, **times, **more}


def time_helps() -> dict[str, str]:
    """Return what each time means to players."""
    return {
        "frozen": _("Later changes of the pack need a reason."),
        "due": _("Until then players submit, and replace, their lists."),
        "corrected": _("Until then players correct lists that were returned."),
        "revealed": _("From then on lists are seen. The same for all of them."),
        "over": "",
    }


def zones() -> list[str]:
    """Return the names of all zones that are places, for the list to choose from."""
    return sorted(name for name in zone_names() if "/" in name and "Etc/" not in name)


class ChangeForm(EventForm):
    """What is said of an event that there is: of a sealed one also why its seal is broken."""

    reason = forms.CharField(
        max_length=200,
        required=False,
        label=_lazy("Why the seals are broken"),
        help_text=_lazy(
            "Needed once lists are in, to take “Sealed” away or to show lists sooner. "
            "Players read it."
        ),
    )

    def __init__(self, data: Any, event: Event) -> None:
        super().__init__(data, event)
        if not event.sealed:
            del self.fields["reason"]


class NewEventForm(EventForm):
    """What is said of a new event, and who organises it by which pack."""

    pack = forms.ChoiceField(label=_lazy("Event pack"))
    organiser = forms.CharField(
        max_length=80, label=_lazy("Your name"), help_text=_lazy("as players read it")
    )
    field_order = ("pack", "name", "organiser")

    def __init__(self, data: Any, packs: Iterable[tuple[str, str]], chosen: str) -> None:
        super().__init__(data)
        field = self.fields["pack"]
        field.choices = list(packs)  # type: ignore[attr-defined]  # a field of choices
        field.initial = chosen
        field.help_text = _("What lists must be. You can change it until rules are final.")


class EntryForm(forms.Form):
    """What a player says on entering."""

    name = forms.CharField(max_length=80, label=_lazy("Your name"))
    team = forms.CharField(max_length=80, required=False, label=_lazy("Team or club"))
    captain = forms.BooleanField(
        required=False,
        label=_lazy("I am the captain of the team"),
        help_text=_lazy(
            "A captain sees the lists of the team and can submit for all of it. Who enters first "
            "for a team can be; later the organisers name one."
        ),
    )
    email = forms.EmailField(
        required=False,
        label=_lazy("Email for receipts"),
        help_text=_lazy("It is removed 30 days after the event."),
    )

    @property
    def mistakes(self) -> list[str]:
        """What is wrong, in sentences."""
        return [str(error) for field in self for error in field.errors]


def twice_words(names: list[str]) -> str:
    """Return what is said of times that clocks show twice in their night; "" for none."""
    if not names:
        return ""
    said = _(
        "Clocks are put back that night, and this time comes twice: the first is meant. {names}"
    )
    return said.format(names=", ".join(names))
