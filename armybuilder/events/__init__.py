"""Events: players enter and submit lists, organisers check them, and lists are published."""
