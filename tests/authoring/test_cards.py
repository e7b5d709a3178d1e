"""The form of a card: its fields, what they read, what they show, and what is kept."""

from typing import Any

from armybuilder.authoring.cards import CardField, CardForm, ReadCard
from armybuilder.authoring.edits import new_book, put_card
from armybuilder.loading.library import shipped_library

LIBRARY = shipped_library()
OWN = "own-0123456789abcdef"
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
DDM = LIBRARY.systems["ddm-2008"]
SBH = LIBRARY.systems["sbh"]
T9A = LIBRARY.systems["t9a-2023"]

Unit = dict[str, Any]


def read(
    system: Any, base: Unit | None = None, book: Unit | None = None, **values: str
) -> ReadCard:
    """A card of fields; "__" in a name stands for its hyphen."""
    given = {name.replace("__", "-"): value for name, value in values.items()}
    if base is None:
        given = {"name": "Ann", **given}
    return CardForm(system, book or new_book(system, OWN, "Mine")).read(given, base)


def mistake_of(card: ReadCard) -> str:
    """The one mistake of a card."""
    (mistake,) = card.mistakes
    return mistake.message


def names(system: Any) -> list[str]:
    return [field.name for field in CardForm(system, new_book(system, OWN, "Mine")).fields]


def field_of(system: Any, name: str) -> CardField:
    fields = CardForm(system, new_book(system, OWN, "Mine")).fields
    return next(field for field in fields if field.name == name)


def test_the_fields_of_a_card_are_those_of_its_game_in_the_order_of_the_card() -> None:
    assert names(CHAINMAIL)[:6] == [
        *("name", "points", "attr-faction", "attr-alignment", "attr-type", "subtype")
    ]
    last = ["abilities", "spells", "group", "owned", "set", "number", "note"]
    assert [name for name in names(CHAINMAIL) if name in last] == last
    assert "points" not in names(SBH)
    assert names(SBH)[:3] == ["name", "stat-quality", "stat-combat"]
    assert {"text-attacks", "text-powers", "keywords", "unique", "number"} <= set(names(DDM))
    faction = field_of(DDM, "attr-faction")
    assert faction.kind == "choices"
    assert ("wild", "Wild") in faction.choices
    wanted = {"size", "points_per_model", "categories", "cap", "can_lead", "options", "keywords"}
    assert wanted <= set(names(T9A))
    categories = dict(field_of(T9A, "categories").choices)
    assert {"characters", "core", "special"} <= categories.keys()
    for system in LIBRARY.systems.values():
        fields = CardForm(system, new_book(system, OWN, "Mine")).fields
        assert len({field.name for field in fields}) == len(fields)
        assert all(field.label and field.section for field in fields)


def test_numbers_are_read_in_any_notation_and_invalid_ones_named_with_the_right_form() -> None:
    for text in ("12", " 12 ", "+12", "12.0", "12,0", "12 points", "12 pts"):
        assert read(CHAINMAIL, points=text).unit["points"] == 12, text
    for text in ("", "-", "?", "–"):
        assert read(CHAINMAIL, points=text).unit["points"] is None, text
    assert mistake_of(read(CHAINMAIL, name="  ")) == "Name: This cannot be empty."
    empty = CardForm(CHAINMAIL, new_book(CHAINMAIL, OWN, "M")).read({})
    assert [mistake.field for mistake in empty.mistakes] == ["name"]
    for text, message in (
        ("7,5", "Points: “7,5” is not a whole number. Write 7 or 8."),
        ("7.5", "Points: “7.5” is not a whole number. Write 7 or 8."),
        ("1,200", "Points: Write “1,200” without a thousands separator."),
        ("=A1+2", "Points: “=A1+2” is a formula; write its result."),
        ("+A1", "Points: “+A1” is a formula; write its result."),
        ("#REF!", "Points: “#REF!” is a spreadsheet error; write the value you mean."),
        ("10000", "Points: “10000” is out of range. Write a number from 0 to 9999."),
        ("-1", "Points: “-1” is out of range. Write a number from 0 to 9999."),
        ("ten", "Points: “ten” is not a number. Write a whole number from 0 to 9999."),
        ("½", "Points: “½” is not a number. Write a whole number from 0 to 9999."),
        ("１２", "Points: “１２” is not a number. Write a whole number from 0 to 9999."),
    ):
        assert mistake_of(read(CHAINMAIL, points=text)) == message, text


