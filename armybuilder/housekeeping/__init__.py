"""Removal of unneeded data, and of everything that belonged to a person who leaves."""
