"""The living gallery, for those who work on the look: every component in every state, in light and
dark, and real lists in the real templates. Its pages are there only where DEBUG is on.
"""
