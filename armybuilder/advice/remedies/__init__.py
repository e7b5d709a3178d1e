"""Remedies: changes that settle a finding, the smallest first."""
