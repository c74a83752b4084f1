"""Rewritings of the tree before anything in it has a type, and what they know of it."""
