"""A catalogue as a book: the steps of the translation in their order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import Element

from armybuilder.loading.deadline import check
from armybuilder.loading.problems import Refusal
from bookimport import organisation
from bookimport.amounts import Reckoner
from bookimport.conditions import Translator
from bookimport.costs import points_of
from bookimport.drafts import BookDraft, Notes, UnitDraft
from bookimport.ids import Ids, conditions_of
from bookimport.ledger import summary
from bookimport.linked import with_linked, with_root_links
from bookimport.mends import mend, name_item_limits, name_melee_weapons
from bookimport.mounts import complete_mounts
from bookimport.names import book_title, clean, kebab
from bookimport.nodes import Builder
from bookimport.origin import Tracer
from bookimport.other_editions import OWN_EDITION, OtherEditions
from bookimport.parsing import Parser
from bookimport.reading import Sources
from bookimport.render import Renderer
from bookimport.rulebook import NINTH_AGE, Rulebook
from bookimport.source import SourceEntry, SourceFile
from bookimport.spelling import spell_once, tie_to_options
from bookimport.survey import Survey
from bookimport.tidy import Tidying, attach, drop_empty, drop_never, prune
from bookimport.traits import Traits
from bookimport.units import UnitMaker
from bookimport.vocabulary import check_version, strange_parts

#: The largest part of a book's units that may be left out.
MOST_LEFT_OUT: Final = 0.25


@dataclass(frozen=True)
class Import:
    """A book as it is written, its places in the source, every restriction's outcome, and notes."""

    book: dict[str, Any]
    origin: dict[str, Any]
    audit: dict[str, Any]
    notes: Notes


def make_book(
    sources: Sources,
    number: int,
    system: str,
    rules: Rulebook = NINTH_AGE,
    others: OtherEditions = OWN_EDITION,
) -> Import:
    """Make the book of the catalogue with this number, for the game system with this id, whose
    `rules` it need not say again; `others` have the stat lines that it lacks. Raises Refusal at
    constructs that are not understood, and where it is for another game.
    """
    game, catalogue = _parsed(sources, number, rules)
    notes = Notes()
    survey = Survey(catalogue, game, notes, rules, sources.unlinked)
    categories = organisation.category_ids(catalogue, game)
    known = organisation.same_categories(categories, catalogue, game)
    forces = organisation.force_ids(catalogue)
    translator = Translator(survey, known, forces)
    reckoner = Reckoner(translator)
    traits = Traits(reckoner)
    builder = Builder(reckoner, traits, known)
    maker = UnitMaker(reckoner, traits, builder)
    units = list(_units(maker, survey))
    drop_empty(units, builder.shared, notes)
    shared = _used(units, builder.shared)
    # Before what is not checked is put where it applies: shares tell some, too.
    shares = organisation.categories(survey, translator, categories, forces)
    of_book = attach(survey, units, _nodes(units, shared))
    prune([*units, *_nodes(units, shared)])
    while drop_never(units, shared, notes):
        shared = _used(units, shared)
        prune([*units, *_nodes(units, shared)])
    tidying = Tidying(_asked(units, shared), shared, notes)
    tidying.tidy(units)
    ids = Ids(units, shared, tidying.stand_ins)
    book = _book(catalogue, system, units, ids, survey)
    book["categories"] = [Renderer(ids).moved(share) for share in shares]
    book["unchecked"] = [Renderer(ids).restriction(one) for one in of_book]
    mend(book, notes)
    others.complete(book)
    complete_mounts(book)
    book = _ordered(book, organisation.shown(catalogue), forces)
    spell_once(book)
    tie_to_options(book)
    name_melee_weapons(book)
    if rules.slots:
        name_item_limits(book)
    notes.read["army-wide rules, which a book has no place for"] += len(catalogue.rules)
    made = {unit.source for unit in units} | {node.source for node in _nodes(units, shared)}
    tracer = Tracer(survey, traits, ids, forces, categories, frozenset(made))
    origin = tracer.origin(book["id"], *_game_of(sources, number), _profile_types(sources, number))
    return Import(book, origin, audit_of(book, catalogue, survey), notes)


def _parsed(sources: Sources, number: int, rules: Rulebook) -> tuple[SourceFile, SourceFile]:
    """Return the game system and the book, with all that it has of other catalogues."""
    system = sources.system_of(number)
    points = points_of(sources, system)
    types = {one.get("id", ""): one.get("name", "") for one in _profile_types(sources, number)}
    prefixes = sources.prefixes(system[1].get("id", ""))

    def parse(file: str, root: Element) -> SourceFile:
        check_version(file, root)
        strange = strange_parts(file, root)
        return Parser(file, points.get("id", ""), types, strange, prefixes).file_of(root)

    game = parse(*system)
    book = with_root_links(with_linked(sources, number, parse), game)
    if not book.roots:
        raise Refusal(f"{book.file}: the catalogue has no units.")
    return game, organisation.with_forces(book, game)


