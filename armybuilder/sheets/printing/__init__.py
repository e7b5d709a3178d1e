"""Printouts: which kinds of sheet there are, put together into files."""
