"""Certificates made and checked: JSON Web Signatures (RFC 7515, RFC 8037) in their short form.

The library for that is loaded when the first one is: no process starts later for it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.certificates.claims import CertifiedVerdict, Claims
from armybuilder.certificates.keys import CURVE, KeyRing, SigningKey
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge, judge_at
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, pack_of_size
from armybuilder.loading.problems import Refusal

#: Letters of a certificate that is read at all.
MOST_LETTERS = 100_000
#: Seconds for which a certificate is good: 90 days. Rules and books change.
LIFE = 90 * 86_400


@dataclass(frozen=True, slots=True)
class Verified:
    """A certificate whose signature fits, by the key of this id; `expired`: out of date."""

    claims: Claims
    kid: str
    expired: bool


def certify(
    document: ArmyList, library: Library, issuer: str, pack: Pack | None = None, exact: int = 1
) -> str:
    """Return a certificate of what this server finds about a list, by its game and at an event.

    Its time is `exact` to so many seconds: within them it is the same. Raises Refusal if the list
    cannot be judged, or the pack is for another game.
    """
    now = int(time.time()) // exact * exact
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
        spent=judged.report.spent,
        game=CertifiedVerdict(judged.report.counts),
        pack=(pack.id, pack.revision) if pack is not None else None,
        event=CertifiedVerdict(event.counts) if event is not None else None,
    )
    return sign(claims, key_ring().signing(now))


def check(certificate: str) -> Verified:
    """Return what a certificate of this server says. Raises Refusal as `verify` does."""
    return verify(certificate, published_keys(), int(time.time()))


def published_keys() -> list[dict[str, Any]]:
    """Return the public halves of all keys that this server ever signed with."""
    return [key.public for key in key_ring().every()]


def key_ring() -> KeyRing:
    """Return the keys of this server."""
    return KeyRing(settings.CERTIFICATE_KEYS)


def sign(claims: Claims, key: SigningKey) -> str:
    """Return the certificate as one word of ASCII letters."""
    from joserfc import jws
    from joserfc.jwk import OKPKey

    header = {"alg": CURVE, "kid": key.kid}
    own = OKPKey.import_key(dict(key.jwk))
    return jws.serialize_compact(header, claims.to_json(), own, algorithms=[CURVE])


def verify(certificate: str, keys: Sequence[Mapping[str, Any]], now: int) -> Verified:
    """Return what a certificate says that one of these public keys has signed.

    Raises Refusal: it is no certificate, of an unknown key, changed, of a withdrawn key, or younger
    than its key's end.
    """
    from joserfc import jws
    from joserfc.errors import JoseError
    from joserfc.jwk import OKPKey

    word = "".join(certificate[:MOST_LETTERS].split())
    try:
        header = jws.extract_compact(word.encode()).headers()
    except (JoseError, ValueError) as error:
        raise Refusal(_("This is no certificate, or not the whole of it.")) from error
    if header.get("alg") != CURVE:
        raise Refusal(_("It is signed in a way that is not accepted."))
    key = next((each for each in keys if each["kid"] == header.get("kid")), None)
    if key is None:
        raise Refusal(_("It was signed with a key that is not known here."))
    public = OKPKey.import_key({name: key[name] for name in ("kty", "crv", "x")})
    try:
        payload = jws.deserialize_compact(word, public, algorithms=[CURVE]).payload
    except (JoseError, ValueError) as error:
        sentence = _("Something in it was changed: the signature does not fit.")
        raise Refusal(sentence) from error
    claims = Claims.from_json(payload)
    if key.get("revoked"):
        sentence = _("The key that signed it was withdrawn: {reason}")
        raise Refusal(sentence.format(reason=key.get("reason") or "–"))
    if key.get("until") and claims.issued > key["until"]:
        raise Refusal(_("It says that it was made after its key had ended."))
    return Verified(claims, key["kid"], claims.expires < now)
