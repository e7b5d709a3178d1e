"""The program's books of The Ninth Age, judged once more by what their source files say.

`reader/` reads the BattleScribe files by itself and shares no code with the program. Random armies
(`growing`) are judged by the program and, as the roster that the program writes of them, by the
reader (`comparing`); every difference has a reason by name (`reasons`, which asks `expecting`) or
is a failure (`running`). `truth` tries every restriction that stands in words only on everyone it
reaches, and every price, and writes what comes of it all for players.

The files are not part of the project: `BATTLESCRIBE_FILES` names the folder with `t9a-2023/` and
those of the other games that were imported.
"""
