"""The four verbs for lists of picks, in any game: repair, fill, explain, look ahead.

`reach` has the freedom of a search, `search` states and solves it, `edits` reads the result;
`verbs` are the builder's questions. Units at fault come first; more may change only if they aren't
enough.
"""
