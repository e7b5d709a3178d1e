"""Certificates signed and checked: JSON Web Signatures (RFC 7515, RFC 8037) in their short form.

The library for that is loaded when the first one is: no process starts later for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.certificates.claims import Claims
from armybuilder.certificates.keys import CURVE, SigningKey
from armybuilder.loading.problems import Refusal

#: Letters of a certificate that is read at all.
MOST_LETTERS = 100_000


@dataclass(frozen=True, slots=True)
class Verified:
    """A certificate whose signature fits, by the key of this id; `expired` says that it should be
    asked for anew.
    """

    claims: Claims
    kid: str
    expired: bool


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
    word = "".join(certificate[:MOST_LETTERS].split())
    header = _header(word)
    key = next((one for one in keys if one["kid"] == header.get("kid")), None)
    if key is None:
        raise Refusal(_("It was signed with a key that is not known here."))
    payload = _payload(word, key)
    claims = Claims.from_json(payload)
    if key.get("revoked"):
        said = _("The key that signed it was withdrawn: {reason}")
        raise Refusal(said.format(reason=key.get("reason") or "–"))
    if key.get("until") and claims.issued > key["until"]:
        raise Refusal(_("It says that it was made after its key had ended."))
    return Verified(claims, key["kid"], claims.expires < now)


def _header(word: str) -> dict[str, Any]:
    from joserfc import jws
    from joserfc.errors import JoseError

    try:
        header = jws.extract_compact(word.encode()).headers()
    except (JoseError, ValueError) as error:
        raise Refusal(_("This is no certificate, or not the whole of it.")) from error
    if header.get("alg") != CURVE:
        raise Refusal(_("It is signed in a way that is not accepted."))
    return header


def _payload(word: str, key: Mapping[str, Any]) -> bytes:
    from joserfc import jws
    from joserfc.errors import JoseError
    from joserfc.jwk import OKPKey

    public = OKPKey.import_key({name: key[name] for name in ("kty", "crv", "x")})
    try:
        return jws.deserialize_compact(word, public, algorithms=[CURVE]).payload
    except (JoseError, ValueError) as error:
        said = _("Something in it was changed: the signature does not fit.")
        raise Refusal(said) from error
