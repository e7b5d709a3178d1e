"""How two lists differ, and what a list would be with newer books or in another edition."""
