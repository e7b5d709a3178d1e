"""Games at the table that an account keeps, and the record of matches that were played."""
