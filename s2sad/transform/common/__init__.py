"""Queries on statements, symbols and thread positions shared by all passes."""
