"""What a sheet says, worked out from a list before anything is drawn."""
