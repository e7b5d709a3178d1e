"""Pages of games at the table."""
