"""Army lists: build, check, print. `engine` holds the rules; the rest brings them to people."""
