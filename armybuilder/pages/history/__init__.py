"""The history of a list: versions, labels, differences."""
