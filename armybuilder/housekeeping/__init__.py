"""What may be removed, and what becomes of all that belonged to somebody who leaves."""
