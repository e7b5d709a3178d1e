"""The gallery, only where DEBUG is on: every component in every state, and real lists."""
