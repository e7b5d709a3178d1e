"""Who is let in, and for how much work: no visitor may keep the others waiting.

Each request counts by the processor time that it took (`budget.py`), and waits for its turn
(`dispatch.py`). What may take long is answered by a few processes of low priority, so that a click
never waits behind a print. `middleware.py` says no where it must, `armybuilder/serving.py` starts
the processes.
"""
