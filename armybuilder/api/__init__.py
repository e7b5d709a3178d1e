"""The API for programs, under `/api/v1/`: game systems, books, and verdicts on documents."""
