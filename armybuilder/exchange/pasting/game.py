"""The game and books of a text: those chosen, those it names, those that have its units."""

from collections.abc import Sequence

from armybuilder.exchange.pasting.entries import cuts, number_behind, read_entry
from armybuilder.exchange.pasting.head import HeadChoice, OtherBook, game_of_units, named_game
from armybuilder.exchange.pasting.items import PastedForm
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.loading.library import Library


def game_of(
    form: PastedForm,
    library: Library,
    system_id: str | None,
    book_ids: Sequence[str],
    others: Sequence[OtherBook],
) -> HeadChoice:
    """Return the game and books: those chosen, those the text names, those that have its units."""
    whole = [PastedRow(item.numbers[0], item.text, item.text) for item in form.items]
    named = named_game(whole, library, others)
    if system_id:
        same = named.system == library.system(system_id).id
        books = tuple(book_ids) or (named.books if same else ())
        if not books:
            books = game_of_units(unit_names(form), library, system_id).books
        return HeadChoice(system_id, books, same, named.missing if same else ())
    if named.system and named.books:
        return named
    names = unit_names(form)
    guessed = game_of_units(names, library)
    if named.system and guessed.system != named.system:
        return named
    return HeadChoice(guessed.system, guessed.books, bool(named.system), named.missing)


def unit_names(form: PastedForm) -> list[str]:
    """Return what may be names of units, for a look at which books have them."""
    names = []
    for item in form.items:
        if item.kind in ("unit", "maybe"):
            words = read_entry(" ".join(item.text.split())).words
            names += [number_behind(cut.name)[0] for cut in cuts(words, 1)][:5]
    return names
