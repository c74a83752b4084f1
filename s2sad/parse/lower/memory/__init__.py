"""Lower expressions that name memory: elements, fields, what pointers point to."""
