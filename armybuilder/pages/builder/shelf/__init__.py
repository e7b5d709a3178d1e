"""The shelf: what may be added to a list, searched and filtered."""
