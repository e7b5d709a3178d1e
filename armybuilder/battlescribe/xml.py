"""XML that may come from anyone: no document types, no entities."""

from typing import Protocol, TypeVar, cast
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from armybuilder.engine.wording import say
from armybuilder.loading.problems import Refusal

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
