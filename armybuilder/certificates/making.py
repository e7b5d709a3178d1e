"""Making and verifying certificates: JSON Web Signatures (RFC 7515, RFC 8037) in compact form.

The keys are Ed25519 (`armybuilder.certificates.models`). The library is loaded on first use, so no
process starts later for it. `FORMAT` names the shape of the signed data. Its names are short, since
all of it goes into one QR code: a skirmish list in about 600 letters, an army of 20 units in 1,300.
"""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.battlescribe.files.documents import document_of, game_name
from armybuilder.certificates.models import CURVE, SigningKey, signing_key
from armybuilder.engine.verdict import Counts, Outcome, outcome_of, verdict_sentence
from armybuilder.lists.models import ListDocument
from armybuilder.lists.worked_out import check_pack_fits, work_out
from armybuilder.loading.documents import canonical, check_document, hash_of, judge, judge_at
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import MAX_NESTING, ForceList, check_force_list, is_force_list
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import Library
from armybuilder.loading.likeness import Likeness, likenesses
from armybuilder.loading.packs import Pack, pack_of_size
from armybuilder.loading.problems import Refusal

FORMAT = "certificate/1"
#: Bytes that a list may have unpacked: as a document that is sent.
MAX_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class CertifiedVerdict:
    """A verdict in numbers.

    `tells_all`: it also has the number of unchecked restrictions. The first certificates left that
    out, and counted missing things as broken.
    """

    counts: Counts
    tells_all: bool = True

    @property
    def legal(self) -> bool:
        return not self.counts.errors

    @property
    def outcome(self) -> Outcome:
        """The verdict; not plainly legal if it is unknown."""
        return outcome_of(self.legal, self.counts.unchecked + (not self.tells_all))

    @property
    def words(self) -> str:
        if self.legal and not self.tells_all:
            return _("Legal as far as checked")
        return verdict_sentence(self.counts)

    @classmethod
    def read(cls, data: list[int]) -> Self:
        """Return what `numbers` has written. Raises ValueError where it is something else."""
        legal, errors, warnings, *more = map(int, data)
        missing, unchecked = more or (0, 0)
        verdict = cls(Counts(errors - missing, missing, warnings, unchecked), bool(more))
        if verdict.legal != bool(legal) or min(verdict.counts) < 0:
            raise ValueError("these numbers contradict each other")
        return verdict

    @property
    def numbers(self) -> list[int]:
        """The signed numbers: legal or not, errors, warnings, missing, and unchecked."""
        counts = self.counts
        more = [counts.missing, counts.unchecked] if self.tells_all else []
        return [int(self.legal), counts.errors, counts.warnings, *more]


