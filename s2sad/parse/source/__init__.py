"""Split a file into preprocessing tokens and top-level items, without parsing them."""
