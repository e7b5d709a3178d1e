"""Books and games out of uploaded BattleScribe files: upload, wait, read the report, keep."""
