"""All of a player’s data, out and in."""
