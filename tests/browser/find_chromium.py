"""Finds a Chromium for the browser tests; with --install gets the one that costs least.

That is its headless shell, which draws no windows: a page in it takes a third of the processor
time. Where there is none, an installed Chromium comes next, then one of Playwright's own.
"""

import glob
import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--accept-lang=en-US,en",  # else the shell makes a language of LANG that there is not
)


def of_playwright(pattern: str) -> str | None:
    """Path of the latest program among Playwright's own that fits, or None."""
    home = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", os.path.expanduser("~/.cache/ms-playwright"))
    return max(glob.glob(f"{home}/{pattern}"), default=None)


def find_shell() -> str | None:
    """Path of a headless shell on this machine, or None."""
    return shutil.which(SHELL) or of_playwright(
        "chromium_headless_shell-*/chrome-*/*headless*shell"
    )


def find_chromium() -> str | None:
    """Path of the Chromium on this machine that costs least, or None."""
    whole = next(filter(None, map(shutil.which, NAMES)), None)
    return find_shell() or whole or of_playwright("chromium-*/chrome-linux*/chrome")


def debian(*act: str) -> bool:
    """Have Debian's packages looked up or installed. Return whether that went well."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(["apt-get", "-qq", *act], check=False, env=quiet).returncode == 0


def install() -> None:
    """Get a headless shell: Debian's package, as root; without any Chromium, Playwright's own."""
    wanted = ("install", "-y", "--no-install-recommends", SHELL)
    if os.geteuid() == 0 and shutil.which("apt-get"):
        # Its lists of packages may be those of another day.
        if debian(*wanted) or (debian("update") and debian(*wanted)):
            return
        print(f"No {SHELL}: the browser tests take longer with a whole Chromium.")
    if find_chromium() is None:
        command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
        subprocess.run(command, check=False)


if __name__ == "__main__":
    if "--install" in sys.argv and find_shell() is None:
        install()
    path = find_chromium()
    if path is None:
        sys.exit("No Chromium found: install one, then run make test again.")
    print(f"Browser tests use {path}")
