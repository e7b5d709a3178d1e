"""Questions about the lists that may be, solved: repair, look ahead, fill, explain, how much of
something there could be.

`engine.constraining` says what may be, as data; a solver behind `port` finds the best of it;
`validate` judges every list before anybody sees it.
"""
