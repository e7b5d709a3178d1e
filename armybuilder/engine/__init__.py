"""The rules engine: whether a roster is legal, why not, and what units and options may be added.

Standard library only. No Django, no files, no clock: everything comes in as frozen
objects built by `armybuilder.loading`. Start reading at `validate.py`.
"""

from armybuilder.engine.choices import Choice, choices
from armybuilder.engine.citations import Severity
from armybuilder.engine.report import Report
from armybuilder.engine.rules import Finding
from armybuilder.engine.validate import validate

__all__ = ["Choice", "Finding", "Report", "Severity", "choices", "validate"]
