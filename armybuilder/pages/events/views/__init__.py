"""The views of events, by who uses them."""
