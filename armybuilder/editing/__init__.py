"""Changes of a list as pure functions from its document to the next one."""
