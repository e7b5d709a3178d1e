"""What players own: models of each game, by the units of its books."""
