"""Browsing what there is: game systems with their rules, books with their units. No tables."""
