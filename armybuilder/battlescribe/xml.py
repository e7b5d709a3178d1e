"""XML: read from anyone, without document types and entities; written in lines, for rosters."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, TypeVar, cast
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape, quoteattr

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from armybuilder.engine.wording import say
from armybuilder.loading.problems import Refusal

#: The version of BattleScribe whose rosters are written, and their namespace.
_VERSION: Final = "2.03"
_NAMESPACE: Final = "http://www.battlescribe.net/schema/rosterSchema"
_NO_ATTRIBUTES: Final[Mapping[str, str]] = MappingProxyType({})
_Made = TypeVar("_Made", covariant=True)


class XmlTarget(Protocol[_Made]):
    """Takes the events of a parser, and makes something of them."""

    def close(self) -> _Made:
        """Return the result for the whole text."""


def parse_xml(raw: bytes, target: XmlTarget[_Made]) -> _Made:
    """Return the result of a target for a text. Raises Refusal if it isn't XML, or unsafe."""
    parser = DefusedXMLParser(target=target, forbid_dtd=True)
    try:
        parser.feed(raw)
        return cast("_Made", parser.close())
    except ParseError as error:
        raise Refusal(say("This is not a complete XML file.")) from error
    except DefusedXmlException as error:
        raise Refusal(
            say("The file defines entities or a document type, which is not allowed.")
        ) from error
    except (ValueError, LookupError) as error:
        raise Refusal(say("The file’s encoding can’t be read.")) from error


def element_lines(
    name: str, attributes: Mapping[str, str], inside: Sequence[str] = ()
) -> list[str]:
    """Return an element as lines, with those of its contents."""
    head = _head(name, attributes)
    if not inside:
        return [f"<{head}/>"]
    return [f"<{head}>", *(f"  {line}" for line in inside), f"</{name}>"]


def list_lines(name: str, inside: Sequence[str]) -> list[str]:
    """Return a list of elements as lines; none for an empty one."""
    return element_lines(name, _NO_ATTRIBUTES, inside) if inside else []


def text_lines(name: str, text: str, attributes: Mapping[str, str] = _NO_ATTRIBUTES) -> list[str]:
    """Return an element with a text, which keeps its line ends."""
    if not text:
        return element_lines(name, attributes)
    return [f"<{_head(name, attributes)}>{escape(text, {chr(13): '&#13;'})}</{name}>"]


def roster_text(id: str, name: str, attributes: Mapping[str, str], inside: Sequence[str]) -> str:
    """Return the text of a roster."""
    head = {"id": id, "name": name, "battleScribeVersion": _VERSION, **attributes}
    lines = element_lines("roster", {**head, "xmlns": _NAMESPACE}, inside)
    return "\n".join(['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', *lines, ""])


def _head(name: str, attributes: Mapping[str, str]) -> str:
    return name + "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
