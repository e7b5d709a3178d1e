"""Systems that extend another: what they take over and share, and what is told of mistakes."""

from pathlib import Path
from shutil import rmtree
from typing import Any

from armybuilder.engine.catalogue import System
from armybuilder.loading.library import Library, load_library, shipped_library
from armybuilder.loading.systems import extend
from tests.building.tiny import (
    Data,
    ability,
    book_data,
    edition,
    judge,
    rule,
    system_data,
    take,
    unit,
    write_folder,
)

ERRATA = {"errata": {"title": "The errata", "short": "Errata"}}


def read(directory: Path, *folders: tuple[Data, list[Data]]) -> Library:
    rmtree(directory)
    directory.mkdir()
    for system, books in folders:
        write_folder(directory, system, *books)
    return load_library(directory)


def second(directory: Path, first: Data | None = None, **more: Any) -> System:
    """The second edition of the tiny game, with these sections of its own."""
    library = read(directory, (first or system_data(), []), (edition(**more), []))
    assert library.problems == ()
    return library.system("second")


def places_of_problems(library: Library) -> list[tuple[str, str]]:
    return [(problem.file, problem.pointer) for problem in library.problems]


# What is taken over


def test_whole_sections_that_a_file_leaves_out_are_those_of_the_system_it_extends(
    tmp_path: Path,
) -> None:
    made = second(tmp_path, system_data(family="Tiny", sometimes="reserve", own_models=True))
    first = load_library(tmp_path).system("tiny")
    assert (made.id, made.name, made.about) == ("second", "Second", "Another edition.")
    assert (made.family, made.sometimes, made.own_models) == ("Tiny", "reserve", True)
    for section in ("stats", "attributes", "abilities", "spells", "roles", "settings"):
        assert list(getattr(made, section)) == list(getattr(first, section)), section
    assert [each.head.id for each in made.rules] == [each.head.id for each in first.rules]
    assert (made.sizes, made.default_size) == (first.sizes, first.default_size)
    only = rule("limit", id="few", count="models", max=3)
    made = second(tmp_path, rules=[only], roles=[])
    assert [each.head.id for each in made.rules] == ["few"]
    assert made.roles == {}


def test_abilities_and_spells_are_added_or_replace_others_with_their_sources(
    tmp_path: Path,
) -> None:
    rage = ability("rage", rating="plus")
    big = ability("big", summary="Is bigger.", points=9)
    spells = [
        {"id": "frost", "name": "frost", "summary": "Freezes.", "cite": "3"},
        {"id": "spark", "name": "spark", "summary": "Burns.", "cite": "3"},
    ]
    made = second(tmp_path, abilities=[rage, big], spells=spells)
    known = [each["id"] for each in system_data()["abilities"]]
    assert list(made.abilities) == [*known, "rage"], "a new one comes last"
    assert (made.abilities["big"].summary, made.abilities["big"].points) == ("Is bigger.", 9)
    assert made.abilities["big"].tags == frozenset(), "replaced whole"
    assert made.abilities["huge"].tags == {"tag:size"}
    assert list(made.spells) == ["spark", "frost"]
    assert made.spells["spark"].summary == "Burns."
    wings, page = ability("wings"), {"source": "book", "place": "9"}
    made = second(tmp_path, sources=ERRATA, abilities=[wings, {**ability("claw"), "cite": page}])
    cited = {name: str(made.abilities[name].citation) for name in ("big", "wings", "claw")}
    assert cited == {"big": "Tiny 2", "wings": "Errata 2", "claw": "Tiny 9"}
    assert str(made.rules[0].head.citation) == "Tiny 1"
    assert made.source == "The errata", "its own first source is what it is cited by"
    made = second(tmp_path, sources={"book": {"title": "The new book", "short": "New"}})
    assert str(made.abilities["big"].citation) == "New 2", "a source of the same key is replaced"
    made = second(tmp_path, abilities=[ability("wings")])
    assert str(made.abilities["wings"].citation) == "Tiny 2", "the first source of the other file"
    third = edition("third", "second", sources={"web": {"title": "The page", "short": "Web"}})
    library = read(
        tmp_path,
        (system_data(), []),
        (edition(sources=ERRATA, family="Tiny", abilities=[ability("wings")]), []),
        (third, []),
    )
    assert library.problems == ()
    made = library.system("third")
    assert (made.name, made.family, made.source) == ("Third", "Tiny", "The page")
    cited = [str(made.abilities[name].citation) for name in ("wings", "big")]
    assert cited == ["Errata 2", "Tiny 2"]


