"""Unit cards as PDF."""
