"""Events: times, who may see what, entries, submissions, decisions, the log."""
