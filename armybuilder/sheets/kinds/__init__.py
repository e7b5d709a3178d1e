"""Kinds of sheet: one module each, which tells what its pages are laid out of."""
