"""Games that players bring as a community's files: kept as they are, each file once.

`models` says what is kept and who holds it, `services` writes, `opening` reads a kept game into
memory, once for all who ask.
"""
