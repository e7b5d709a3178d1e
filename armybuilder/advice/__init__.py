"""What a report suggests: remedies for findings, and lists to begin with."""
