"""Traces: the run of one thread through a kernel and its adjoint, as rows with the values of each line."""
