"""Links to lists, always current or to a frozen copy."""
