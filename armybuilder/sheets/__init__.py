"""Roster sheets: one structure (`structure.py`) that every printout draws, and its drawers.

`content` works a `Sheet` out of a list document (`content.material.sheet_of`); `printing` and `texts`
draw it, as does the web page's template. No drawer works anything out about the list by itself.
"""
