"""The lists that may be: units and options as unknowns, rules as constraints on them."""
