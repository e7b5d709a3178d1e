"""`make licences`: the licence of everything that is installed, and what is known against it.

Ends with 1 where a package has a known weakness, 2 where nobody could be asked about that.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "deploy/requirements.txt"
#: Licences that a program under MIT may ship with; others want to be looked at.
FREE = (
    *("MIT", "BSD", "Apache", "PSF", "Python Software", "ISC", "MPL", "LGPL", "HPND", "CC0"),
    *("CC-BY", "ZPL", "Unlicense"),
)


def main() -> int:
    """Print both lists."""
    run = [sys.executable, "-m"]
    listed = subprocess.run(
        [*run, "piplicenses", "--from=mixed", "--format=json"], capture_output=True, check=True
    )
    for package in sorted(json.loads(listed.stdout), key=lambda one: one["Name"].lower()):
        licence = " ".join(package["License"].split())[:60]
        mark = "" if any(word in licence for word in FREE) else "  <- look at it"
        print(f"{package['Name']:32} {package['Version']:18} {licence}{mark}")
    return advisories([*run, "pip_audit", "--requirement", str(LOCK), "--disable-pip"])


def advisories(command: list[str]) -> int:
    """Tell what is known against what is locked; the exit code."""
    try:
        done = subprocess.run(
            [*command, "--format=json", "--progress-spinner=off"],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        found = json.loads(done.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError, subprocess.TimeoutExpired):
        print("\nAdvisories: the source could not be reached. NOTHING is known about weaknesses.")
        return 2
    asked = [one for one in found if "skip_reason" not in one]
    weak = [one for one in asked if one["vulns"]]
    print(f"\nAdvisories: {len(weak)} of {len(asked)} packages have known weaknesses.")
    for one in weak:
        for known in one["vulns"]:
            mended = ", ".join(known["fix_versions"]) or "none yet"
            print(f"  {one['name']} {one['version']}: {known['id']} (mended in: {mended})")
    if len(asked) < len(found):
        reason = next(one["skip_reason"] for one in found if "skip_reason" in one)
        print(f"NOTHING is known about the other {len(found) - len(asked)}: {reason}")
    if weak:
        return 1
    return 2 if len(asked) < len(found) else 0


if __name__ == "__main__":
    sys.exit(main())
