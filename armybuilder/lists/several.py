"""x"""

#: What a tick's field is called: this and the unit's reference.
TICK = "tick-"