def test_stats_are_read_with_the_signs_of_their_card_and_a_formula_needs_its_own() -> None:
    card = read(
        CHAINMAIL, stat__speed="6″", stat__save="−1", stat__ranged_range='12"', stat__base="25 mm"
    )
    assert card.mistakes == ()
    assert card.unit["stats"] == {"speed": "6", "save": -1, "ranged_range": 12, "base": 25}
    assert read(SBH, stat__quality="3+", stat__combat="4").unit["stats"] == {
        "quality": 3,
        "combat": 4,
    }
    card = read(SBH, stat__quality="7", stat__combat="-")
    assert [mistake.message for mistake in card.mistakes] == [
        "Quality: “7” is out of range. Write a number from 2 to 6.",
        "Combat: Needed for the points. Write a number from 0 to 6.",
    ]
    for text in ("thalos", "Thalos", "THALOS "):
        assert read(CHAINMAIL, attr__faction=text).unit["attributes"] == {"faction": "thalos"}, text
    assert mistake_of(read(CHAINMAIL, attr__faction="Thalso")) == (
        "Faction: Chainmail 2002 has no faction “Thalso”. Did you mean Thalos?"
    )
    assert mistake_of(read(CHAINMAIL, attr__alignment="sour")) == (
        "Alignment: Chainmail 2002 has no alignment “sour”. Write one of Good, Neutral, Evil."
    )
    assert mistake_of(read(CHAINMAIL, attr__alignment="good, evil")) == (
        "Alignment: Only one is allowed here."
    )
    card = read(DDM, attr__faction="Wild / Borderlands", attr__alignment="evil")
    assert card.unit["attributes"] == {"faction": ["wild", "borderlands"], "alignment": "evil"}
    assert read(DDM, attr__faction="wild").unit["attributes"] == {"faction": "wild"}


def test_abilities_are_read_as_cards_print_them_with_their_boxes_and_those_of_spells() -> None:
    for text, entry in (
        ("Commander 4", "commander 4"),
        ("COMMANDER +4", "commander 4"),
        ("commander ?", "commander ?"),
        ("Commander?", "commander ?"),
        ("Difficult Troop x2", "difficult-troop 2"),
        ("Difficult Troop ×2", "difficult-troop 2"),
        ("difficult troop 2", "difficult-troop 2"),
        ("Scout +4", "scout 4"),
        ("Morale −2", "morale -2"),
        ('Reach 1"', "reach 1"),
        ("Reach 1″", "reach 1"),
        ("Skeletal 11+", "skeletal 11"),
        ("Skeletal", "skeletal"),
        ("Poison DC 14", "poison 14"),
        ("Fight +2 (undead)", "fight 2: undead"),
        ("Fight (undead) +2", "fight 2: undead"),
        ("fight 2: undead", "fight 2: undead"),
        ("Fight Dwarf -4", "fight-dwarf"),
        ("Immune (fire, cold)", "immune: fire, cold"),
        ("Blind Fight", "blind-fight"),
    ):
        card = read(CHAINMAIL, abilities=text)
        assert card.mistakes == (), text
        assert card.unit["abilities"] == [entry], text
        assert card.abilities == (), text
    card = read(CHAINMAIL, abilities="Smite +2 □□□", spells="Bless +1 ×2; command, bane [3]")
    assert card.unit["abilities"] == [{"ability": "smite", "rating": 2, "uses": 3}]
    assert card.unit["spells"] == ["bless-1 x2", "command", "bane x3"]
    for text, message in (
        (
            "Commander",
            "Abilities: Commander needs a number: write “Commander 2”, or “Commander ?” if it "
            "is unknown.",
        ),
        ("Cleave 3", "Abilities: Cleave has no number; write “Cleave”."),
        ("Fight +2", "Abilities: Fight must say which type: write “Fight +2 (type)”."),
        ("Commander -1", "Abilities: Commander: write a number from 0 to 999."),
        ("Cleave, cleave", "Abilities: Cleave appears twice; remove one."),
        (
            "Comander 4",
            "Abilities: “Comander” is unknown. Did you mean Commander? Write “!Comander” to "
            "keep it as it is.",
        ),
        ("+2", "Abilities: “+2” has no letters; write the name of an ability."),
        ("=SUM(A1)", "Abilities: “=SUM(A1)” is a formula; write its result."),
    ):
        assert mistake_of(read(CHAINMAIL, abilities=text)) == message, text
    card = read(CHAINMAIL, abilities="Comander 4, Cleave 3, Scout +1")
    assert [mistake.message[:24] for mistake in card.mistakes] == [
        "Abilities: “Comander” is",
        "Abilities: Cleave has no",
    ]


