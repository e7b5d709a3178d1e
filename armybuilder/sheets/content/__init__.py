"""Contents of sheets, worked out from a list before anything is drawn."""
