"""Accounts: sign in, sign up, change, leave."""
