"""The typefaces of other machines, for a Chromium that knows those alone; with --install gets them.

They come from Debian's packages, which are unpacked under var/ and not installed: no root needed.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

#: What draws rows and figures, and names until our own typeface has come. Open Sans is as wide as
#: the Segoe UI of Windows.
MACHINES = {"android": ("Roboto", "Noto Serif"), "windows": ("Open Sans", "Liberation Serif")}
PACKAGES = ("fonts-roboto-unhinted", "fonts-noto-core", "fonts-open-sans", "fonts-liberation")
FOLDER = Path(__file__).parents[2] / "var" / "typefaces"
CONF = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir prefix="relative">.</dir><cachedir>{}</cachedir>{}</fontconfig>
"""
PREFERRED = (
    '<match target="pattern"><test name="family"><string>{}</string></test><edit name="family"'
    ' mode="prepend" binding="strong"><string>{}</string></edit></match>'
)


def environment_of(machine: str) -> dict[str, str] | None:
    """Return the environment of a program that has a machine's typefaces alone, or None where they
    aren't at hand.
    """
    conf = FOLDER / machine / "fonts.conf"
    return {**os.environ, "FONTCONFIG_FILE": str(conf)} if conf.exists() else None


def keep(machine: str, unpacked: Path) -> None:
    """Keep the typefaces of a machine, of all those that were unpacked."""
    folder = FOLDER / machine
    folder.mkdir(parents=True, exist_ok=True)
    sans, serif = MACHINES[machine]
    for family in (sans, serif):
        for weight in ("Regular", "Bold"):
            name = f"{family.replace(' ', '')}-{weight}.ttf"
            (folder / name).write_bytes(next(unpacked.rglob(name)).read_bytes())
    pairs = (("system-ui", sans), ("sans-serif", sans), ("serif", serif))
    rules = "".join(PREFERRED.format(*pair) for pair in pairs)
    (folder / "fonts.conf").write_text(CONF.format(folder / "cache", rules))


def download(folder: str) -> bool:
    """Get the packages into a folder; whether they came."""
    done = subprocess.run(["apt-get", "download", "-qq", *PACKAGES], cwd=folder, check=False)
    return done.returncode == 0


def install() -> None:
    """Get the typefaces of all machines.

    Raises OSError or CalledProcessError without Debian's tools or packages.
    """
    with TemporaryDirectory() as folder:
        if not download(folder):
            subprocess.run(["apt-get", "update", "-qq"], check=True)
            if not download(folder):
                raise OSError("Debian has no such packages")
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, f"{folder}/unpacked"], check=True)
        for machine in MACHINES:
            keep(machine, Path(folder) / "unpacked")


if __name__ == "__main__" and "--install" in sys.argv and not all(map(environment_of, MACHINES)):
    try:
        install()
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"No typefaces of other machines, tests that need them are skipped: {why}")
