"""What one unit does to another by the dice of their game: exact chances, without simulation."""
