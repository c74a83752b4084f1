"""Rewrites and analyses of the tree before anything in it has a type."""