def test_an_unknown_ability_becomes_one_of_the_book() -> None:
    for text, ability in (
        ("Rage", {"id": "rage", "name": "Rage"}),
        ("Rage +2", {"id": "rage", "name": "Rage", "rating": "plus"}),
        ("Rage ×2", {"id": "rage", "name": "Rage", "rating": "times"}),
        ("Rage 2", {"id": "rage", "name": "Rage", "rating": "number"}),
        ('Rage 2"', {"id": "rage", "name": "Rage", "rating": "inches"}),
        ("Rage 2+", {"id": "rage", "name": "Rage", "rating": "roll"}),
        ("Rage 2, Rage", {"id": "rage", "name": "Rage", "rating": "number", "rating_optional": 1}),
        ("!Comander 4", {"id": "comander", "name": "Comander", "rating": "number"}),
    ):
        card = read(CHAINMAIL, abilities=text)
        assert card.mistakes == (), text
        assert card.abilities == (ability,), text
    ids = {ability["id"] for ability in read(CHAINMAIL, abilities="怒り, 炎, Wut 怒").abilities}
    assert len(ids) == 3
    book = new_book(CHAINMAIL, OWN, "Mine")
    book, _ = put_card(book, CHAINMAIL, read(CHAINMAIL, abilities="Rage"))
    card = read(CHAINMAIL, None, book, abilities="rage +1")
    assert card.unit["abilities"] == ["rage 1"]
    assert card.abilities == (
        {"id": "rage", "name": "Rage", "rating": "plus", "rating_optional": True},
    )


def test_spells_card_text_and_unique_names_are_read() -> None:
    assert mistake_of(read(CHAINMAIL, spells="bles +1")) == (
        "Spells: Chainmail 2002 has no spell “bles +1”. Did you mean bless +1?"
    )
    assert mistake_of(read(CHAINMAIL, spells="turn to jelly")) == (
        "Spells: Chainmail 2002 has no spell “turn to jelly”. Write it as an ability, or in the "
        "note."
    )
    card = read(DDM, text__attacks="Sword: +9 vs AC; 10 damage\r\n\r\n Bow: +7 vs AC ")
    assert card.unit["texts"] == {"attacks": ["Sword: +9 vs AC; 10 damage", "Bow: +7 vs AC"]}
    assert read(DDM, name="Pat, Human Fighter", unique="yes").unit["unique"] == "Pat"
    assert read(DDM, name="Pat, Human Fighter", unique="Old Pat").unit["unique"] == "Old Pat"
    assert "unique" not in read(DDM, unique="no").unit
    for text, message in (
        ("x" * 601, "Note: 601 characters; the maximum is 600."),
        (
            "a\x07b",
            "Note: The text contains a control character (U+0007); retype it without.",
        ),
        (
            "a\u202eb",
            "Note: The text contains a control character (U+202E); retype it without.",
        ),
        (
            "\ud800",
            "Note: The text contains a control character (U+D800); retype it without.",
        ),
        ("=HYPERLINK(1)", "Note: “=HYPERLINK(1)” is a formula; write its result."),
        ("\u200b", "Note: Use visible characters."),
    ):
        assert mistake_of(read(CHAINMAIL, note=text)) == message, text


