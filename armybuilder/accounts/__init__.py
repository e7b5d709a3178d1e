"""Optional accounts.

`holders` names the owner of a browser's data, `signing` moves it on sign-in, `tokens` are for
programs, `adapter` adapts django-allauth.
"""
