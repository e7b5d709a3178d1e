"""Scripts are modules: pages load those there are, which name what they need of each other."""

import re
from collections.abc import Iterator

from armybuilder.packing import modules_of
from tests.guards.code import ROOT, guard, templates

STATIC = ROOT / "armybuilder" / "static" / "armybuilder"
SCRIPTS = sorted(file.name for file in (STATIC / "js").glob("*.js"))
#: The scripts that are no modules: what a page waits for, and other people's.
CLASSIC = ["armybuilder/js.js", "vendor/idiomorph.min.js", "vendor/qr-decode.min.js"]

#: Scripts beside the folder of modules: what a page waits for, and the worker that saves pages.
OUTSIDE = {"js.js", "worker.js"}


@guard
def every_script_is_loaded() -> Iterator[str]:
    """Every module is loaded by some page; only the script that a page waits for is none."""
    pages = "\n".join(templates().values())
    loaded = [f"{name}.js" for name in re.findall(r'{% page_script "([\w-]+)" %}', pages)]
    loaded += re.findall(r"{% static 'armybuilder/js/([\w.-]+)' %}\" type=\"module\"", pages)
    reached = {module for name in loaded for module in modules_of(name, later=True)}
    yield from sorted(reached ^ set(SCRIPTS))
    classic = set(re.findall(r"<script src=\"{% static '(\S+)' %}\"(?! type=)", pages))
    yield from sorted(classic ^ set(CLASSIC))
    yield from (file.name for file in STATIC.glob("*.js") if file.name not in OUTSIDE)


@guard
def imports_are_written_plainly() -> Iterator[str]:
    """Every import of a script is written as the storage of static files reads it."""
    for name in SCRIPTS:
        text = (STATIC / "js" / name).read_text(encoding="utf-8")
        imported = re.findall(r"\bfrom\s*['\"]|^import\b(?!.*\bfrom\b)|import\(", text, re.M)
        others = modules_of(name, later=True)[1:]
        direct = [one for one in others if re.search(rf'"\./{re.escape(one)}"(;|\))', text)]
        if len(imported) != len(direct):
            yield f"{name}: {len(imported)} imports, {len(direct)} of them read"
