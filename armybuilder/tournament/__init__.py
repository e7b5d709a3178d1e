"""Tournaments: pairings and standings; numbers in, numbers out."""
