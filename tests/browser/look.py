"""Every page as a picture, at the widths of phones, a tablet both ways and desks, in light and
dark, and in every language on a phone and a desk, with a contact sheet: `make look`. Phones have
the typefaces of Android, the others those of Windows, where tests/browser/typefaces.py found them.

LOOK_ONLY    only pages whose names begin so, separated by commas
LOOK_WAYS    only ways whose names begin so ("1440-light", "360"), separated by commas
"""

import os
from html import escape
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from tests.browser.pages import PAGES, Shown
from tests.browser.seeds import Seeds
from tests.browser.survey import open_context, show

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Ignored by git.
FOLDER = Path(__file__).parents[2] / "var" / "look"

#: Widths, and how high the window is there; pictures are as high as their page.
SIZES = {360: 780, 390: 844, 768: 1024, 1180: 820, 1440: 900, 1920: 1080}
#: What is less wide is a phone.
PHONE = 768
#: The desk at which every language is looked at.
DESK = 1440
#: A page is cut off below so many pixels.
HIGHEST = 6_000


class Way(NamedTuple):
    """A way to look at every page."""

    width: int
    colours: str
    language: str

    @property
    def name(self) -> str:
        return "-".join(map(str, self))


def ways() -> list[Way]:
    """Each width in light and dark, in English; a phone and a desk in every other language."""
    first = settings.LANGUAGE_CODE
    plain = [Way(width, colours, first) for colours in ("light", "dark") for width in SIZES]
    others = [code for code, _ in settings.LANGUAGES if code != first]
    every = plain + [Way(width, "light", code) for code in others for width in (min(SIZES), DESK)]
    beginnings = asked("LOOK_WAYS")
    return [way for way in every if not beginnings or way.name.startswith(beginnings)]


def wanted() -> list[Shown]:
    beginnings = asked("LOOK_ONLY")
    return [page for page in PAGES if not beginnings or page.name.startswith(beginnings)]


def asked(variable: str) -> tuple[str, ...]:
    """What an environment variable names, separated by commas."""
    return tuple(filter(None, os.environ.get(variable, "").split(",")))


def file_of(page: Shown, way: Way) -> str:
    return f"{page.name}-{way.name}.png"


def test_look_at_every_page(
    chromium: Browser, machines: dict[str, Browser], live_server: object
) -> None:
    """No test but a camera, which says what doesn't fit; it fails where a page cannot be shown."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    seeds = Seeds()
    for way in ways():
        machine = "android" if way.width < PHONE else "windows"
        photograph(machines.get(machine, chromium), str(live_server), seeds, way)
    (FOLDER / "index.html").write_text(contact_sheet(), encoding="utf-8")
    print(f"\nPictures of {len(wanted())} pages: {FOLDER / 'index.html'}")


def photograph(chromium: Browser, url: str, seeds: Seeds, way: Way) -> None:
    size = {"width": way.width, "height": SIZES[way.width]}
    phone = way.width < PHONE
    context = open_context(
        chromium,
        url,
        seeds,
        viewport=size,
        color_scheme=way.colours,
        has_touch=phone,
        is_mobile=phone,
    )
    context.add_cookies([{"name": "django_language", "value": way.language, "url": url}])
    page = context.new_page()
    for shown in wanted():
        show(page, shown, seeds)
        for unfit in page.evaluate("looking.unfit()"):
            print(f"{shown.name} {way.name}: {unfit}")
        height = min(page.evaluate("document.documentElement.scrollHeight"), HIGHEST)
        clip = {"x": 0, "y": 0, "width": way.width, "height": height}
        page.screenshot(path=FOLDER / file_of(shown, way), full_page=True, clip=clip)  # type: ignore[arg-type]
    context.close()


def contact_sheet() -> str:
    """A page with all pictures: a row for each page, small, each a link to itself."""
    rows = "".join(_row(page) for page in wanted())
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>All pages</title>
<style>body {{ font: 16px sans-serif }} div {{ display: flex; gap: 8px; align-items: start }}
img {{ height: 340px; width: auto; max-width: 420px; object-fit: cover; object-position: top;
border: 1px solid #999 }}</style><h1>All pages</h1>{rows}</html>
"""


def _row(page: Shown) -> str:
    pictures = "".join(
        f'<a href="{file_of(page, way)}" title="{way.name}">'
        f'<img loading="lazy" src="{file_of(page, way)}" alt="{way.name}"></a>'
        for way in ways()
    )
    address = escape(page.address)
    return f'<h2 id="{page.name}">{page.name} <small>{address}</small></h2><div>{pictures}</div>'
