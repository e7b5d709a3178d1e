"""Certificates made by this server."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings

from armybuilder import __version__
from armybuilder.certificates.claims import claims_of
from armybuilder.certificates.keys import KeyRing
from armybuilder.certificates.signing import Verified, sign, verify
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge
from armybuilder.loading.event_judging import judge_at
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, pack_of_size

#: Seconds for which a certificate is good: 90 days. Rules and books change.
LIFE = 90 * 86_400


def certify(
    document: ArmyList, library: Library, issuer: str, pack: Pack | None = None, exact: int = 1
) -> str:
    """Return a certificate of what this server finds about a list, by its game and at an event. Its
    time is `exact` to so many seconds: within them it is the same.

    Raises Refusal where the list cannot be judged, or the pack is for another game.
    """
    now = int(time.time()) // exact * exact
    judged = judge(document, library)
    if pack is not None:
        pack = pack_of_size(pack, document.limit)
    at = judge_at(document, judged.catalogue, pack) if pack is not None else None
    claims = claims_of(
        judged, at, pack, issuer=issuer, issued=now, expires=now + LIFE, engine=__version__
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
