"""What peers get silently wrong, as kernels: `python -m tests.peers` prints what becomes of each."""
