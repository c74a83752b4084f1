"""Parse CUDA C++ with pycparser to a tree with the range of every node."""
