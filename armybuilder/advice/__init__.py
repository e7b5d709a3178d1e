"""Suggestions for a report: remedies for findings, and lists to begin with."""
