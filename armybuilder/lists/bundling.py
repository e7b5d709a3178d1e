"""Documents compressed together.

The versions of a list are nearly alike, so that behind the first of them each takes but some 50
to 100 bytes where it took a thousand. zlib looks back 32 KB, which is the document before this one
for all lists that are played with.
"""

import json
import zlib
from collections.abc import Iterable

#: Documents in one bundle, and bytes of them together: whoever wants one unpacks all.
MOST_TOGETHER = 25
MOST_BYTES = 256 * 1024


def packed(texts: Iterable[bytes]) -> bytes:
    """Documents as JSON, in one bundle."""
    return zlib.compress(b"\n".join(texts), 9)


def unpacked(data: bytes) -> list[bytes]:
    """The documents of a bundle, as they were put in. None of them has an end of line in it."""
    return zlib.decompress(data).split(b"\n")


def text_of(document: object) -> bytes:
    """A document as it is put into a bundle: JSON in one line, its keys in their order."""
    return json.dumps(document, separators=(",", ":")).encode()


def full(texts: list[bytes]) -> bool:
    """Whether nothing more should go into a bundle of these."""
    return len(texts) >= MOST_TOGETHER or sum(map(len, texts)) >= MOST_BYTES
