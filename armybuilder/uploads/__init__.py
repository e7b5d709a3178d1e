"""Books and games out of BattleScribe files that players upload.

A worker reads them (`tasks`) and says what it found; only then they are kept, as own books.
"""