@dataclass(frozen=True, slots=True)
class Claims:
    """The checked list, its premises and its verdict.

    Times are seconds since 1970, UTC; `points` are those spent, and the limit, if any; `revisions`
    are the books' by id; `pack` is the id and revision of an event pack, whose verdict is `event`;
    `copies` says by id of custom books how they differ from the shipped ones that they copy.
    """

    issuer: str
    issued: int
    expires: int
    army_list: ListDocument
    system_revision: str
    revisions: Mapping[str, str]
    engine: str
    points: tuple[int, ...]
    game: CertifiedVerdict
    pack: tuple[str, str] | None = None
    event: CertifiedVerdict | None = None
    copies: Mapping[str, Likeness] = field(default_factory=dict)

    @property
    def judged_at(self) -> datetime:
        """Time of the check, in UTC."""
        return datetime.fromtimestamp(self.issued, UTC)

    @property
    def good_until(self) -> datetime:
        """Time of expiry, in UTC."""
        return datetime.fromtimestamp(self.expires, UTC)

    @property
    def list_hash(self) -> str:
        """The SHA-256 of the canonical document, in hexadecimal digits."""
        return hash_of(self.army_list)

    def to_json(self) -> bytes:
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        packed = packer.compress(canonical(self.army_list)) + packer.flush()
        data: dict[str, Any] = {
            "v": FORMAT,
            "iss": self.issuer,
            "iat": self.issued,
            "exp": self.expires,
            "sys": [self.army_list.system, self.system_revision],
            "bks": dict(self.revisions),
            "eng": self.engine,
            "pts": list(self.points),
            "game": self.game.numbers,
            "sha": self.list_hash,
            "doc": base64.urlsafe_b64encode(packed).decode().rstrip("="),
        }
        if self.pack is not None and self.event is not None:
            data |= {"pack": list(self.pack), "event": self.event.numbers}
        if self.copies:
            data["dif"] = {book: list(astuple(one)) for book, one in self.copies.items()}
        return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()

    @classmethod
    def from_json(cls, raw: bytes) -> Self:
        """Return the claims of a signed text.

        Raises Refusal if it has another shape, or the list doesn't match its hash.
        """
        try:
            data = json.loads(raw)
            if data["v"] != FORMAT:
                raise Refusal(_("We don’t know this kind of certificate."))
            document = _unpacked(data["doc"])
            claims = cls(
                issuer=str(data["iss"]),
                issued=int(data["iat"]),
                expires=int(data["exp"]),
                army_list=_read(document),
                system_revision=str(data["sys"][1]),
                revisions={str(book): str(at) for book, at in data["bks"].items()},
                engine=str(data["eng"]),
                points=(int(data["pts"][0]), *map(int, data["pts"][1:2])),
                game=CertifiedVerdict.read(data["game"]),
                pack=(str(data["pack"][0]), str(data["pack"][1])) if "pack" in data else None,
                event=CertifiedVerdict.read(data["event"]) if "event" in data else None,
                copies={
                    str(book): Likeness(str(of), int(changed), str(unit), int(points), int(shipped))
                    for book, (of, changed, unit, points, shipped) in data.get("dif", {}).items()
                },
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, zlib.error) as error:
            raise Refusal(_("The certificate cannot be read.")) from error
        if claims.list_hash != data["sha"]:
            raise Refusal(_("The list inside doesn’t match the certificate."))
        return claims


def _read(raw: bytes) -> ListDocument:
    """Return the list of a certificate. Raises Refusal where it is none."""
    data = parse_json(raw, MAX_BYTES, MAX_NESTING)
    read = check_force_list if is_force_list(data) else check_document
    return read(data, "certificate")


def _unpacked(text: str) -> bytes:
    packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    raw = unpacker.decompress(packed, MAX_BYTES)
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("too large")
    return raw


#: Letters of a certificate that is read at all, and of its head.
MOST_LETTERS, MOST_OF_HEAD = 100_000, 200
#: Seconds for which a certificate is good: 90 days. Rules and books change.
LIFE = 90 * 86_400


@dataclass(frozen=True, slots=True)
class Verified:
    """A certificate whose signature fits, by the key of this id; `expired`: out of date."""

    claims: Claims
    kid: str
    expired: bool


def certify(
    document: ListDocument, library: Library, issuer: str, pack: Pack | None = None, exact: int = 1
) -> str:
    """Return a certificate of this server's verdict on a list, by its game and at an event.

    Its time is rounded to `exact` seconds, within which it is the same. Raises Refusal if the list
    can't be checked, or the pack is for another game.
    """
    now = int(time.time()) // exact * exact
    if isinstance(document, ForceList):
        return sign(_claims_by_files(document, issuer, pack, now), signing_key(now))
    judged = judge(document, library)
    event = None
    if pack is not None:
        pack = pack_of_size(pack, document.limit)
        event = judge_at(document, judged.catalogue, pack).report.event
    catalogue = judged.catalogue
    claims = Claims(
        issuer=issuer,
        issued=now,
        expires=now + LIFE,
        army_list=judged.document,
        system_revision=catalogue.system.revision,
        revisions={book.id: book.revision for book in catalogue.books},
        engine=__version__,
        points=(judged.report.spent, document.limit),
        game=CertifiedVerdict(judged.report.counts),
        pack=(pack.id, pack.revision) if pack is not None else None,
        event=CertifiedVerdict(event.counts) if event is not None else None,
        copies={book.id: likeness for book, likeness in likenesses(catalogue)},
    )
    return sign(claims, signing_key(now))


