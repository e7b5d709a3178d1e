"""Names of armies in other languages: "Hochgeborene Elfen" are Highborn Elves."""

import re
from collections.abc import Mapping
from typing import Final

from armybuilder.engine.names import simple

#: By the English name: names in German, French, Spanish and Italian, separated by commas.
_ABROAD: Final[Mapping[str, str]] = {
    "Beast Herds": "Tierherden, Bestienherden, Tiermenschenherden, Hardes Bestiales"
    ", Hardes de Bêtes, Hordas de Bestias, Manadas de Bestias, Mandrie Bestiali, Orde di Bestie",
    "Daemon Legions": "Dämonenlegionen, Dämonische Legionen, Légions Démoniaques"
    ", Légions de Démons, Legiones Demoníacas, Legiones de Demonios, Legioni Demoniache",
    "Dread Elves": "Schreckenselfen, Dunkelelfen, Grauenselfen, Elfes Noirs, Elfes d'Effroi"
    ", Elfes de l'Effroi, Elfos Oscuros, Elfos del Terror, Elfos del Pavor, Elfi Oscuri"
    ", Elfi del Terrore",
    "Dwarven Holds": "Zwergenfesten, Zwergenfestungen, Zwergenfeste, Zwergenhorte"
    ", Forteresses Naines, Citadelles Naines, Fortalezas Enanas, Fuertes Enanos"
    ", Roccaforti Naniche, Fortezze dei Nani",
    "Empire of Sonnstahl": "Sonnstahler Reich, Kaiserreich von Sonnstahl, Reich von Sonnstahl"
    ", Imperium von Sonnstahl, Empire de Sonnstahl, Imperio de Sonnstahl, Impero di Sonnstahl",
    "Highborn Elves": "Hochgeborene Elfen, Hochgeborenen Elfen, Hochelfen, Hauts Elfes"
    ", Elfes de Haute Lignée, Elfes de Haute Naissance, Elfes Haut-nés, Altos Elfos"
    ", Elfos de Alta Cuna, Elfos de Noble Cuna, Alti Elfi, Elfi Altonati, Elfi Nobili",
    "Infernal Dwarves": "Infernalische Zwerge, Höllenzwerge, Chaoszwerge, Nains Infernaux"
    ", Nains de l'Enfer, Enanos Infernales, Nani Infernali",
    "Kingdom of Equitaine": "Königreich Equitaine, Königreich von Equitaine, Royaume d'Équitaine"
    ", Reino de Equitania, Reino de Equitaine, Regno di Equitaine",
    "Legions of Sin": "Legionen der Sünde, Légions du Péché, Legiones del Pecado"
    ", Legioni del Peccato",
    "Ogre Khans": "Ogerkhane, Oger-Khane, Oger Khane, Khans Ogres, Kanes Ogros, Khans Ogros"
    ", Khan Ogre, Khan degli Ogri",
    "Orcs and Goblins": "Orks und Goblins, Orks & Goblins, Orcs et Gobelins, Orques et Gobelins"
    ", Orcos y Goblins, Orcos y Trasgos, Orchi e Goblin",
    "Saurian Ancients": "Saurische Ahnen, Echsenahnen, Uralte Saurier, Echsenmenschen"
    ", Anciens Sauriens, Ancêtres Sauriens, Ancestros Saurios, Antiguos Saurios, Antichi Sauri"
    ", Antichi Sauriani",
    "Sylvan Elves": "Waldelfen, Sylvanische Elfen, Elfes Sylvains, Elfes Sylvestres, Elfes des Bois"
    ", Elfos Silvanos, Elfi Silvani",
    "Undying Dynasties": "Unsterbliche Dynastien, Untote Dynastien, Dynasties Immortelles"
    ", Dynasties Éternelles, Dinastías Imperecederas, Dinastías Inmortales, Dinastie Immortali"
    ", Dinastie Eterne",
    "Vampire Covenant": "Vampirpakt, Vampirbund, Vampirkonvent, Pacte Vampirique"
    ", Alliance Vampirique, Pacte des Vampires, Pacto Vampírico, Pacto de Vampiros"
    ", Congrega Vampirica, Patto Vampirico, Alleanza dei Vampiri",
    "Vermin Swarm": "Ungezieferschwarm, Rattenschwarm, Schwarm des Ungeziefers, Nuée de Vermine"
    ", Vermine Grouillante, Enjambre de Alimañas, Plaga de Alimañas, Sciame di Parassiti"
    ", Sciame Verminoso",
    "Warriors of the Dark Gods": "Krieger der Dunklen Götter, Krieger der finsteren Götter"
    ", Guerriers des Dieux Sombres, Guerriers des Dieux Noirs, Guerreros de los Dioses Oscuros"
    ", Guerrieri degli Dei Oscuri",
}
_ENGLISH: Final = {
    simple(name): f" {simple(english)} "
    for english, names in _ABROAD.items()
    for name in names.split(",")
}
_NAME: Final = re.compile(
    f" (?:{'|'.join(map(re.escape, sorted(_ENGLISH, key=len, reverse=True)))}) "
)


def in_english(words: str) -> str:
    """Return the words of a title between spaces, with armies by their English names."""
    return _NAME.sub(lambda name: _ENGLISH[name[0].strip()], words)
