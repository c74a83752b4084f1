"""Forward mode: each statement of a kernel, and before it or after it the statement of its tangent."""
