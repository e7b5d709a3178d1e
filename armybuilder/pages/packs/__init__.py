"""Pages of event packs: their rules, and whether a list keeps them."""
