"""The keys that this site has signed certificates with; the latest signs.

They are in the database, so that every backup and every machine of the site has them. A key that
was replaced signs no more and loses its private half; its public half stays, to check paper. A key
that others may know is revoked, with a reason that is shown.
"""

from typing import Any, Final

from django.db import models, transaction

from armybuilder.tables import NamedTable

CURVE: Final = "Ed25519"
#: Letters of a key's id: enough of its thumbprint (RFC 7638).
KID = 12


class SigningKey(NamedTable):
    """A key, which signs from `made` until `until`, in seconds since 1970.

    `revoked` is when it was withdrawn, and `reason` why. `jwk` has the private half only while it
    signs.
    """

    kid = models.CharField(max_length=KID, unique=True)
    jwk = models.JSONField()
    made = models.BigIntegerField()
    until = models.BigIntegerField(null=True)
    revoked = models.BigIntegerField(null=True)
    reason = models.TextField()

    class Meta:
        ordering = ("pk",)

    @property
    def public(self) -> dict[str, Any]:
        """The public half as a JSON Web Key, with the times as members."""
        key: dict[str, Any] = {name: self.jwk[name] for name in ("kty", "crv", "x")}
        key |= {"kid": self.kid, "alg": CURVE, "use": "sig"}
        more: dict[str, Any] = {"made": self.made, "until": self.until, "revoked": self.revoked}
        more |= {"reason": self.reason}
        return key | {name: value for name, value in more.items() if value}

    def retire(self, now: int) -> None:
        """Let it sign no more."""
        self.jwk.pop("d", None)
        self.until = self.until or now


def signing_key(now: int) -> SigningKey:
    """Return the key that signs, made where there is none; two made at once are both good."""
    return SigningKey.objects.filter(until=None).last() or rotate(now)


@transaction.atomic
def rotate(now: int) -> SigningKey:
    """Let another key sign from now on."""
    from joserfc.jwk import OKPKey  # no process starts later for it

    for old in SigningKey.objects.select_for_update().filter(until=None):
        old.retire(now)
        old.save()
    made = OKPKey.generate_key(CURVE)
    while made.thumbprint().startswith("-"):  # it would pass for an option at the command line
        made = OKPKey.generate_key(CURVE)
    jwk = {name: str(value) for name, value in made.as_dict(private=True).items()}
    return SigningKey.objects.create(kid=made.thumbprint()[:KID], jwk=jwk, made=now)


@transaction.atomic
def revoke(kid: str, reason: str, now: int) -> bool:
    """Withdraw a key: its signatures are no longer accepted. Return whether there is such a key."""
    key = SigningKey.objects.select_for_update().filter(kid=kid).first()
    if key is None:
        return False
    key.retire(now)
    key.revoked, key.reason = now, reason
    key.save()
    return True
