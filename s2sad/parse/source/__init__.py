"""A file as preprocessing tokens and the items of its top level; nothing in them is parsed."""
