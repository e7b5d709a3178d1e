"""Packing of static files: minified, with a hash of the content in their names, compressed.

Templates lose their indents. Our stylesheets and scripts lose comments and spaces, and are joined
with those they import. Scripts are ES modules: each kind of page loads one. While debugging that
imports the others; packed together they are a quarter smaller.
"""

import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import brotli
import rcssmin
import rjsmin
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage as Files
from django.template.base import Origin
from django.template.loaders import cached
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

#: Ours, of all static files; and our scripts.
_OURS = "armybuilder/"
FOLDER = "armybuilder/js/"
#: The script of every page, which those of some pages import.
SHARED = "site.js"
#: How a module imports another one of ours, with what it takes of it, and says what others may.
_IMPORT = r'^import (?:\{(?P<names>[^}]*)\} from )?"\./(?P<url>[\w.]+)";\n'
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
#: How a packed script imports the one that every page has.
_FROM = r'(?P<matched>\bfrom ?"\./(?P<url>[\w.]+)";)'
#: How it imports one that is fetched when it is needed first.
_IMPORT_LATER = r'(?P<matched>\bimport\("\./(?P<url>[\w.]+)"\))'
#: An import of another stylesheet in the same folder.
_IMPORT_STYLES = re.compile(r'@import "\./([\w-]+\.css)";\n')
#: An indent of a template; its line break stays, which browsers show as a space.
_INDENT = re.compile(r"(?<=\n)[ \t]+")


class PackedTemplates(cached.Loader):
    """Keep templates once read, those of pages without indents: no word of a reader is in them."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return _INDENT.sub("", source) if origin.name.endswith(".html") else source


def packed(files: Files, path: str) -> str:
    """Return a script or stylesheet of ours without comments and spaces."""
    if path.endswith(".js"):
        return str(rjsmin.jsmin(_with_modules(files, path)))
    return str(rcssmin.cssmin(_with_imports(files, path)))


def _with_modules(files: Files, path: str) -> str:
    """Return a script after all its imports, each once and in its own scope.

    Modules that every page has are in one file, from which the others take them.
    """
    name, shared = Path(path).name, modules_of(SHARED)
    if not re.search(_IMPORT, _read(files, path), re.MULTILINE):
        return _read(files, path)
    scopes = dict.fromkeys(shared if name not in shared else (), "")
    _add_scope(files, Path(path), scopes)
    text, ours = "".join(scopes.values()), ",".join(f"${Path(one).stem}" for one in shared)
    if name == SHARED:
        return f"{text}export {{{ours}}};\n"
    return text if name in shared else f'import {{{ours}}} from "./{SHARED}";\n{text}'


def _add_scope(files: Files, path: Path, scopes: dict[str, str]) -> None:
    """Add a module after its imports, as an object of its exports: `const $name=(...)();`."""
    text = _read(files, path.as_posix())

    def take(imported: re.Match[str]) -> str:
        if imported["url"] not in scopes:
            _add_scope(files, path.parent / imported["url"], scopes)
        names = imported["names"]
        return f"const {{{names}}} = ${Path(imported['url']).stem};\n" if names else ""

    text = re.sub(_IMPORT, take, text, flags=re.MULTILINE)
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", text)
    scopes[path.name] = f"const ${path.stem}=(() => {{\n{body}\nreturn {{{exported}}};\n}})();\n"


def _with_imports(files: Files, path: str) -> str:
    folder = Path(path).parent
    return _IMPORT_STYLES.sub(
        lambda match: _with_imports(files, (folder / match[1]).as_posix()), _read(files, path)
    )


def _read(files: Files, path: str) -> str:
    with files.open(path) as file:
        return bytes(file.read()).decode()


class _Packing(NamedTuple):
    """Opens our scripts and stylesheets packed, from where they are kept."""

    files: Files

    def open(self, path: str) -> ContentFile[bytes]:
        return ContentFile(packed(self.files, path).encode())


class _Compressor(Compressor):
    """WhiteNoise's, but a script of a megabyte is packed a tenth less tightly, in a tenth the time.

    There is one, on the page to try out the API; else it would be half of all packing.
    """

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        packed: bytes = brotli.compress(data, quality=9 if len(data) > 1_000_000 else 11)
        return packed


class Storage(CompressedManifestStaticFilesStorage):
    """Static files with a hash of their content in the name, also where our modules import them.

    Django's own (`support_js_module_import_aggregation`) parses every script, and fails on packages
    that show their import in a comment.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (f"{FOLDER}*.js", ((_FROM, 'from "./%(url)s";'), (_IMPORT_LATER, 'import("./%(url)s")'))),
    )

    def create_compressor(self, **options: Any) -> Compressor:
        made: Any = _Compressor  # the library's has no types
        return cast(Compressor, made(**options))

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Any:
        """Name, hash and compress the files of `paths`, which has the storage of each."""
        packing = {}
        for name, (files, path) in paths.items():
            is_ours = name.startswith(_OURS) and name.endswith((".css", ".js"))
            packing[name] = (_Packing(files) if is_ours else files, path)
        processed: Any = super().post_process  # the library's has no types
        return processed(packing, dry_run=dry_run, **options)


@cache
def modules_of(name: str, later: bool = False) -> tuple[str, ...]:
    """Return the names of a module and of all that it imports, itself first.

    On request with those that are fetched `later`.
    """
    ways = (_IMPORT, _IMPORT_LATER) if later else (_IMPORT,)
    modules = [name]
    for module in modules:
        path = Path(str(finders.find(FOLDER + module)))
        text = path.read_text(encoding="utf-8")
        for imported in chain.from_iterable(re.finditer(way, text, re.MULTILINE) for way in ways):
            if imported["url"] not in modules:
                modules.append(imported["url"])
    return tuple(modules)


def loaded_by(page: str, later: bool = False) -> tuple[str, ...]:
    """Return the scripts that a page's script loads, itself first: packed, they are two at most.

    On request with those that are fetched `later`.
    """
    name = f"{page}.js"
    modules = modules_of(name)
    more = [one for one in modules_of(name, later=True) if one not in modules] if later else ()
    if isinstance(staticfiles_storage, Storage):
        modules = (name, *(one for one in modules[1:] if one == SHARED))
    return (*modules, *more)
