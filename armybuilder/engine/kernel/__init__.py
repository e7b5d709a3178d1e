"""The kernel: a small language in which rules are data, for any game.

`picks` are the contents of a list, `definitions` the possible contents, with their bounds;
`conditions` has the queries, conditions and amounts that bounds are made of. Two interpreters read
them: `evaluation` checks a list, by `branches` and the numbers of `counting`, and `supposing` the
list with one thing more; `statement` states the same for a solver, by `spots` and the expressions
of `unknowns`.
"""
