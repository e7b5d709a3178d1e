"""What is told about games and books: search, what no verdict checks, how far verdicts go."""
