"""The second front end: a community's files, read on demand and never converted.

`reading` finds the files of a game, `game` resolves their links, `definitions` makes the kernel's
definitions of entries at their places of use. Constructs that aren't understood are noted by name.
"""