def test_each_edition_counts_for_itself(tmp_path: Path) -> None:
    few = rule("limit", id="few", count="models", of={"ability": "wild"}, max=1)
    made = second(tmp_path, rules=[few])
    first = load_library(tmp_path).system("tiny")
    assert made.selector_index is not first.selector_index
    assert len(first.selector_index.selectors) < len(made.selector_index.selectors)
    first, other = system_data(), edition(abilities=[ability("wings")])
    before = repr((first, other))
    extend(other, first)
    assert repr((first, other)) == before


# Books are shared


def test_books_of_the_other_system_can_be_used_but_the_own_folders_come_first(
    tmp_path: Path,
) -> None:
    library = read(tmp_path, (system_data(), [book_data()]), (edition(), []))
    file = tmp_path / "tiny" / "book.json"
    files = {place: read.path for place, read in library.files.items()}
    assert files == {("tiny", "book"): file, ("second", "book"): file}
    assert library.shipped_data("second", "book") == book_data()
    few = rule("limit", id="few", count="models", max=1)
    library = read(
        tmp_path,
        (system_data(), [book_data()]),
        (edition(rules=[few]), [book_data(unit("imp"), id="imps", system="second")]),
    )
    assert library.problems == ()
    assert {key: sorted(books) for key, books in library.books.items()} == {
        "second": ["book", "imps"],
        "tiny": ["book"],
    }
    shared = [library.books[system]["book"] for system in ("second", "tiny")]
    assert len({book.revision for book in shared}) == 1
    entry = take("soldier", 2)
    verdicts = [
        judge(library.catalogue(system, ["book"]), entry).legal for system in ("tiny", "second")
    ]
    assert verdicts == [True, False]
    library = read(
        tmp_path,
        (system_data(), [book_data()]),
        (edition(), [book_data(unit("imp"), system="second")]),
    )
    assert list(library.books["second"]["book"].units) == ["book/imp"]
    assert len(library.books["tiny"]["book"].units) == 5


def test_a_mistake_in_a_shared_book_is_reported_once_or_for_its_edition(tmp_path: Path) -> None:
    write_folder(tmp_path, edition())
    for key, value in (("id", "other"), ("system", "second")):
        write_folder(tmp_path, system_data(), {**book_data(), key: value})
        if key == "id":
            (tmp_path / "tiny/other.json").rename(tmp_path / "tiny/book.json")
        assert places_of_problems(load_library(tmp_path)) == [("tiny/book.json", f"/{key}")]
    book = book_data(unit("soldier", 5))
    book["units"][0]["pionts"] = 5
    third = edition("third", "second")
    library = read(tmp_path, (system_data(), [book]), (edition(), []), (third, []))
    assert places_of_problems(library) == [("tiny/book.json", "/units/0")]
    assert all(books == {} for books in library.books.values())
    faction, side = system_data()["attributes"]
    narrow = [faction, {**side, "values": {"good": "Good"}}]
    library = read(
        tmp_path,
        (system_data(), [book_data(unit("imp", side="evil"))]),
        (edition(attributes=narrow), []),
    )
    assert places_of_problems(library) == [
        ("tiny/book.json (in second)", "/units/0/attributes/side")
    ]
    assert (list(library.books["tiny"]), list(library.books["second"])) == (["book"], [])


# Editions of one game


def test_systems_of_one_family_are_editions_of_each_other(tmp_path: Path) -> None:
    library = read(
        tmp_path,
        (system_data(family="Tiny"), []),
        (edition(), []),
        (edition("third", "second", family="Other"), []),
    )
    of = {
        key: [each.id for each in library.editions(made)] for key, made in library.systems.items()
    }
    assert of == {"tiny": ["second"], "second": ["tiny"], "third": []}
    library = read(tmp_path, (system_data(), []), (edition(), []))
    assert library.editions(library.system("tiny")) == [], "without a family there are none"
    library = shipped_library()
    first = library.system("chainmail-2002")
    editions = [first, *library.editions(first)]
    assert len(editions) > 1
    for made in editions:
        assert set(library.books[first.id]) <= set(library.books[made.id]), made.id


