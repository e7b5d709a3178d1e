"""Roster sheets: one structure that every printout draws; drawers work nothing out themselves."""
