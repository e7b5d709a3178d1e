"""What may go for good, and what becomes of all that belonged to somebody who leaves."""
