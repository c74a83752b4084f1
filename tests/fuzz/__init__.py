"""Random kernels against finite differences: `python -m tests.fuzz --minutes 5 --seed 1`."""
