"""Primal to primal: the forms of control flow and memory that the rest can take for granted."""
