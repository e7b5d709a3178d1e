"""The secret part of a shared book's address: no table keeps it, it is worked out each time."""

from django.utils.crypto import constant_time_compare, salted_hmac

from armybuilder.books.models import OwnBook

#: Hexadecimal digits of a token: 160 bits.
TOKEN_LENGTH = 40


def share_token(book: OwnBook) -> str:
    """The token of the book's present share; another one after each time sharing was ended."""
    value = f"{book.pk}:{book.share_number}"
    digest = salted_hmac("armybuilder.books.sharing", value, algorithm="sha256").hexdigest()
    return digest[:TOKEN_LENGTH]


def opens(book: OwnBook, token: str) -> bool:
    """Whether the token opens the book now."""
    return book.shared and constant_time_compare(share_token(book), token)
