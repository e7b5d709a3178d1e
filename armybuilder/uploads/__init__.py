"""Books and games out of BattleScribe files that players upload: a worker reads them (`work`) and
says what it found, and only then they are kept, as own books (`keeping`), or thrown away.
"""
