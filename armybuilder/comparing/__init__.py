"""Differences between lists, and lists with newer books or in another edition."""
