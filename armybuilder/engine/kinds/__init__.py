"""The kinds of rules, one module each. `armybuilder.engine.rules` says how to add one."""
