"""The API for programs, under `/api/v1/`: games, books and units, verdicts on documents, a user's
own lists with their sheets and frozen copies. It asks the functions that pages and commands ask.
"""
