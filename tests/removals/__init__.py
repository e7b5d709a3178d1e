"""Every construct of a source counts: taken away, the import says something else, or says why not.

`constructs` finds what can be taken away, `trying` imports a book without it and compares,
`explained` names the classes of constructs that may go unnoticed, `__main__` tries many.
"""
