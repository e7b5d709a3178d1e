"""Roster sheets: one structure (`structure.py`) that every printout draws, and its drawers.

`material.sheet_of` turns a list document into a `Sheet`; `pdf.draw_pdf` and the forms of `texts`
draw it, as does the web page's template. No drawer works anything out about the list by itself.
"""
