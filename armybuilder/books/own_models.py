"""Own models of a list kept in a book of the player's, for the lists to come."""

from django.utils.translation import gettext as _

from armybuilder.authoring import edits
from armybuilder.authoring.fields import ReadCard
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.selectors import own_books
from armybuilder.engine.catalogue import System
from armybuilder.loading.armylist import ListProfile
from armybuilder.loading.documents import Document


def keep_model(holder: str, system: System, profile: ListProfile) -> OwnBook:
    """Put an own model into the holder's book "My models", made where there is none.

    One of the same name is replaced. Raises Refusal as the cards of books do, and NoRoom.
    """
    abilities = [
        {"ability": use.ability, "target": use.target} if use.target else use.ability
        for use in profile.abilities
    ]
    unit = {"name": profile.name, "stats": dict(profile.stats), "abilities": abilities}

    def kept(document: Document) -> services.BookResult:
        after = edits.put_cards(document, system, [ReadCard(unit, (), ())], replace=True)
        return services.BookResult(after, _("Kept {name}.").format(name=profile.name))

    name = _("My models")
    book = own_books(holder).filter(system=system.id, name=name).first()
    if book is None:
        document = edits.new_book(system, new_book_id(), name)
        return services.create_book(holder, kept(document).document)
    return services.change_book(holder, book.pk, kept).book
