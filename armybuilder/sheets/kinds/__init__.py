"""Kinds of sheet: one module each, with the layout of its pages."""
