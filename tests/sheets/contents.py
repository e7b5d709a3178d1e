"""What the content of a page of ours is made of (ISO 32000-1, 7.8.2), read as it stands."""

import re
from collections.abc import Iterator
from typing import Any

#: Strings in brackets, names, brackets, and what is between spaces.
_TOKEN = re.compile(
    rb"\((?:[^\\()]|\\.)*\)|<<|>>|<[^<>]*>|/[^\s/<>()\[\]]*|[\[\]]|[^\s/<>()\[\]]+", re.S
)
_OPERAND = re.compile(rb"[(/<>\[\]\d.+-]")
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)", re.S)
_PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def operations(content: bytes) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yield each operator with the operands before it, as they are written."""
    operands: list[bytes] = []
    for token in _TOKEN.findall(content):
        if _OPERAND.match(token):
            operands.append(token)
        else:
            yield token, operands
            operands = []


def string_of(written: bytes) -> bytes:
    """Return what a string in brackets says (7.3.4.2)."""
    return _ESCAPED.sub(_unescaped, written[1:-1])


def _unescaped(escaped: re.Match[bytes]) -> bytes:
    sign = escaped[1]
    return bytes([int(sign, 8)]) if sign[:1].isdigit() else _PLAIN.get(sign, sign)


def letters_of(font: Any) -> dict[int, str]:
    """Return what each code of a font stands for."""
    told = font["/ToUnicode"].get_data() if "/ToUnicode" in font else b""
    pairs = re.findall(rb"<([0-9A-F]{2})> <([0-9A-F]{4,})>", told)
    return {
        int(code, 16): bytes.fromhex(letters.decode()).decode("utf-16-be")
        for code, letters in pairs
    }
