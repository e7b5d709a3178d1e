"""Acts: the changes behind the builder's buttons, each found by `base.act_kinds`."""
