"""How static files are served: ours without comments and spaces, a stylesheet in one piece with
those it imports, all under names with a hash of their content, and compressed.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple, cast

import brotli
import rcssmin
import rjsmin
from django.core.files.base import ContentFile
from django.core.files.storage import Storage as Files
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from armybuilder.scripts import FOLDER, IMPORT, IMPORT_LATER

OURS = "armybuilder/"
#: How a stylesheet imports another one beside it.
_IMPORT_STYLES = re.compile(r'@import "\./([\w-]+\.css)";\n')


def packed(files: Files, path: str) -> str:
    """Return a script or stylesheet of ours without what only its readers need."""
    if path.endswith(".js"):
        return str(rjsmin.jsmin(_read(files, path)))
    return str(rcssmin.cssmin(_with_imports(files, path)))


def _with_imports(files: Files, path: str) -> str:
    folder = Path(path).parent
    return _IMPORT_STYLES.sub(
        lambda found: _with_imports(files, (folder / found[1]).as_posix()), _read(files, path)
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
    """Static files whose names carry a hash of their content, also where our modules import them.

    What Django has for that (`support_js_module_import_aggregation`) looks into every script, and
    stumbles over those of packages that tell in a comment how they are imported.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (f"{FOLDER}*.js", ((IMPORT, '%(how)s "%(url)s";'), (IMPORT_LATER, '%(how)s("%(url)s")'))),
    )

    def create_compressor(self, **options: Any) -> Compressor:
        made: Any = _Compressor  # the library's has no types
        return cast(Compressor, made(**options))

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Any:
        """Name, hash and compress the files of `paths`, which tells of each where it is kept."""
        packing = {
            name: (_Packing(files) if _is_ours(name) else files, path)
            for name, (files, path) in paths.items()
        }
        processed: Any = super().post_process  # the library's has no types
        return processed(packing, dry_run=dry_run, **options)


def _is_ours(name: str) -> bool:
    return name.startswith(OURS) and name.endswith((".css", ".js"))
