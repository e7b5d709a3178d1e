"""Sentences of the packages that sign people in, told better by our own translations: what stands
in our files goes before theirs.
"""

from armybuilder.engine.wording import marked

TOLD_BETTER = (
    marked("You must type the same password each time."),
    marked("This password is entirely numeric."),
)
