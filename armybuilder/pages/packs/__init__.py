"""Pages of event packs: what they ask, and whether a list suits them."""
