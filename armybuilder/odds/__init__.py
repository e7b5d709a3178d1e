"""Effects of one unit on another by the dice of their game: exact chances, without simulation."""
