"""The pages of the site, a room for each thing that people come for."""
