"""The keys that certificates are signed with: Ed25519, in one file that its owner alone reads.

The file is made when the first certificate is. A key that is followed by another signs no more, and
its private half goes; its public half stays, for what it has signed is checked by it as long as
there is paper. A key that somebody else may know is revoked, with a reason that is shown.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any, Final

CURVE: Final = "Ed25519"
#: Letters of a key's id: enough of its thumbprint (RFC 7638).
KID = 12


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key with its id.

    It signs from `made` until `until`, in seconds since 1970; `revoked` is when it was withdrawn,
    and `reason` why. `jwk` has the private half only while it signs.
    """

    kid: str
    made: int
    jwk: Mapping[str, str]
    until: int | None = None
    revoked: int | None = None
    reason: str = ""

    @property
    def public(self) -> dict[str, Any]:
        """The public half as a JSON Web Key, with the times as members of their own."""
        key: dict[str, Any] = {name: self.jwk[name] for name in ("kty", "crv", "x")}
        key |= {"kid": self.kid, "alg": CURVE, "use": "sig"}
        more: dict[str, Any] = {"made": self.made, "until": self.until, "revoked": self.revoked}
        more |= {"reason": self.reason}
        return key | {name: value for name, value in more.items() if value}


class KeyRing:
    """All keys of a server, the one that signs last."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def every(self) -> tuple[SigningKey, ...]:
        """Return all keys; none where nothing was ever signed."""
        try:
            data = json.loads(self.file.read_bytes())
        except FileNotFoundError:
            return ()
        return tuple(SigningKey(**one) for one in data["keys"])

    def signing(self, now: int) -> SigningKey:
        """Return the key that signs, made where there is none."""
        key = self._signing()
        if key is None:
            with self._locked():
                key = self._signing() or self._add(now)
        return key

    def _signing(self) -> SigningKey | None:
        for key in self.every()[::-1]:
            if "d" in key.jwk and key.until is None and key.revoked is None:
                return key
        return None

    def rotate(self, now: int) -> SigningKey:
        """Let another key sign from now on."""
        with self._locked():
            return self._add(now)

    def revoke(self, kid: str, reason: str, now: int) -> bool:
        """Withdraw a key: what it has signed is no longer believed. Return whether there is one."""
        with self._locked():
            keys = self.every()
            changed = [
                replace(_retired(key, now), revoked=now, reason=reason) if key.kid == kid else key
                for key in keys
            ]
            self._write(changed)
            return any(key.kid == kid for key in keys)

    def _add(self, now: int) -> SigningKey:
        from joserfc.jwk import OKPKey

        made = OKPKey.generate_key(CURVE)
        jwk = {name: str(value) for name, value in made.as_dict(private=True).items()}
        key = SigningKey(made.thumbprint()[:KID], now, jwk)
        self._write([*(_retired(old, now) for old in self.every()), key])
        return key

    def _write(self, keys: list[SigningKey]) -> None:
        """Put another file in the place of the old one, whole or not at all."""
        text = json.dumps({"keys": [asdict(key) for key in keys]}, indent=1)
        handle, name = tempfile.mkstemp(dir=self.file.parent, prefix=self.file.name)
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(text)
        os.replace(name, self.file)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes from writing meanwhile."""
        with self.file.with_suffix(".lock").open("w") as lock:
            flock(lock, LOCK_EX)
            yield


def _retired(key: SigningKey, now: int) -> SigningKey:
    public = {name: value for name, value in key.jwk.items() if name != "d"}
    return replace(key, jwk=public, until=key.until or now)
