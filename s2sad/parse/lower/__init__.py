"""Lower the syntax tree to typed IR, dispatching on the class of each node."""
