"""The tree: CUDA's C on top of pycparser, with the place of every node."""
