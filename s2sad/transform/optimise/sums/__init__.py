"""Sums: where they are kept, and how often they are added to memory."""
