"""Resolve names, types and templates; nodes are lowered through `dispatch`."""
