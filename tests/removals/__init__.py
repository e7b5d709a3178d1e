"""Every construct of a source counts: taken away, the import says something else, or says why not.

`trying` imports a book without one and compares, `__main__` tries many.
"""
