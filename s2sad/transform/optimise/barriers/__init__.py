"""Barriers: those that adjoints need, and those that nobody needs."""
