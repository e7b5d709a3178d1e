#!/usr/bin/env python
"""Runs Django's commands and ours: `manage.py help` lists them."""

from armybuilder.__main__ import main

if __name__ == "__main__":
    main()
