"""Work that takes too long for a request: its order, and retries after failures."""
