"""The second front end: a community's files as they are, read when asked for and never converted.

`reading` finds the files of a game, `game` resolves what they link to, `definitions` makes the
kernel's definitions of entries where they are used. What is not understood is noted by name.
"""
