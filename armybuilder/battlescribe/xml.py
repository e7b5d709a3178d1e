"""XML that may come from anyone: no document types, no entities, no deeper than it may nest."""

from typing import Any, ClassVar
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

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


def parse_xml(raw: bytes, builder: Builder) -> Element:
    """Return the root of the builder's tree. Raises Refusal where the text is no XML, or unsafe."""
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    try:
        parser.feed(raw)
        root: Element = parser.close()
    except ParseError as error:
        raise Refusal(say("It is not a complete XML file.")) from error
    except DefusedXmlException as error:
        raise Refusal(
            say("It defines entities or a document type, which is not allowed.")
        ) from error
    except (ValueError, LookupError) as error:
        raise Refusal(say("Its encoding cannot be read.")) from error
    return root
