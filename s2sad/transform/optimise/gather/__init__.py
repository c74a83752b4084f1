"""Scatter to gather: an element's owner sums what other threads would add to it."""
