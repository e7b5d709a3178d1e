"""Solver questions: repair, look ahead, fill, explain, how much of something is possible.

`engine.constraining` describes a space of lists, as data; a solver behind `port` finds the best of
it; `validate` checks every list before anybody sees it.
"""
