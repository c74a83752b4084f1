"""What an expression names in memory: elements, fields, what pointers point to."""
