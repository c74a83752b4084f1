"""Scatter to gather: an element's owner collects what other threads would add to it."""
