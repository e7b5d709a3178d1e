"""The builder: one list with its verdict, its units, and the shelf of the books."""
