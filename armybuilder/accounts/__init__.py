"""Accounts: the user model. Nobody needs one yet: lists belong to the browser session."""
