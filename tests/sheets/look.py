"""Every kind of sheet as pictures, one list for each game, with a contact sheet: `make look`."""

from html import escape
from pathlib import Path

from django.conf import settings

from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.printing.printouts import Printout, print_list
from tests.sheets.papers import GAMES, example, material, setup

#: Ignored by git.
FOLDER = Path(settings.BASE_DIR) / "var" / "look" / "print"


def test_look_at_every_kind_of_sheet() -> None:
    """No test but a camera; it fails where a sheet cannot be printed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = [_row(game, kind) for game in GAMES for kind in KINDS]
    (FOLDER / "index.html").write_text(contact_sheet(rows), encoding="utf-8")
    print(f"\nPictures of {len(rows)} sheets: {FOLDER / 'index.html'}")


def _row(game: str, kind: str) -> str:
    """Print one kind of sheet of the game's list; its heading and pictures as HTML."""
    fields = {"backs": "1", "portraits": "1"} if kind == "cards" else {}
    chosen = setup(kinds=kind, colour="1", **fields)
    name = f"{game}-{kind}"
    made = Printout(print_list(material(example(GAMES[game])), chosen), name, chosen)
    (FOLDER / f"{name}.pdf").write_bytes(made.content)
    pictures = ""
    for number in range(1, len(made.sizes) + 1):
        file = f"{name}-{number}.png"
        (FOLDER / file).write_bytes(made.picture(number))
        pictures += f'<a href="{file}"><img loading="lazy" src="{file}" alt="{file}"></a>'
    return f'<h2><a href="{name}.pdf">{escape(name)}</a></h2><div>{pictures}</div>'


def contact_sheet(rows: list[str]) -> str:
    """A page with all pictures: a row for each sheet, small, each a link to itself."""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>All sheets</title>
<style>body {{ font: 16px sans-serif }} div {{ display: flex; gap: 8px; align-items: start }}
img {{ height: 420px; border: 1px solid #999 }}</style><h1>All sheets</h1>{"".join(rows)}</html>
"""
