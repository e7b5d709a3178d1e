"""From JSON files to frozen engine objects: schema check, reference checks, then `Library`.

After this package no code asks whether a key exists. Problems of files are collected, all at once,
with file and pointer; a broken book is left out and the others still work.
"""
