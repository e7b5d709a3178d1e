"""Certificates: a server's signed verdict on a list, with the list inside.

A certificate says "this server checked this list, by these rules and books, at that time", not that
the list is legal for ever. Its signature covers the list itself, so that a reader sees the list
that was checked, not one printed beside a valid code.
"""
