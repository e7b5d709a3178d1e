"""Tournaments: who plays whom, and how they stand; numbers in, numbers out."""
