"""Pages of odds: effects of one unit on another."""
