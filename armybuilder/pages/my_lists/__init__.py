"""My lists: find, tag, archive, paste, open and print many."""
