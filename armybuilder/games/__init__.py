"""Games that players bring as a community's files: kept unchanged, each file once.

`models` has the kept games and their holders, `services` writes, `opening` reads a kept game into
memory, once for all callers.
"""
