"""Admission control: no visitor may keep the others waiting.

Each request is charged for its processor time (`budget.py`), and waits for its turn
(`dispatch.py`). A few processes of low priority answer heavy requests, so that a click never waits
behind a print. `middleware.py` refuses, `armybuilder/serving.py` starts the processes.
"""
