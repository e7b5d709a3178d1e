"""The kernel: one small language in which rules are data, whatever game they are of.

`picks` are what a list holds, `definitions` what may be picked, with the bounds on it; `conditions`
has the queries, conditions and amounts of which bounds are made. Two interpreters read them:
`evaluation` says what a list comes to, by `branches` and the numbers that `counting` gives, and
`supposing` what it would come to with one thing more;
`statement` says the same of lists that may be, by `spots` and the expressions of `unknowns`.
"""
