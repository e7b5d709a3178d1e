"""What archives ask of a PDF (PDF/A-2u, ISO 19005-2): what it tells of itself as XMP, and what its
colours mean. Fonts are always in the file, and nothing in it is encrypted or acts by itself.
"""

import zlib
from functools import cache
from typing import Any, cast
from xml.sax.saxutils import escape

from PIL import ImageCms
from reportlab import rl_config
from reportlab.pdfbase.pdfdoc import PDFInfo, PDFStream

#: No program may show or print a link otherwise than it is (ISO 19005-2, 6.3.2).
PRINTED = 4

_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/"><rdf:Description rdf:about="">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{creator}</xmp:CreatorTool><pdf:Producer>{producer}</pdf:Producer>
<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


def metadata(info: PDFInfo, language: str) -> bytes:
    """Return what a file tells of itself as an XMP stream (ISO 16684-1)."""
    title, subject, author = (escape(one) for one in (info.title, info.subject, info.author))
    packet = _XMP.format(
        title=title,
        subject=subject,
        author=author,
        language=language,
        creator=escape(info.creator),
        producer=escape(info.producer),
    ).encode()
    head = b"<< /Type /Metadata /Subtype /XML /Length %d >>" % len(packet)
    return b"%b\nstream\n%b\nendstream" % (head, packet)


def colours(profile: bytes) -> bytes:
    """Return that red, green and blue are those of sRGB; `profile`: the reference to `srgb`."""
    return (
        b"[<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB)"
        b" /Info (sRGB) /DestOutputProfile %b >>]" % profile
    )


@cache
def srgb() -> bytes:
    """Return the colour profile of sRGB as a stream, always of the same day."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    # Year, month, day, hour, minute, second (ICC.1, 7.2.8).
    profile[24:36] = b"".join(number.to_bytes(2, "big") for number in (2026, 1, 1, 0, 0, 0))
    packed = zlib.compress(bytes(profile), 9)
    head = b"<< /N 3 /Filter /FlateDecode /Length %d >>" % len(packed)
    return b"%b\nstream\n%b\nendstream" % (head, packed)


def _written(stream: PDFStream, document: Any) -> bytes:
    """Return a stream with a line end before its last word, which ReportLab leaves out
    (ISO 19005-2, 6.1.7.1).
    """
    told = bytes(_REPORTLABS(stream, document))
    return told.removesuffix(b"endstream\n") + b"\nendstream\n"


#: Streams as letters would be a quarter larger, for mail programs of the last century.
rl_config.useA85 = 0
_REPORTLABS = PDFStream.format
PDFStream.format = cast(Any, _written)  # type: ignore[method-assign]  # on purpose
