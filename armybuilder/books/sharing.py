"""The secret part of a shared book's address: random, another one after each end of sharing."""

import secrets

from django.utils.crypto import constant_time_compare

from armybuilder.books.models import OwnBook


def new_token() -> str:
    """A token: 160 bits as 40 hexadecimal digits."""
    return secrets.token_hex(20)


def opens(book: OwnBook, token: str) -> bool:
    """Whether the token opens the book now."""
    known = book.share_token
    return book.shared and bool(known) and constant_time_compare(known, token)
