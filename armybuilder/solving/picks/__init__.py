"""The four verbs for lists of picks, of whatever game: repair, fill, explain, look ahead.

`reach` says what of a list may change, `search` states that and solves it, `edits` tells what
became of it; `verbs` are what a builder asks. Units at fault come first; what else may change is
let in only where they alone do not do.
"""
