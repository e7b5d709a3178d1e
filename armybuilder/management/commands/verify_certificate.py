"""`manage.py verify_certificate FILE`: what does a certificate say, and is it whole?

FILE holds the certificate, or the address that its code leads to; `-` reads it from the standard
input. `--keys FILE` checks it by the published keys of another server
(its `/.well-known/army-builder-keys.json`). Exit 0: it is, 1: it is not, 2: unreadable.
"""

import argparse
import json
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.certificates.making import MOST_LETTERS, Verified, published_keys, verify
from armybuilder.management.refusals import refusing


class Command(BaseCommand):
    help = "Check a certificate of an army list."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", help="the certificate; - for the standard input")
        parser.add_argument("--keys", type=Path, help="published keys of another server")
        parser.add_argument("-o", "--output", type=Path, help="output file of the list")

    def handle(self, *_: Any, **options: Any) -> None:
        text = sys.stdin.read(MOST_LETTERS) if options["file"] == "-" else _read(options["file"])
        keys = _keys(options["keys"]) if options["keys"] else published_keys()
        with refusing(returncode=1):
            verified = verify(text.rpartition("#")[2], keys, int(time.time()))
        for line in _told(verified):
            self.stdout.write(line)
        if options["output"]:
            text = json.dumps(verified.claims.army_list.to_dict(), indent=2, ensure_ascii=False)
            options["output"].write_text(f"{text}\n", encoding="utf-8")


def _read(name: str) -> str:
    try:
        with Path(name).open(encoding="ascii") as file:
            return file.read(MOST_LETTERS)
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{name}: cannot be read: {error}", returncode=2) from error


def _keys(file: Path) -> list[dict[str, Any]]:
    try:
        keys: list[dict[str, Any]] = json.loads(file.read_bytes())["keys"]
        whole = all({"kid", "kty", "crv", "x"} <= key.keys() for key in keys)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CommandError(f"{file}: these are no keys: {error}", returncode=2) from error
    if not whole:
        raise CommandError(f"{file}: a key is incomplete.", returncode=2)
    return keys


def _told(verified: Verified) -> list[str]:
    claims = verified.claims
    lines = [
        f"{claims.army_list.name}: {' of '.join(map(str, claims.points))} points",
        f"Judged by {claims.issuer} on {_moment(claims.judged_at)}, engine {claims.engine}",
        f"By its game, {claims.army_list.system} {claims.system_revision}: {claims.game.words}",
    ]
    if claims.pack is not None and claims.event is not None:
        pack, revision = claims.pack
        lines.append(f"At the event {pack} {revision}: {claims.event.words}")
    ended = f"{'Expired' if verified.expired else 'Valid until'} {_moment(claims.good_until)}"
    return [*lines, f"{ended}. Key {verified.kid}. List {claims.list_hash}"]


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")
