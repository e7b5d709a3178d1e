"""Print set-ups that players keep, and jobs that print many lists outside of any request."""
