"""Army lists in the database: tables, reads (`selectors`) and writes (`services`)."""
