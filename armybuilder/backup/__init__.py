"""A copy of all there is: database, files and key, into one zip and back."""
