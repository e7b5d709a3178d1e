"""Test data, built in one place: list documents, books and games of any shape, files of others."""