def test_a_card_shows_what_it_was_read_from_or_an_id_where_a_name_would_mislead() -> None:
    values = {
        "name": "Ann",
        "points": "12",
        "attr-faction": "thalos",
        "stat-save": "2",
        "abilities": "Commander 4, Fight +2 (undead), Reach 1″",
        "spells": "bless +1 ×2",
        "owned": "3",
        "note": "One\nTwo",
    }
    book = new_book(CHAINMAIL, OWN, "Mine")
    shown = CardForm(CHAINMAIL, book).fill(CardForm(CHAINMAIL, book).read(values).unit)
    assert {name: text for name, text in shown.items() if text} == values
    book = new_book(CHAINMAIL, OWN, "Mine")
    book["abilities"] = [{"id": "strike", "name": "Strike, mighty", "rating": "plus"}]
    shown = CardForm(CHAINMAIL, book).fill({"name": "Ann", "abilities": ["strike 2"]})
    assert shown["abilities"] == "strike +2"
    base = {"id": "ann", "name": "Ann", "points": 4, "sources": ["A page"], "confidence": "low"}
    card = read(CHAINMAIL, base, name="Anna", points="5")
    assert card.unit == {**base, "name": "Anna", "points": 5}
    base = {"id": "ann", "name": "Ann", "points": 4, "note": "Old", "set": "Two"}
    assert read(CHAINMAIL, base, note="").unit == {
        "id": "ann",
        "name": "Ann",
        "points": 4,
        "set": "Two",
    }
    base = {"id": "ann", "name": "Ann", "points": 4, "abilities": [{"ability": "cleave"}]}
    assert read(CHAINMAIL, base, abilities="Cleave", points="4").unit == base
    base = {"id": "ann", "name": "Ann", "points": 4, "suggested": True}
    assert read(CHAINMAIL, base, points="4").unit["suggested"] is True
    assert "suggested" not in read(CHAINMAIL, base, points="5").unit
    base = {"id": "ann", "name": "Ann", "points": 30, "stats": {"quality": 3, "combat": 3}}
    assert read(SBH, base, name="Anna").unit["points"] == 30
    assert "points" not in read(SBH, base, stat__combat="4").unit


def test_a_unit_of_many_models_is_read_and_a_group_says_how_many_of_it() -> None:
    card = read(
        T9A,
        points="130",
        points_per_model="8",
        size="15-40",
        categories="Core",
        cap="0-4",
        can_lead="on",
        keywords="Scoring, Fly (8″, 16″)",
        stat__hp="1",
        stat__aeg="5+",
        options="Champion, 20\nShields, 2 a model\nArms: Spears free | Bows, 3 a model",
    )
    assert card.mistakes == ()
    assert card.unit == {
        "name": "Ann",
        "points": 130,
        "points_per_model": 8,
        "categories": ["core"],
        "size": [15, 40],
        "cap": 4,
        "can_lead": True,
        "profiles": [{"name": "Ann", "stats": {"hp": "1", "aeg": "5+"}}],
        "keywords": ["Scoring", "Fly (8″, 16″)"],
        "options": [
            {"id": "champion", "name": "Champion", "points": 20},
            {"id": "shields", "name": "Shields", "points_per_model": 2},
            {
                "group": "arms",
                "name": "Arms",
                "options": [
                    {"id": "spears", "name": "Spears"},
                    {"id": "bows", "name": "Bows", "points_per_model": 3},
                ],
                "choose": [1, 1],
                "default": "spears",
            },
        ],
    }
    for name, choose in (
        ("Arms", [1, 1]),
        ("Arms (up to 2)", [0, 2]),
        ("Arms (2)", [2, 2]),
        ("Arms (1-2)", [1, 2]),
        ("Arms (1+)", [1, None]),
        ("Arms (any)", None),
    ):
        card = read(T9A, options=f"{name}: Spears, 1* | Bows, 2")
        (group,) = card.unit["options"]
        assert (group.get("choose"), group["default"]) == (choose, "spears"), name
        book = new_book(T9A, OWN, "Mine")
        assert CardForm(T9A, book).fill(card.unit)["options"] == f"{name}: Spears, 1* | Bows, 2", (
            name
        )


