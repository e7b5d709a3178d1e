"""Collections: the models that players own, by the units of each game's books."""
