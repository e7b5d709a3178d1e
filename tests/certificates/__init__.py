"""Certificates: signed, checked, and refused where anything was changed."""
