"""Who is let in, and for how much work: no visitor may keep the others waiting.

Each request counts by the processor time that it took (`budget.py`). Views that may take long are
marked (`marks.py`); a few processes of low priority answer them (`pool.py`), so that a click never
waits behind a print. `middleware.py` puts it together, `armybuilder/serving.py` starts the
processes.
"""
