"""Acts: what the buttons of the builder ask for, by name."""
