"""All that a holder has, as one zip: written by `exporting`, read and brought in by `reading`.

    manifest.json                       {"format": "everything/1", "version", "made", "numbers"}
    lists/<id>.jsonl                    what is known of the list, with the pack of the event it is
                                        built for and its campaign, then a line for each version,
                                        the oldest first
    books/<id>.json                     an own book with the document one step before it
    contents/<book>/<revision>.json     the content of a book as a list pins it, or of a player's
                                        game
    setups.json                         print set-ups
    matches.json                        matches that were played, with both lists as text
    collection.json                     the models that the player owns
    packs/<id>.json                     an own event pack in its newest version
    shares.json, frozen/<id>.json       links to lists, without their secrets, and frozen copies:
                                        to be read, not to be brought in, as a link that somebody
                                        gave away is only ever made by its player

Lists that were deleted and can still be restored are in it, and deleted books. Printed files are
not: they can be printed again. Nor are files of games that were brought: lists of them come in for
who has brought these. Times are as ISO 8601 says, with their zone.

What is brought in overwrites nothing. Whatever is here already, with the same content, stays as
it is; what has an id that is taken gets another, which is the same one the next time, so that a
zip can be opened again where it was too much for one go.
"""

FORMAT = "everything/1"
MANIFEST = "manifest.json"
SETUPS = "setups.json"
SHARES = "shares.json"
MATCHES = "matches.json"
COLLECTION = "collection.json"
