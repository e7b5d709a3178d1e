"""Forms and JSON become acts here: what buttons send, as fields with names, as frozen values."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache

from django.utils.translation import gettext as _

from armybuilder import acts
from armybuilder.acts.base import Act, Fields
from armybuilder.loading.problems import Refusal

#: Acts whose buttons name the unit, where its form is that of the whole list.
OF_A_UNIT = ("more", "fewer", "remove", "duplicate")
#: Acts whose buttons name an option and one thing more, and the field that takes this.
MORE_SAID = {"option-number": "number", "put-on": "piece"}


def fields_of(form: Mapping[str, object]) -> dict[str, str]:
    """Return the form's fields by name. Some buttons say more: the unit to add, what the act is
    about ("role:reserve", "option:horse/barding", "more:u3"), and one thing more
    ("put-on:rune:lance").
    """
    fields = {key: value for key, value in form.items() if isinstance(value, str)}
    fields["act"], __, what = fields.get("act", "").partition(":")
    if what and fields["act"] in MORE_SAID:
        fields["option"], __, fields[MORE_SAID[fields["act"]]] = what.partition(":")
    elif what and fields["act"] in OF_A_UNIT:
        fields["unit"] = what
    elif what:
        fields[fields["act"]] = what
    if ref := fields.pop("add", ""):
        fields |= {"act": "add", "ref": ref}
    return fields


def decode(fields: Fields) -> Act:
    """Return the act that `act` names, of the other fields. Raises Refusal: there is none such."""
    kind = act_kinds().get(fields.get("act", ""))
    if kind is None:
        raise Refusal(_("The page asked for something the app cannot do."))
    return kind.read(fields)


@cache
def act_kinds() -> dict[str, type[Act]]:
    """Return every act by its name in forms, found in the modules of this package."""
    for module in pkgutil.iter_modules(acts.__path__):
        importlib.import_module(f"{acts.__name__}.{module.name}")
    return {kind.name: kind for kind in _below(Act) if kind.name}


def _below(kind: type[Act]) -> Iterator[type[Act]]:
    # A class with slots appears twice while dataclass rebuilds it; the later one counts.
    for inner in kind.__subclasses__():
        yield inner
        yield from _below(inner)
