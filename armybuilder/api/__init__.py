"""The API for programs, `/api/v1/`: games, books, units, verdicts, a user's lists and copies."""
