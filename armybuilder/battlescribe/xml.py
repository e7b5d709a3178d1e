"""XML that may come from anyone: no document types, no entities, no deeper than it may nest."""

from typing import Any, ClassVar, Protocol, TypeVar, cast
from xml.etree.ElementTree import ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from armybuilder.engine.wording import marked, say
from armybuilder.loading.problems import Refusal


class Builder(TreeBuilder):
    """Builds the tree of elements without namespaces; refuses what nests too deeply."""

    #: Elements inside each other, and what is said where there are more.
    MAX_DEPTH: ClassVar[int] = 100
    TOO_DEEP: ClassVar[str] = marked("The file is nested too deeply.")

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0

    def start(self, tag: Any, attrs: Any) -> Any:
        """Return an element begins."""
        self.depth += 1
        if self.depth > self.MAX_DEPTH:
            raise Refusal(say(self.TOO_DEEP))
        return self.enter(tag.rpartition("}")[2], attrs)

    def end(self, tag: Any) -> Any:
        """Return an element ends."""
        self.depth -= 1
        return self.leave(tag.rpartition("}")[2])

    def enter(self, name: str, attrs: Any) -> Any:
        """Keep an element that begins."""
        return super().start(name, attrs)

    def leave(self, name: str) -> Any:
        """Close an element that was kept."""
        return super().end(name)


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
