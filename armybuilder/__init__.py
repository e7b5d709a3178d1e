"""Army lists: build, check, print. `engine` holds the rules; the rest brings them to people."""

#: The version of the app and of its engine, which frozen copies of lists name.
__version__ = "0.7.0"
