"""Monitoring: health of the app, its work, and a log of requests."""
