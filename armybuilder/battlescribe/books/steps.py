"""What games have that books cannot say yet, by the steps of docs/games-from-files.md."""

from typing import Final

_WHERE: Final = "of docs/games-from-files.md"
MODELS: Final = f"step 3 {_WHERE}"
COSTS: Final = f"step 4 {_WHERE}"
FORCES: Final = f"step 6 {_WHERE}"
