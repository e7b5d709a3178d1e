"""Pages of certificates: made for a list, and verified by anyone."""
