"""Barriers: insertion of those that adjoints need, removal of redundant ones."""
