"""Pages of odds: what one unit does to another."""