def test_mistakes_in_options_and_in_army_limits_are_named() -> None:
    for line, message in (
        (", 20", "Options: “, 20” has no name; write it first, as in “Shields, 2 per model”."),
        (
            "Shields, two",
            "Options: “Shields, two”: “two” is not a number. Write a whole number from",
        ),
        ("Shields, 1, 2", "Options: “Shields, 1, 2” has two prices or two numbers"),
        ("Arms:", "Options: “Arms:”: write the choices after the colon."),
        ("Arms (lots): A | B", "Options: “Arms (lots)”: write how many as “(up to 2)”, “(1-2)”,"),
        ("A\nA", "Options: “A” appears twice; rename one."),
    ):
        assert mistake_of(read(T9A, options=line)).startswith(message), line
    for values, message in (
        ({"size": "lots"}, "Size: “lots” is not a size. Write “15-40”, or “1”."),
        ({"size": "40-15"}, "Size: Write the minimum first, 1 or more, then the maximum: “15"),
        (
            {"cap": "few"},
            "Limit per army: “few” is not a limit. Write “0-3”, or nothing for no limit.",
        ),
        ({"can_lead": "maybe"}, "Can be the General: “maybe” is neither yes nor no. Write “yes”"),
        (
            {"categories": "wings"},
            "Categories: “wings” is not a category of the book. Write one of",
        ),
    ):
        assert mistake_of(read(T9A, **values)).startswith(message), values


def test_options_keep_their_ids_and_those_that_the_form_cannot_show_are_kept_and_named() -> None:
    base = read(T9A, options="Shield, 2 a model\nChampion, 20").unit
    card = read(T9A, {**base, "id": "ann"}, options="Shields, 3 a model\nHorse, 5")
    assert [option["id"] for option in card.unit["options"]] == ["shield", "horse"]
    book = new_book(T9A, OWN, "Mine")
    options = [{"id": "a", "name": "A", "needs": {"taken": "b"}}, {"id": "b", "name": "B"}]
    base = {"id": "ann", "name": "Ann", "points": 5, "options": options}
    assert "options" not in CardForm(T9A, book).fill(base)
    assert [field.name for field in CardForm(T9A, book).hidden(base)] == ["options"]
    assert read(T9A, base, points="6", options="").unit == {**base, "points": 6}
    assert mistake_of(read(T9A, base, options="C, 5")) == (
        "Options: This field can’t show the whole value. Leave it empty to keep it."
    )
    book = new_book(T9A, OWN, "Mine")
    lines = [{"name": "Rider", "stats": {"hp": "1"}}, {"name": "Horse", "stats": {"mar": "8"}}]
    keywords = [{"name": "Fly", "if": {"models": {"at_least": 2}}}]
    base = {"id": "ann", "name": "Ann", "points": 5, "profiles": lines, "keywords": keywords}
    hidden = {field.name for field in CardForm(T9A, book).hidden(base)}
    assert {"stat-hp", "stat-mar", "keywords"} <= hidden
    assert read(T9A, base, name="Anna").unit == {**base, "name": "Anna"}
    base = {"id": "ann", "name": "Ann", "points": 5, "profiles": [{"name": "Ann", "stats": {}}]}
    card = read(T9A, base, name="Anna", stat__hp="2")
    assert card.unit["profiles"] == [{"name": "Anna", "stats": {"hp": "2"}}]
