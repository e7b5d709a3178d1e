"""Spaces of lists: units and options as unknowns, rules as constraints on them."""
