"""Lists to begin with: filled at random, legal where that can be reached."""