def test_a_system_says_which_books_of_the_one_it_extends_it_takes(tmp_path: Path) -> None:
    for named, there in (
        (None, ["mine", "book", "other"]),
        ([], ["mine"]),
        (["other"], ["mine", "other"]),
    ):
        only = {} if named is None else {"base_books": named}
        library = read(
            tmp_path,
            (system_data(), [book_data(), book_data(id="other")]),
            (edition(**only), [book_data(id="mine", system="second")]),
            (edition("third", "second"), []),
        )
        assert library.problems == ()
        assert list(library.books["second"]) == there
        assert sorted(library.books["third"]) == sorted(there), "it takes what the second takes"
        assert sorted(library.books["tiny"]) == ["book", "other"]


# Mistakes


def test_mistakes_of_a_system_and_what_it_extends_are_reported_where_they_are(
    tmp_path: Path,
) -> None:
    library = read(tmp_path, (edition(extends="tiny"), []))
    assert places_of_problems(library) == [("second/system.json", "/extends")]
    assert "“tiny”" in library.problems[0].message
    assert library.systems == {}
    first = (system_data(), [book_data()])
    library = read(tmp_path, first, (edition(base_books=["book", "boook"]), []))
    assert places_of_problems(library) == [("second/system.json", "/base_books/1")]
    assert "“boook”" in library.problems[0].message
    data = edition()
    del data["extends"]
    (problem,) = read(tmp_path, (data, [])).problems
    assert "“rules”" in problem.message, "what extends nothing needs every section"
    wrong = rule("stat", stat="wit", min=1)
    third = edition("third", "second")
    library = read(tmp_path, (system_data(wrong), []), (edition(), []), (third, []))
    assert sorted(places_of_problems(library)) == [
        ("second/system.json", "/extends"),
        ("third/system.json", "/extends"),
        ("tiny/system.json", "/rules/0/stat"),
    ]
    assert library.systems == {}
    wrong = rule("stat", stat="wit", min=1)
    library = read(tmp_path, (system_data(), [book_data()]), (edition(rules=[wrong]), []))
    assert places_of_problems(library) == [("second/system.json", "/rules/0/stat")]
    assert list(library.systems) == ["tiny"]
    assert list(library.books["tiny"]) == ["book"]
    wings, stray = ability("wings"), {"source": "errat", "place": "1"}
    frost = {"id": "frost", "name": "frost", "summary": "Freezes.", "cite": "3"}
    for section, entries, where in (
        ("abilities", [wings, wings], "/abilities/1/id"),
        ("abilities", [wings, {**ability("claw"), "cite": stray}], "/abilities/1/cite/source"),
        ("spells", [frost, frost], "/spells/1/id"),
    ):
        more: Any = {section: entries}
        library = read(tmp_path, (system_data(), []), (edition(**more), []))
        assert places_of_problems(library) == [("second/system.json", where)]


def test_circular_extension_is_reported_for_its_members_only(tmp_path: Path) -> None:
    for length in (1, 2, 3):
        names = [f"ring-{number}" for number in range(length)]
        for number, name in enumerate(names):
            write_folder(tmp_path, edition(name, names[(number + 1) % length]))
        write_folder(tmp_path, system_data())
        library = load_library(tmp_path)
        assert places_of_problems(library) == [
            (f"{name}/system.json", "/extends") for name in names
        ]
        assert all("itself" in problem.message for problem in library.problems)
        assert list(library.systems) == ["tiny"]
    library = read(tmp_path, (edition("ring", "ring"), []), (edition("beside", "ring"), []))
    messages = {problem.file: problem.message for problem in library.problems}
    assert "itself" in messages["ring/system.json"]
    assert "“ring” that it extends has an error" in messages["beside/system.json"]
    assert len(library.problems) == 2
