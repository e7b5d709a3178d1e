"""Limits of an army list's document, from its schema, for code that writes documents."""

MAX_UNITS = 500
MAX_MODELS = 999
#: Points of a game.
MAX_LIMIT = 99_999
#: Letters of a name, of the list or of a unit, and of notes.
MAX_NAME = 120
MAX_NOTES = 2000
#: Options on one thing, how often one of them is taken, and how deep they are nested:
#: those so deep are written by their ids alone.
MAX_OPTIONS = 60
MAX_TIMES = 99
DEEPEST = 3
#: Pieces chosen in one setting.
MAX_PIECES = 200
#: A player's own stat lines of one unit; letters of a value, and of a line's name.
MAX_STAT_LINES = 4
MAX_STAT_VALUE = 8
MAX_STAT_NAME = 60
