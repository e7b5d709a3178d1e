"""Finds a Chromium for the browser tests; with --install gets one where there is none.

In this order: the one that is installed, Playwright's own, Debian's package (as root).
"""

import glob
import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """Path of a Chromium on this machine, or None."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", os.path.expanduser("~/.cache/ms-playwright"))
    found = sorted(glob.glob(f"{home}/chromium-*/chrome-linux*/chrome"))
    return found[-1] if found else None


def install() -> str | None:
    """Get a Chromium, by Playwright or else by Debian's package; its path, or None."""
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if find_chromium() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False, env=quiet)
    return find_chromium()


if __name__ == "__main__":
    path = find_chromium() or (install() if "--install" in sys.argv else None)
    if path is None:
        sys.exit("No Chromium found: install one, then run make test again.")
    print(f"Browser tests use {path}")
