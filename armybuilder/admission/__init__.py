"""Admission control: no visitor may keep the others waiting.

Each request is charged for its processor time (`middleware.py`, which also refuses), and waits for
its turn (`dispatch.py`). A few processes of low priority answer heavy requests, so that a click
never waits behind a print. `armybuilder/serving.py` starts the processes.
"""
