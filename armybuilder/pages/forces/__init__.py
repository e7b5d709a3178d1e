"""The builder of lists of a community's files: forces, units and options as the files have them.

It looks and works as the builder of our books: the same panes, script and acts.
"""
