"""Corpora of army lists for `manage.py validate_list`: a Django app that adds its options."""
