"""Roster sheets: one structure that every printout draws, and its drawers.

`content` works a `Sheet` out of a list document (`content.material.sheet_of`); `printing`, `texts`
and the web page's template draw it. No drawer works anything out about the list by itself.
"""
