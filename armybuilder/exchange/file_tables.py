"""A list of a game from files as a table (CSV): a row for each unit, with all its costs."""

import csv
import io
from collections.abc import Iterator

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.showing import number_text
from armybuilder.battlescribe.files.view import ListView
from armybuilder.exchange.csvs import safe_text


def write_file_csv(view: ListView) -> str:
    """Return the table of a list; unlike a roster, it can't be read back."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(map(safe_text, row) for row in _rows(view))
    return out.getvalue()


def _rows(view: ListView) -> Iterator[list[str]]:
    costs = [cost.name for cost in view.costs]
    head = _("Force"), _("Army book"), _("Category"), _("Unit"), _("Name"), _("Models")
    yield [*head, _("Contents"), *costs, _("Notes")]
    for force in view.all_forces:
        for group in force.groups:
            for unit in group.units:
                pick, prices = unit.pick, {cost.name: cost.number for cost in unit.costs}
                contents = ", ".join(one.words for one in pick.below)
                place = force.own or force.name, force.book, group.name
                what = pick.name, pick.own, str(pick.models or ""), contents
                amounts = (number_text(prices.get(name, 0)) for name in costs)
                yield [*place, *what, *amounts, pick.notes]
