"""Loops: which count, which wrap around, what their iterations leave unchanged."""
