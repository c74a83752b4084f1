"""From the tree to typed IR, by the class of each node."""
