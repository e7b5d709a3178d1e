"""Certificates on pages: made for a list, and checked by whoever has one."""
