"""Pages of what a player owns."""
