"""Lists as text, for mail, chat, forums and tournaments: one form for each use.

All forms but the full one say a list in the same lines, so that they can be read back:

    text     = head empty-line body
    head     = title, verdict, count, game, *setting, *finding   (a line each)
    count    = [points ", "] models ", #" hash       "138 of 140 points, 19 models, #5a0c0f93d2"
    game     = system ": " book *("; " book)
    setting  = name ": " value                       "Environment: Above ground"
    finding  = severity ": " sentence " [" citation "]"    the severity in capitals
    body     = *(unit | category)
    unit     = number " " name [" “" own-name "”"] [" [" letter "]"] *(", " taken) [", " points]
    category = name ":"                              none in the form of one line for each unit
    detail   = "  " text                             below the unit it belongs to

A line of the body that begins with a number and a space is a unit; one that is set in belongs to
the unit above it. `name` is the book's name of the unit, `own-name` its player's, with no quotation
marks of this kind in it. Things taken come in the order roles, options, path of magic, items; an
option taken several times as "2 × name". A line is never broken. Names of the books may hold
commas: who reads a line back matches the longest name that the book has. `points` is "?" where they
are not known. `letter` distinguishes units that look the same on an open list. Words that are no
names are in the language of the reader.

Markdown and BBCode are the same lines with marks around them: title and categories are headings,
each unit an item of a list, its number and name bold. Text in them is escaped: in Markdown by a
backslash, in BBCode, which has no such thing, square brackets become round ones.
"""
