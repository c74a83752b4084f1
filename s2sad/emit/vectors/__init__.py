"""Vectors stay vectors: `adj_d += s * g + cross(c, h)` instead of statements for x, y and z.

Between the front end and here there are only numbers. `pack_lanes` finds the statements that do the same
to each component, `vector_operators` writes them as one, and `vector_helpers` defines what they call.
"""
