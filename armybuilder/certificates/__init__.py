"""Certificates: what a server found about a list, signed, with the list inside.

A certificate says "this server judged this list so, by these rules and books, at that time", not
that the list is legal for ever. Its signature covers the list itself, so that who checks it sees
what was judged, not what somebody printed beside a true code.
"""
