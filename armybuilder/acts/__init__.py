"""The acts: what buttons of the builder ask for. Each module here is found by `base.act_kinds`."""
