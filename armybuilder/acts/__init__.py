"""The acts: what buttons of the builder ask for, each found by `base.act_kinds`."""
