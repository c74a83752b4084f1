"""Loops over the same iterations: one pass over an array instead of several."""
