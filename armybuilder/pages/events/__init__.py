"""Pages of events: for organisers, for players, for those who check lists, and for readers."""
