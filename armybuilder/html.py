"""HTML made in Python: every value is escaped on its way in, unless it is HTML made here already.

Templates draw pages. This is for parts that a page has by the hundred, where a template takes ten
times as long. Nothing else makes HTML: a guard holds that.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape as _escaped
from importlib.resources import files
from io import BytesIO
from itertools import count
from zipfile import ZipFile

from django.utils.safestring import SafeString

#: Text that a page inserts without escaping.
Html = SafeString
EMPTY = Html("")
#: An attribute's value; True writes its name alone, False and None leave it out.
Value = str | int | float | bool | None


def escape(value: object) -> Html:
    """Return a value as HTML."""
    return value if isinstance(value, Html) else Html(_escaped(str(value)))


def _text(value: object) -> str:
    # Not `escape`: wrapping each small text would take as long as escaping it.
    return value if type(value) is Html else _escaped(str(value))


def fill(shape: str, *values: object, **named: object) -> Html:
    """Return a shape with values where it has `{}` and `{name}`, escaped.

    The shape is HTML, and so must be a text in the source.
    """
    pieces, fields = _read(shape)
    written = pieces.copy()
    for place, field in fields:
        value = named[field] if isinstance(field, str) else values[field]
        written[place] = value if type(value) is Html else _escaped(str(value))
    return Html("".join(written))


@lru_cache(maxsize=256)
def _read(shape: str) -> tuple[list[str], list[tuple[int, str | int]]]:
    """Return a shape in pieces, and which of them are fields: names, or numbers of values."""
    pieces = re.split(r"\{(\w*)\}", shape)
    number = count()
    return pieces, [(place, pieces[place] or next(number)) for place in range(1, len(pieces), 2)]


def join(parts: Iterable[object], between: str = "") -> Html:
    """Return all parts as HTML, with something `between` each two."""
    return Html(_text(between).join([_text(part) for part in parts]))


def attributes(**values: Value) -> Html:
    """Return attributes as a tag has them: `hx_post="/act/"` gives `hx-post="/act/"`.

    Reserved words of Python take an underscore behind them: `class_`.
    """
    return Html(_attributes(values).removeprefix(" "))


def element(tag: str, *inside: object, **values: Value) -> Html:
    """Return an element with attributes, as `attributes` takes them, and the parts `inside`."""
    within = "".join([_text(part) for part in inside])
    return Html(f"<{tag}{_attributes(values)}>{within}</{tag}>")


def with_attributes(written: str, **values: Value) -> Html:
    """Return an element that is written already, with further attributes, as `attributes` has."""
    head, __, rest = written.partition(">")
    return Html(f"{head}{_attributes(values)}>{rest}")


def hidden_field(name: str, value: object) -> Html:
    """Return a field of a form that only carries a value."""
    return fill('<input type="hidden" name="{}" value="{}">', name, value)


def _attributes(values: dict[str, Value]) -> str:
    written = ""
    for name, value in values.items():
        if value is True:
            written += f" {_name(name)}"
        elif value is not False and value is not None:
            written += f' {_name(name)}="{_text(value)}"'
    return written


@lru_cache(maxsize=256)
def _name(name: str) -> str:
    return name.removesuffix("_").replace("_", "-")


@lru_cache(maxsize=256)
def icon(name: str, kind: str = "") -> Html:
    """Return a sign of the sprite that every page has (`icons.html`); `kind` is a further class."""
    return fill(
        '<svg class="{}" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-{}"/></svg>',
        f"icon {kind}" if kind else "icon",
        name,
    )


@cache
def drawing(name: str, id: str) -> Html:
    """Return a drawing of the lucide package as an element of the sprite with this `id`.

    Size, stroke and fill are those of `.icon`.
    """
    svg = " ".join(_drawings().read(f"{name}.svg").decode().split())
    shapes = svg.partition(">")[2].removesuffix("</svg>").replace(" /> ", "/>").strip()
    return Html(f'<symbol id="{id}" viewBox="0 0 24 24">{shapes}</symbol>')


@cache
def _drawings() -> ZipFile:
    """Return the package's zip, read once: its own tag opens it for each icon."""
    return ZipFile(BytesIO((files("lucide") / "lucide.zip").read_bytes()))
