"""Event packs that organisers have written or changed, in numbered versions."""
