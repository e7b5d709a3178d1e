"""Run the guards: what holds for all code of the project. `python -m tests.guards [NAME ...]`

Exit 0 where all hold; 1 with every violation, its file and the law.
"""

import os
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter

from tests.guards.code import GUARDS


def main(names: list[str]) -> int:
    """Run all guards, or those named, and print what they find. Return the exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    for file in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        import_module(f"tests.guards.{file.stem}")
    begun = perf_counter()
    broken = 0
    for name in names or GUARDS:
        violations = list(GUARDS[name]())
        broken += bool(violations)
        if violations:
            print(f"\n{name}: {(GUARDS[name].__doc__ or '').strip()}")
            print(*(f"  {violation}" for violation in violations), sep="\n")
    checked = len(names or GUARDS)
    print(f"{checked} guards, {broken} broken ({perf_counter() - begun:.1f} s)")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
