"""Work that takes too long for a request: whose turn it is, and what becomes of broken tries."""
