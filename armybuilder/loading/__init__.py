"""From JSON files to frozen engine objects: schema check, reference checks, then `Library`.

Past this package nobody asks whether a key is there. Problems of files are collected, all at
once, with file and pointer; a broken book is left out and the others still work.
"""
