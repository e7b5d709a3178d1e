"""Table of owned models."""

from django.core.validators import MaxValueValidator
from django.db import models

from armybuilder.tables import NamedTable

#: Models of one unit, and letters of a note.
MAX_NUMBER, MAX_NOTE = 9_999, 200


class OwnedUnit(NamedTable):
    """Models of a unit that a holder owns: of the book and unit in `ref` ("book/unit").

    `game`: its family, or its id, as its editions are played with the same models. `painted`: how
    many of them are, None where that is not kept. `name`: as the unit was called when somebody last
    named it, for books that are gone.
    """

    holder = models.CharField(max_length=64)
    game = models.CharField(max_length=80)
    ref = models.CharField(max_length=200)
    name = models.CharField(max_length=200)
    number = models.PositiveIntegerField(validators=[MaxValueValidator(MAX_NUMBER)])
    painted = models.PositiveIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(MAX_NUMBER)]
    )
    note = models.CharField(max_length=MAX_NOTE, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["holder", "game", "ref"], name="one_row_per_owned_unit")
        ]
