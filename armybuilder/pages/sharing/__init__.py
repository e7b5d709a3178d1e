"""Links to lists: for their owners, and for those who follow them."""
