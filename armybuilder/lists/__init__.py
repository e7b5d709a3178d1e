"""Army lists in the database: what is kept of them, reads (`selectors`) and writes (`services`)."""
