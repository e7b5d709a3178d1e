"""BattleScribe, one format in two rooms: `books` imports army books, `rosters` reads and writes
lists. Both read their XML with `xml`.
"""
