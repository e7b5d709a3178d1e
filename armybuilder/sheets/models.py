"""The table of print set-ups, which is described beside that of print jobs."""

from armybuilder.lists.print_models import PrintSetup

__all__ = ["PrintSetup"]