def _game_of(sources: Sources, number: int) -> tuple[Element, Element]:
    """Return the root of a book's game system, and the kind of cost that is its points."""
    system = sources.system_of(number)
    return system[1], points_of(sources, system)


def _profile_types(sources: Sources, number: int) -> Iterator[Element]:
    """Yield the kinds of profile of a book's game, of the book and of all others, in this order."""
    for _file, root in (sources.system_of(number), sources.books[number], *sources.books):
        yield from root.iterfind("profileTypes/profileType")


def _units(maker: UnitMaker, survey: Survey) -> Iterator[UnitDraft]:
    """Yield the units that are understood. Raises Refusal where too many are not."""
    refusals = []
    for root in survey.book.roots:
        check()
        try:
            yield maker.unit(root)
        except Refusal as refusal:
            survey.leave_out(root, refusal)
            refusals.append(refusal)
    if len(refusals) > MOST_LEFT_OUT * len(survey.book.roots):
        of = f"{len(refusals)} of {len(survey.book.roots)} units"
        raise Refusal(f"{refusals[0].sentence} So it is with {of}; the book is not made.")


def audit_of(book: dict[str, Any], source: SourceFile, survey: Survey) -> dict[str, Any]:
    """The outcome of every restriction in the source file of a book, as it is kept beside it."""
    left_out = [
        {"place": survey.place(one.at), "what": one.what}
        for one in survey.notes.opens
        if one.left_out and one.at is not None
    ]
    return {
        "format": "audit/1",
        "book": book["id"],
        "source": {"file": source.file, "revision": int(source.revision or 0)},
        **summary(survey.notes.ledger, survey.restrictions()),
        "left_out": left_out,
    }


def _asked(units: list[UnitDraft], shared: dict[SourceEntry, BookDraft]) -> set[SourceEntry]:
    nodes: list[BookDraft | UnitDraft] = [*units, *_nodes(units, shared)]
    return {thing for node in nodes for thing, _ in conditions_of(node)}


def _nodes(units: list[UnitDraft], shared: dict[SourceEntry, BookDraft]) -> list[BookDraft]:
    """Return everything below units and in shared nodes."""
    tops: list[UnitDraft | BookDraft] = [*units, *shared.values()]
    return [node for top in tops for node in top.walk()]


def _used(
    units: list[UnitDraft], shared: dict[SourceEntry, BookDraft]
) -> dict[SourceEntry, BookDraft]:
    """The shared nodes that units use, directly or through others, in the order of first use."""
    found: dict[SourceEntry, BookDraft] = {}
    level = [draft for unit in units for draft in unit.walk()]
    while level:
        draft = level.pop(0)
        if draft.kind == "use" and draft.source not in found:
            found[draft.source] = shared[draft.source]
            level = [*shared[draft.source].walk(), *level]
    return found


def _book(
    catalogue: SourceFile, system: str, units: list[UnitDraft], ids: Ids, survey: Survey
) -> dict[str, Any]:
    title = book_title(catalogue.name)
    renderer = Renderer(ids)
    note = f"imported from BattleScribe file {catalogue.file}, revision {catalogue.revision}"
    return {
        "format": "book/1",
        "id": kebab(title),
        "system": system,
        "name": title,
        "about": f"The army book {title}: its units, options and special items.",
        "kind": "imported",
        "source": {"title": clean(catalogue.name), "note": note},
        "options": [renderer.node(draft) for draft in ids.shared.values()],
        "units": [renderer.unit(unit) for unit in units],
        "gaps": [_gap(gap.at, gap.what, ids, survey) for gap in survey.notes.gaps],
    }


def _gap(at: SourceEntry | None, what: str, ids: Ids, survey: Survey) -> dict[str, str]:
    if at is None:
        return {"where": "categories", "what": what}
    target = survey.resolved(at)
    owners = [unit for unit in survey.book.roots if unit in survey.owners[at]]
    home = ids.of(owners[0]) if len(owners) == 1 and ids.knows(owners[0]) else ""
    own = ids.of(target) if target is not None and ids.knows(target) else ""
    if not own and target is not None and (target not in owners or not home):
        own = kebab(at.name)
    where = "/".join(dict.fromkeys(part for part in (home, own) if part))
    return {"where": where or "categories", "what": what}


def _ordered(book: dict[str, Any], shown: list[Any], forces: dict[str, str]) -> dict[str, Any]:
    """Return the book's keys in the order people look for them; empty lists left out."""
    if forces:
        book["organisations"] = [{"id": forces[one.id], "name": one.name} for one in shown]
    first = ("format", "id", "system", "name", "about", "kind", "source", "gaps", "unchecked")
    keys = (*first, "categories", "organisations", "options", "units")
    return {key: book[key] for key in keys if book.get(key)}
