"""The builder of lists of a community's files."""
