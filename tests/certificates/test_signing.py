"""What is signed is read back as it was; whatever is changed is refused, with its own sentence."""

import base64
import hmac
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from joserfc.jwk import OKPKey

from armybuilder.certificates.making import (
    LIFE,
    CertifiedVerdict,
    Claims,
    certify,
    check,
    published_keys,
    sign,
    verify,
)
from armybuilder.certificates.models import CURVE, SigningKey, revoke, rotate, signing_key
from armybuilder.engine.verdict import Counts, Outcome
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from tests.api.calls import DOCUMENT
from tests.building.documents import value_of
from tests.markup import lacking
from tests.sharing.test_leaks import LISTS

HERE = "https://armies.example"
NOW = 1_800_000_000


def certificate(document: Any = DOCUMENT, pack: str = "") -> str:
    library = shipped_library()
    return certify(value_of(document), library, HERE, library.packs[pack] if pack else None)


def _bytes(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _text(value: Any) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def test_a_list_comes_back_as_it_was_with_what_was_found() -> None:
    for name in LISTS:
        document = value_of(LISTS[name])
        claims = check(certify(document, shipped_library(), HERE)).claims
        assert claims.army_list == document, name
        assert claims.issuer == HERE
        assert claims.expires - claims.issued == LIFE
        assert claims.pack is None
    word = certificate()
    assert check(f" {word[:70]}\n  {word[70:]}\n").kid == check(word).kid, "spaces of a mail"
    assert not check(word).expired
    assert verify(word, published_keys(), check(word).claims.expires + 1).expired


def test_errors_what_is_to_do_and_what_was_not_checked_are_certified_too() -> None:
    units = [{**DOCUMENT["units"][0], "models": 11}]
    claims = check(certificate({**DOCUMENT, "units": units})).claims
    assert (claims.game.legal, claims.game.words) == (False, "Not legal: 1 error")
    assert claims.points[0] == 330
    empty = check(certificate({**DOCUMENT, "units": []})).claims.game
    assert (empty.words, empty.outcome) == ("Not legal yet: 1 to do", Outcome.ILLEGAL)
    unchecked = CertifiedVerdict(Counts(0, 0, 1, 2))
    assert CertifiedVerdict.read(unchecked.numbers) == unchecked
    assert unchecked.outcome is Outcome.UNCHECKED
    assert unchecked.words == "Legal, 2 restrictions not checked · 1 warning"


def test_old_verdict_numbers_are_read_and_contradictions_refused() -> None:
    for numbers, words in (
        ([1, 0, 2], "Legal as far as checked"),
        ([0, 3, 0], "Not legal: 3 errors"),
    ):
        read = CertifiedVerdict.read(numbers)
        assert (read.words, read.numbers) == (words, numbers)
        assert read.outcome is not Outcome.LEGAL
    for numbers in ([1, 1, 0], [0, 0, 0], [1, 0], [0, 1, 0, 2, 0], [1, 0, 0, 0]):
        with pytest.raises(ValueError, match=r"contradict|unpack"):
            CertifiedVerdict.read(numbers)


def test_a_certificate_has_the_verdicts_of_game_and_event() -> None:
    pack = next(one for one in shipped_library().packs.values() if one.system == "sbh")
    claims = check(certificate(pack=pack.id)).claims
    assert claims.pack == (pack.id, pack.revision)
    assert claims.event is not None
    assert claims.game == check(certificate()).claims.game
    other = next(one for one in shipped_library().packs.values() if one.system != "sbh")
    with pytest.raises(Refusal, match="a different game"):
        certificate(pack=other.id)


def flipped(part: str, place: int) -> str:
    """Return a part of a certificate with one bit changed."""
    changed = bytearray(_bytes(part))
    changed[place] ^= 1
    return _text(bytes(changed))


def test_one_bit_of_any_field_or_of_the_signature_is_noticed() -> None:
    header, payload, signature = certificate().split(".")
    claims = _bytes(payload)
    fields = ("v", "iss", "iat", "exp", "sys", "bks", "eng", "pts", "game", "sha", "doc")
    places = [claims.index(f'"{field}":'.encode()) + len(field) + 5 for field in fields]
    words = [f"{header}.{flipped(payload, place)}.{signature}" for place in places]
    for word in (*words, f"{header}.{payload}.{flipped(signature, 10)}"):
        with pytest.raises(Refusal, match="Invalid signature"):
            check(word)


def headed(head: Any) -> str:
    """A certificate with another head, signed by nobody."""
    return ".".join([_text(head), *certificate().split(".")[1:]])


def resigned(**head: Any) -> str:
    """A certificate whose head says more, signed by the key of this site."""
    key = signing_key(NOW)
    payload, whole = certificate().split(".")[1], {"alg": CURVE, "kid": key.kid, **head}
    head_and_payload = f"{_text(whole)}.{payload}"
    secret = OKPKey.import_key(dict(key.jwk)).private_key
    signature = _text(secret.sign(head_and_payload.encode()))
    return f"{head_and_payload}.{signature}"


def test_a_certificate_signed_by_the_tests_is_valid() -> None:
    assert check(resigned()).claims.game.legal


@pytest.mark.parametrize(
    "more",
    [
        *({"crit": ["b64"], "b64": False}, {"crit": ["b64"], "b64": True}, {"b64": True}),
        *({"b64": 1}, {"crit": []}, {"crit": 5}, {"crit": ["exp"], "exp": 9}),
        *({"jku": "https://a.example/keys"}, {"x5u": "https://a.example"}, {"x5c": ["AAAA"]}),
        *({"jwk": {"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}}, {"zip": "DEF"}),
        *({"typ": "JWT"}, {"cty": "JWT"}, {"": ""}),
    ],
    ids=lambda more: "-".join(more),
)
def test_a_header_with_extra_fields_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="not accepted"):
        check(resigned(**more))


@pytest.mark.parametrize(
    "way",
    ["none", "nOnE", "", "HS256", "HS512", "EdDSA", "ES256", "ed25519", ["Ed25519"], {}, 7, None],
)
def test_other_signature_methods_are_refused(way: Any) -> None:
    word = resigned(alg=way)
    for made in (word, word.rpartition(".")[0] + "."):
        with pytest.raises(Refusal, match="not accepted"):
            check(made)


def test_the_public_key_is_no_secret_to_sign_with() -> None:
    head = _text({"alg": "HS256", "kid": signing_key(NOW).kid})
    signed = f"{head}.{certificate().split('.')[1]}"
    (key,) = published_keys()
    for secret in (_bytes(key["x"]), key["x"].encode(), json.dumps(key).encode()):
        mac = hmac.digest(secret, signed.encode(), "sha256")
        with pytest.raises(Refusal, match="not accepted"):
            check(f"{signed}.{_text(mac)}")


@pytest.mark.parametrize(
    "kid", ["somebody-elses", "", "../../etc/passwd", ["a"], {}, 0, True, None]
)
def test_a_key_that_is_not_known_is_said_to_be(kid: Any) -> None:
    with pytest.raises(Refusal, match="don’t know"):
        check(resigned(kid=kid))


def test_nonsense_is_no_certificate() -> None:
    word = certificate()
    _head, payload, signature = word.split(".")
    whole = {"payload": payload, "protected": _head, "signature": signature}
    heads = [
        None,
        5,
        "alg",
        ["alg", "kid"],
        ["alg", "b64"],
        [],
        {"alg": CURVE, "kid": "a" * 10_000},
    ]
    words = [
        *("", "x", "a.b.c", "…", "…….e30.e30", "a" * 200_000, "[" * 90_000, "e30.e30"),
        *(f"{word}.e30", word.rpartition(".")[0], word.removeprefix("e"), json.dumps(whole)),
        *map(headed, heads),
    ]
    for made in words:
        with pytest.raises(Refusal, match="not a complete certificate"):
            check(made)
    for made in (
        "e30.e30.e30",
        f"{word}=",
        f"{word[:-1]}…",
        f"{word}AAAA",
        f"{_head}..{signature}",
    ):
        with pytest.raises(Refusal):
            check(made)


def signed(raw: bytes) -> str:
    """Sign something else well."""

    class Other(Claims):
        def to_json(self) -> bytes:
            return raw

    claims = check(certificate()).claims
    return sign(Other(**{name: getattr(claims, name) for name in Claims.__slots__}), signing_key(0))


def test_a_signed_certificate_of_nonsense_is_refused() -> None:
    data = json.loads(check(certificate()).claims.to_json())
    for change, sentence in (
        ({"v": "certificate/9"}, "kind of certificate"),
        ({"sha": "0" * 64}, "doesn’t match"),
        ({"doc": "AAAA"}, "cannot be read"),
        ({"pts": []}, "cannot be read"),
        ({"game": 7}, "cannot be read"),
    ):
        with pytest.raises(Refusal, match=sentence):
            check(signed(json.dumps({**data, **change}).encode()))


def test_the_key_is_made_once_and_its_private_half_is_published_nowhere() -> None:
    assert not SigningKey.objects.exists()
    first = signing_key(NOW)
    assert signing_key(NOW + 1) == first
    rotate(NOW + 1)
    assert len(published_keys()) == 2
    assert all("d" not in key for key in published_keys())
    assert all(key["crv"] == "Ed25519" for key in published_keys())


def test_what_an_older_key_has_signed_stays_good() -> None:
    word = certificate()
    old = signing_key(NOW)
    new = rotate(check(word).claims.issued + 1)
    assert signing_key(NOW) == new != old
    assert check(word).kid == old.kid
    assert "d" not in SigningKey.objects.all()[0].jwk  # nobody signs with it any more
    assert check(certificate()).kid == new.kid


def test_a_key_signs_nothing_after_its_end() -> None:
    claims = check(certificate()).claims
    old = signing_key(NOW)
    rotate(claims.issued - 1)
    with pytest.raises(Refusal, match="after its signing key expired"):
        check(sign(claims, old))
    assert check(sign(replace(claims, issued=claims.issued - 5), old)).kid == old.kid


def test_what_a_withdrawn_key_has_signed_is_refused_with_the_reason() -> None:
    word = certificate()
    assert revoke(signing_key(NOW).kid, "the laptop was stolen", NOW)
    with pytest.raises(Refusal, match="withdrawn: the laptop was stolen"):
        check(word)
    assert not revoke("nobody", "", NOW)
    assert check(certificate()).claims.game.legal  # by another key


# Certificates checked, and keys kept, at the command line.


def printed_by(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_the_command_shows_a_certificate_and_writes_its_list(tmp_path: Path) -> None:
    file, made = tmp_path / "word", tmp_path / "list.json"
    file.write_text(f"https://armies.example/verify/#{certificate()}\n")
    said = printed_by("verify_certificate", str(file), "-o", str(made))
    assert lacking(said, "300 of 300 points", ": Legal\n") == []
    assert json.loads(made.read_text()) == DOCUMENT


def test_another_server_is_believed_by_its_published_keys(tmp_path: Path) -> None:
    file, keys = tmp_path / "word", tmp_path / "published.json"
    file.write_text(certificate())
    keys.write_text(json.dumps({"keys": published_keys()}))
    SigningKey.objects.all().delete()
    assert "Legal" in printed_by("verify_certificate", str(file), "--keys", str(keys))
    with pytest.raises(CommandError, match="don’t know") as failed:
        printed_by("verify_certificate", str(file))
    assert failed.value.returncode == 1
    # Files that hold no keys or are not there are told.
    file.write_text(certificate())
    for content in ("{}", "[]", "x", '{"keys": [1]}', '{"keys": [{"kid": "a"}]}'):
        keys.write_text(content)
        with pytest.raises(CommandError, match=r"published\.json") as failed:
            printed_by("verify_certificate", str(file), "--keys", str(keys))
        assert failed.value.returncode == 2, content
    with pytest.raises(CommandError, match="cannot be read") as failed:
        printed_by("verify_certificate", str(tmp_path / "none"))
    assert failed.value.returncode == 2


def test_keys_are_listed_rotated_and_withdrawn() -> None:
    assert printed_by("certificate_keys") == ""
    certificate()
    old = signing_key(0).kid
    assert f"{old}  from" in printed_by("certificate_keys")
    said = printed_by("certificate_keys", "--rotate").splitlines()
    assert " to " in said[0]
    assert said[1].endswith(", signs")
    with pytest.raises(CommandError, match="--reason"):
        printed_by("certificate_keys", "--revoke", old)
    assert "withdrawn" in printed_by("certificate_keys", "--revoke", old, "--reason", "lost")
    with pytest.raises(CommandError, match="no key"):
        printed_by("certificate_keys", "--revoke", "x", "--reason", "lost")
