"""Games that players upload as their communities’ files.

A worker reads them (`tasks`) and says what it found; only then its games are kept.
"""
