"""What columns and fields of data are called, and a unit's line as players write it of them."""

import re
from collections.abc import Mapping
from typing import Final

from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.parts import shape

#: What columns, and fields of data, are called, by what they hold. Of two that a word may mean the
#: cells tell which.
_HEADINGS: Final[Mapping[str, str]] = {
    "name": "name, unit, units, unit name, model, models, figure, figures, profile, type, character"
    ", troop, troops, creature, card, entry, miniature, regiment, title, label, custom name"
    ", einheit, unité, unidad, unità, modell, nom, nombre, nome, modelo, modèle, figurine",
    "number": "number, no, qty, quantity, count, nr, n, x, amount, size, unit size, models"
    ", model count, figures, anzahl, modelle, nombre, cantidad, número, quantità, quantité"
    ", how many, num",
    "rules": "special rules, rules, special, specials, abilities, special abilities, options"
    ", option, upgrades, upgrade, equipment, gear, wargear, extras, loadout, items"
    ", optionen, ausrüstung, sonderregeln, regeln, reglas, reglas especiales, règles"
    ", règles spéciales, regole, regole speciali",
    "each": "points, pts, cost, costs, points each, pts each, each, point cost, cost each, price"
    ", points per model, pts per model, cost per model, value, punkte, prix, puntos, punti"
    ", kosten, coste, coût",
    "total": "total, total points, total pts, sum, total cost, subtotal, gesamt, summe, somme"
    ", suma",
    "army": "army, faction, book, catalogue, catalogue name, warband, army book",
    "game": "game, game system, game system name, system, ruleset",
    "edition": "edition, version",
    "limit": "limit, points limit, max points, game size, cost limits",
    "": "category, slot, section, kategorie, side, id, page",
    "notes": "notes, note, comment, comments, remarks, painted, role, roles",
}
#: The number in a cell.
DIGITS: Final = re.compile(r"\D{0,2}(\d{1,5})\D{0,8}")
#: Stands before the short name of a statistic, where columns are named.
STAT_MARK: Final = "="


def heading_key(heading: str) -> str:
    """Return a heading as headings are compared: "Points each" and "pointsEach" are one."""
    return simple(heading).replace(" ", "")


#: What a heading may mean, likeliest first.
NAMED: Final = {
    word: tuple(
        kind for kind, words in _HEADINGS.items() if word in map(heading_key, words.split(","))
    )
    for word in {heading_key(word) for words in _HEADINGS.values() for word in words.split(",")}
}
_BETWEEN: Final = shape(r"\s*[;|\n]\s*")


def said_on_a_line(texts: Mapping[str, str]) -> str:
    """Return what columns or fields hold of a unit, as players write it on one line."""
    number = DIGITS.fullmatch(texts.get("number", ""))
    stats = [f"{key[1:]}{texts[key]}" for key in texts if key[:1] == STAT_MARK]
    parts = [f"{number[1]}x {texts['name']}" if number else texts["name"], *stats]
    parts += [_BETWEEN.sub(", ", texts.get(key, "")) for key in ("rules", "notes")]
    said = ((key, DIGITS.fullmatch(texts.get(key, ""))) for key in ("each", "total"))
    prices = {key: price[1] for key, price in said if price}
    if len(prices) == 2 and stats:
        parts += [f"{points} {key}" for key, points in prices.items()]
    elif prices:
        parts.append(f"{prices.get('total') or prices['each']} pts")
    return ", ".join(filter(None, parts))


def kind_of(heading: str, is_number: bool, unknown: str = "notes") -> str:
    """Return what a column holds by its heading, of which one cell is a number or a text."""
    kinds = NAMED.get(heading_key(heading), (unknown if heading else "",))
    return next((one for one in kinds if (one != "name") is is_number), kinds[0])
