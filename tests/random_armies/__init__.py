"""Random armies of every book of games that were made of BattleScribe's files."""
