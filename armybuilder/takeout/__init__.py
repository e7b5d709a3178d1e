"""All data of a holder as one zip: written by `exporting`, read and imported by `reading`.

    manifest.json                       {"format": "everything/1", "version", "made", "numbers"}
    lists/<id>.jsonl                    facts about the list, with the pack of the event it is built
                                        for and its campaign, then a line for each version, the
                                        oldest first
    books/<id>.json                     a custom book with the document one step before it
    contents/<book>/<revision>.json     the content of a book as a list pins it, or of a player's
                                        game
    setups.json                         print presets
    matches.json                        matches that were played, with both lists as text
    collection.json                     the models that the player owns
    packs/<id>.json                     a custom event pack in its newest version
    shares.json, frozen/<id>.json       links to lists, without their secrets, and frozen copies:
                                        to be read, not imported, as only the player makes a link

Deleted lists and books that can still be restored are in it. Printed files are not: they can be
printed again. Nor are files of games: lists of these are imported for players who have the game.
Times are in ISO 8601, with their zone.

An import overwrites nothing. Equal content that is here already stays as it is. A taken id is
replaced by another, which is the same one the next time, so that an import too large for one go can
be continued with the same zip.
"""

FORMAT = "everything/1"
MANIFEST = "manifest.json"
SETUPS = "setups.json"
SHARES = "shares.json"
MATCHES = "matches.json"
COLLECTION = "collection.json"
