"""The kernel: one small language in which rules are data, whatever game they are of.

`picks` are what a list holds, `definitions` what may be picked and the four things that speak of
it: queries, conditions, amounts and bounds. `evaluation` says what a list comes to by them.
"""
