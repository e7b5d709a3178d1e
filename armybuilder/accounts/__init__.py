"""Accounts, which nobody needs to have.

`holders` says under which name a browser holds its things, `signing` moves them on sign-in,
`tokens` are for programs, `adapter` fits django-allauth to it.
"""
