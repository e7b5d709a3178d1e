"""Accounts: who may have one, signing in and out, and whose lists and books are.

Nobody needs an account. `holders` says under which name a browser holds its things and tells others
when they move or go; `signing` moves them on sign-in; `tokens` are what programs show;
`adapter` fits django-allauth to all this. The pages are in `armybuilder.pages.account`.
"""