def _claims_by_files(document: ForceList, issuer: str, pack: Pack | None, now: int) -> Claims:
    """Return the claims about a list of a game from files, with names from these files."""
    one, event = work_out(document), None
    if pack is not None:
        check_pack_fits(document, pack)
        event = work_out(document, pack if isinstance(pack, FilePack) else None)
    named = document_of(
        one.roster, document.name, game_name(document.game.key, one.game), document.notes
    )
    limit = next((int(cost.limit) for cost in (event or one).costs if cost.limit >= 0), None)
    return Claims(
        issuer=issuer,
        issued=now,
        expires=now + LIFE,
        army_list=named,
        system_revision=one.game.system.get("revision"),
        revisions={force.catalogue_name: force.revision for force in named.all_forces()},
        engine=__version__,
        points=(one.report.numbers[0], *([] if limit is None else [limit])),
        game=CertifiedVerdict(one.report.counts),
        pack=(pack.id, pack.revision) if pack is not None else None,
        event=CertifiedVerdict(event.report.counts) if event is not None else None,
    )


def check(certificate: str) -> Verified:
    """Return the claims of a certificate of this server. Raises Refusal as `verify` does."""
    return verify(certificate, published_keys(), int(time.time()))


def published_keys() -> list[dict[str, Any]]:
    """Return the public halves of all keys that this site ever signed with."""
    return [key.public for key in SigningKey.objects.all()]


def sign(claims: Claims, key: SigningKey) -> str:
    """Return the certificate as one word of ASCII letters."""
    from joserfc import jws
    from joserfc.jwk import OKPKey

    header = {"alg": CURVE, "kid": key.kid}
    own = OKPKey.import_key(dict(key.jwk))
    return jws.serialize_compact(header, claims.to_json(), own, algorithms=[CURVE])


def verify(certificate: str, keys: Sequence[Mapping[str, Any]], now: int) -> Verified:
    """Return the content of a certificate signed with one of these public keys.

    Raises Refusal: it isn't a certificate, has an unknown or revoked key, was changed, or is
    younger than its key's end.
    """
    from joserfc import jws
    from joserfc.errors import JoseError
    from joserfc.jwk import OKPKey
    from joserfc.util import urlsafe_b64decode

    word = "".join(certificate[:MOST_LETTERS].split())
    head, *rest = word.split(".")
    try:
        header = json.loads(urlsafe_b64decode(head[:MOST_OF_HEAD].encode()))
    except ValueError:
        header = None
    if not isinstance(header, dict) or len(rest) != 2:
        raise Refusal(_("This is not a complete certificate."))
    # This site never signs other heads, such as one with its own key.
    if header.keys() != {"alg", "kid"} or header["alg"] != CURVE:
        raise Refusal(_("The signature method is not accepted."))
    key = next((each for each in keys if each["kid"] == header["kid"]), None)
    if key is None:
        raise Refusal(_("It was signed with a key we don’t know."))
    public = OKPKey.import_key({name: key[name] for name in ("kty", "crv", "x")})
    try:
        payload = jws.deserialize_compact(word, public, algorithms=[CURVE]).payload
    except (JoseError, ValueError) as error:
        sentence = _("Invalid signature: the certificate was changed.")
        raise Refusal(sentence) from error
    claims = Claims.from_json(payload)
    if key.get("revoked"):
        sentence = _("The key that signed it was withdrawn: {reason}")
        raise Refusal(sentence.format(reason=key.get("reason") or "–"))
    if key.get("until") and claims.issued > key["until"]:
        raise Refusal(_("It is dated after its signing key expired."))
    return Verified(claims, key["kid"], claims.expires < now)
